/** legacy_create_migration_run: keeps a migration as a run that can be applied, without a secret in it. */
import { type Static, Type } from '../../../config/schema.ts';
import { RouterError } from '../../../errors.ts';
import { isRunId, newRun, type Run } from '../../../migration/migration-run.ts';
import { openRuns } from '../../../migration/open-runs.ts';
import { RUN_FIELDS } from '../../../migration/run-fields.ts';
import { textOf } from '../../../migration/run-store.ts';
import { shownRun } from '../../../migration/shown-run.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    ...RUN_FIELDS,
    run_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 64, description: 'Default: made from what the run holds' }),
    ),
  },
  { additionalProperties: false },
);

/** What the call would keep; nothing is written. */
function dryRun(run: Run, known: Run | undefined) {
  // Refused here as it would be when it is created.
  textOf(run);
  const differs = known !== undefined && known.fingerprint !== run.fingerprint;
  return {
    ...shownRun(run),
    status: 'dry_run',
    created: false,
    would_create: known === undefined,
    created_at: known?.created_at ?? null,
    updated_at: known?.updated_at ?? null,
    next_action: differs
      ? 'choose another run_id: a run of this one exists and holds something else'
      : 'to create it: same arguments with confirm: true, without dry_run',
  };
}

export default {
  name: 'legacy_create_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'write',
  line: 'Create a migration run from a legacy controller configuration, to be applied later.',
  more: 'Needs confirm: true and no plan_token, because only the router’s own record is written; dry_run: true shows the run and writes nothing. The same run_id with the same content answers the run that exists.',
  input: Input,
  search: { aliases: ['start a migration', 'migration run'], questions: ['create a migration run'] },
  open: (context) => {
    const runs = openRuns(context);
    return async (args: Static<typeof Input>, localContext) => {
      if (args.run_id !== undefined && !isRunId(args.run_id))
        throw new RouterError(
          'MIGRATION_RUN_ID',
          'run_id should be 1 to 64 letters, digits, ".", "_" or "-", without ".."',
        );
      const { dry_run, confirm } = localContext.approval.controls;
      if (dry_run !== true && confirm !== true)
        throw new RouterError('CONFIRMATION_REQUIRED', 'creating a run needs confirm: true', {
          remedy: 'look with dry_run: true, or call again with confirm: true; nothing is sent to a platform',
        });
      const { adapterOf } = await import('../../../migration/adapters/adapters.ts');
      const { chosenFrom, contextFrom, planFrom } = await import('../../../migration/run-request.ts');
      const target = contextFrom(args);
      const run = newRun({
        ...(args.run_id === undefined ? {} : { runId: args.run_id }),
        target,
        policy: args.conflict_policy ?? 'fail',
        candidates: chosenFrom(await planFrom(args, localContext), args),
        secretsOf: (candidate) => adapterOf(candidate, target.target).secretsOf(candidate),
        now: new Date().toISOString(),
      });
      if (dry_run === true) return dryRun(run, await runs.read(run.run_id));
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
