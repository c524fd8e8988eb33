/** Where the runs of this router are kept. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { Run } from './run.ts';
import { RunStore } from './run-store.ts';

class Runs extends RunStore {
  /** The run; MIGRATION_RUN_UNKNOWN when there is none. */
  known(id: string): Run {
    const run = this.read(id);
    if (!run) throw new RouterError('MIGRATION_RUN_UNKNOWN', `there is no migration run ${JSON.stringify(id)}`);
    return run;
  }
}

export const openRuns = ({ stateDir }: Pick<Config, 'stateDir'>): Runs => new Runs(join(stateDir, 'migration-runs'));
