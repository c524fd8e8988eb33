/** legacy_plan_migration_rollback: what taking a run back would do. */
import { type Static, Type } from '../../../config/schema.ts';
import { knownRun, openRuns } from '../../../migration/open-runs.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object({ run_id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false });

export default {
  name: 'legacy_plan_migration_rollback',
  backend: 'migration',
  toolset: 'migration',
  capability: 'read',
  line: 'Plan the rollback of a migration run: which of its writes can be taken back, in which order.',
  more: 'No platform is called. Refused are writes that no verified call takes back, and objects that were there before.',
  input: Input,
  search: { aliases: ['undo a migration'], questions: ['can the migration be undone'] },
  open: (context) => {
    const runs = openRuns(context);
    return async ({ run_id }: Static<typeof Input>) => {
      const { rollbackPlan } = await import('../../../migration/rollback.ts');
      return rollbackPlan(await knownRun(runs, run_id));
    };
  },
} satisfies LocalTool<Static<typeof Input>>;
