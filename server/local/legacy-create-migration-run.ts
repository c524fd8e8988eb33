/** legacy_create_migration_run: keeps a migration as a run that can be applied, without a secret in it. */
import { type Static, Type } from '../config/schema.ts';
import { RouterError } from '../errors.ts';
import { openRuns } from '../migration/open-runs.ts';
import { isRunId, newRun } from '../migration/run.ts';
import { RUN_FIELDS } from '../migration/run-fields.ts';
import { shownRun } from '../migration/shown-run.ts';
import type { LocalTool } from './registry.ts';

const Input = Type.Object(
  {
    ...RUN_FIELDS,
    run_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Default: made from what the run holds' }),
    ),
  },
  { additionalProperties: false },
);

export default {
  name: 'legacy_create_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'write',
  line: 'Create a migration run from a legacy controller configuration, to be applied later.',
  more: 'Needs confirm: true and no plan_token, because only the router’s own record is written. The same run_id with the same content answers the run that exists.',
  input: Input,
  search: { aliases: ['start a migration', 'migration run'], questions: ['create a migration run'] },
  open: (context) => {
    const runs = openRuns(context);
    return async (args: Static<typeof Input>, during) => {
      if (args.run_id !== undefined && !isRunId(args.run_id))
        throw new RouterError(
          'MIGRATION_RUN_ID',
          'run_id should be 1 to 64 letters, digits, ".", "_" or "-", without ".."',
        );
      if (during.approval.controls.confirm !== true)
        throw new RouterError('CONFIRMATION_REQUIRED', 'creating a run needs confirm: true', {
          remedy: 'call again with confirm: true; nothing is sent to a platform',
        });
      const { adapterOf } = await import('../migration/adapters/adapters.ts');
      const { chosenFrom, contextFrom, planFrom } = await import('../migration/run-request.ts');
      const target = contextFrom(args);
      const run = newRun({
        ...(args.run_id === undefined ? {} : { runId: args.run_id }),
        target,
        policy: args.conflict_policy ?? 'fail',
        candidates: chosenFrom(await planFrom(args, during), args),
        secretsOf: (candidate) => adapterOf(candidate, target.target).secretsOf(candidate),
        now: new Date().toISOString(),
      });
      return runs.hold(run.run_id, async (held) => {
        const known = await runs.read(run.run_id);
        if (known && known.fingerprint !== run.fingerprint)
          throw new RouterError('MIGRATION_RUN_DIFFERS', `run ${run.run_id} exists and holds something else`);
        if (!known) await held.write(run);
        return { created: known === undefined, ...shownRun(known ?? run) };
      });
    };
  },
} satisfies LocalTool<Static<typeof Input>>;
