/** legacy_list_migration_runs: every run that is kept, and files that are none. */
import { type Static, Type } from '../../../config/schema.ts';
import { openRuns } from '../../../migration/open-runs.ts';
import { countsOf } from '../../../migration/shown-run.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object({}, { additionalProperties: false });

export default {
  name: 'legacy_list_migration_runs',
  backend: 'migration',
  toolset: 'migration',
  capability: 'read',
  line: 'List all migration runs with their state.',
  more: 'No platform is called. A file that is no run is listed with what is wrong with it.',
  input: Input,
  search: { aliases: ['migrations'], questions: ['which migrations are under way'] },
  open: (context) => {
    const runs = openRuns(context);
    return async (_: Static<typeof Input>) =>
      (await runs.list()).map(({ run_id, run, problem }) =>
        run
          ? { run_id, status: run.status, target: run.target, counts: countsOf(run), updated_at: run.updated_at }
          : { run_id, status: 'damaged', problem },
      );
  },
} satisfies LocalTool<Static<typeof Input>>;
