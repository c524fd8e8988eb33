/** legacy_execute_migration_rollback: takes back what a run made, behind a gate of its own. */
import { type Static, Type } from '../../../config/schema.ts';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import { RouterError } from '../../../errors.ts';
import { knownRun, openRuns } from '../../../migration/open-runs.ts';
import { quoted } from '../../../telemetry/invisible.ts';
import type { LocalTool } from '../registry.ts';

const Input = Type.Object(
  {
    run_id: Type.String({ minLength: 1, maxLength: 64 }),
    conflict_policy: Type.Optional(
      Type.Enum(['abort', 'continue'], { description: 'At an object that cannot be taken back; default abort' }),
    ),
  },
  { additionalProperties: false },
);

export default {
  name: 'legacy_execute_migration_rollback',
  backend: 'migration',
  toolset: 'migration',
  capability: 'destructive',
  line: 'Roll a migration run back: delete what it created, last first.',
  more: 'A dry run unless dry_run is false; applying needs confirm: true, the plan_token of the dry run and the person. What was changed since is left alone. The operator has to open SVC_MCP_LEGACY_ROLLBACK_WRITES as well.',
  input: Input,
  search: { aliases: ['undo a migration run'], questions: ['roll back the migration'] },
  open: (sources) => {
    const { config, catalog } = sources;
    const runs = openRuns(sources);
    return ({ run_id, conflict_policy = 'abort' }: Static<typeof Input>, context) =>
      runs.hold(run_id, async (held) => {
        if (!config.rollbackWrites)
          throw new RouterError('WRITE_GATE_CLOSED', 'SVC_MCP_LEGACY_ROLLBACK_WRITES is off. Nothing was sent.');
        const { lastingBy } = await import('../../../migration/lasting-fields.ts');
        const { dispatchPort, writeCall } = await import('../../../migration/dispatch-port.ts');
        const { rollbackPlan, rollbackRun, undoCalls } = await import('../../../migration/rollback.ts');
        const run = await knownRun(runs, run_id);
        const plan = rollbackPlan(run);
        const subject = [run_id, run.fingerprint, plan, conflict_policy];
        if (context.approval.controls.dry_run !== false) {
          const result = { dry_run: true, plan_token: context.approval.preview(subject), object: run_id, undo: plan };
          return new WholeResult({ kind: 'done', result, outcome: 'success' });
        }
        const requests = undoCalls(run)
          .map((call) => context.plannedRequestOf(writeCall(context, call)))
          .flatMap((request) => ('kind' in request ? [] : [request]));
        const about = `Rollback of migration run ${quoted(run_id)}: ${requests.length} objects and assignments that it made`;
        const approved = await context.approval.take(subject, { about, object: run_id, requests, inParts: true });
        if (approved instanceof WholeResult) return approved;
        const undo = await rollbackRun({
          run,
          port: dispatchPort(context, {
            mayWrite: held.mustHold,
            approver: approved,
            lastingOf: lastingBy(catalog),
          }),
          save: held.write,
          policy: conflict_policy,
          now: () => new Date().toISOString(),
        });
        const result = { dry_run: false, run_id, summary: run.rollback.last_summary, undo };
        return new WholeResult({ kind: 'done', result, outcome: 'success' });
      });
  },
} satisfies LocalTool<Static<typeof Input>>;
