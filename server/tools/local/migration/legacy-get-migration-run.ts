/** legacy_get_migration_run: how far a run is. */
import { type Static, Type } from '../../../config/schema.ts';
import { knownRun, openRuns } from '../../../migration/open-runs.ts';
import { shownRun } from '../../../migration/shown-run.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    run_id: Type.String({ minLength: 1, maxLength: 64 }),
    include_details: Type.Optional(Type.Boolean({ description: 'With candidates, steps and attempts; default false' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'Default 50' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: 500 })),
  },
  { additionalProperties: false },
);

export default {
  name: 'legacy_get_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'read',
  line: 'Get one migration run: its state, counts and entries.',
  more: 'No platform is called. An entry says why it is blocked, failed or unsupported, and which secrets it asks for.',
  input: Input,
  search: { aliases: ['migration status'], questions: ['how far is the migration'] },
  open: (context) => {
    const runs = openRuns(context);
    return async ({ run_id, include_details, limit, offset }: Static<typeof Input>) =>
      shownRun(await knownRun(runs, run_id), {
        details: include_details === true,
        ...(limit === undefined ? {} : { limit }),
        ...(offset === undefined ? {} : { offset }),
      });
  },
} satisfies LocalTool<Static<typeof Input>>;
