/** Where the runs of this router are kept: in the Redis that routers share, else in files. */
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { RouterError } from '../errors.ts';
import type { RedisLink } from '../storage/redis-link.ts';
import { FileRunStore } from './file-run-store.ts';
import type { Run } from './migration-run.ts';
import { RedisRunStore } from './redis-run-store.ts';
import type { RunStore } from './run-store.ts';

export interface RunStoreOptions {
  config: Pick<Config, 'stateDir'>;
  redis?: RedisLink | undefined;
}

export const openRuns = ({ config: { stateDir }, redis }: RunStoreOptions): RunStore =>
  redis ? new RedisRunStore(redis) : new FileRunStore(join(stateDir, 'migration-runs'));

/** The run; MIGRATION_RUN_UNKNOWN when there is none. */
export async function knownRun(runs: RunStore, id: string): Promise<Run> {
  const run = await runs.read(id);
  if (!run) throw new RouterError('MIGRATION_RUN_UNKNOWN', `there is no migration run ${JSON.stringify(id)}`);
  return run;
}
