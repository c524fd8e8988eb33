/** legacy_apply_migration_run: a dry run of a run, then its writes, each through the router's own gates. */
import { type Static, Type } from '../../../config/schema.ts';
import type { Approver } from '../../../dispatch/confirmation.ts';
import { WholeResult } from '../../../dispatch/dispatch-call.ts';
import { RouterError } from '../../../errors.ts';
import { isFinal, RUN_LIMITS, type Run } from '../../../migration/migration-run.ts';
import { knownRun, openRuns } from '../../../migration/open-runs.ts';
import type { PlannedWrite } from '../../../migration/planned-writes.ts';
import type { TargetSecrets } from '../../../migration/runtime-secrets.ts';
import { shownRun } from '../../../migration/shown-run.ts';
import { quoted } from '../../../telemetry/invisible.ts';
import type { LocalTool } from '../registry.ts';

/** The message names the fault and repeats no value. */
const HIDDEN = { writeOnly: true };

const Input = Type.Object(
  {
    run_id: Type.String({ minLength: 1, maxLength: 64 }),
    target_secrets: Type.Optional(
      Type.Record(
        Type.String({ maxLength: 600 }),
        Type.Record(Type.String({ maxLength: 64 }), Type.String(HIDDEN), { ...HIDDEN, maxProperties: 4 }),
        {
          ...HIDDEN,
          maxProperties: RUN_LIMITS.candidates,
          description: 'By candidate and name, such as {"wlan:Guest": {"wpa_passphrase": "…"}}; given with every call',
        },
      ),
    ),
    retry_failed: Type.Optional(Type.Boolean({ description: 'Also try entries that failed; default false' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: RUN_LIMITS.candidates, description: 'Default all' })),
    offset: Type.Optional(Type.Integer({ minimum: 0, maximum: RUN_LIMITS.candidates })),
  },
  { additionalProperties: false },
);
type Arguments = Static<typeof Input>;

export default {
  name: 'legacy_apply_migration_run',
  backend: 'migration',
  toolset: 'migration',
  capability: 'write',
  line: 'Apply a migration run: a dry run unless dry_run is false, then the writes of everything that is ready.',
  more: 'dry_run: true reads the target and answers a plan_token; with dry_run: false, confirm: true and that token the person is asked once about the list of all its requests, and each write is recorded, sent once and read back. Secrets come in target_secrets and are never kept.',
  input: Input,
  search: { aliases: ['carry out a migration'], questions: ['apply a migration run', 'resume a migration'] },
  open: (sources) => {
    const runs = openRuns(sources);
    const planned = new PlannedLists();
    return (args: Arguments, context) =>
      runs.hold(args.run_id, async (held) => {
        const run = await knownRun(runs, args.run_id);
        const { controls } = context.approval;
        const dryRun = controls.dry_run !== false;
        const window = { limit: args.limit ?? RUN_LIMITS.candidates, offset: args.offset ?? 0 };
        const secrets = (args.target_secrets ?? {}) as TargetSecrets;
        const values = Object.values(secrets).flatMap((own) => Object.values(own));
        const { applyRun } = await import('../../../migration/apply.ts');
        const { faultsBy } = await import('../../../migration/call-faults.ts');
        const { lastingBy } = await import('../../../migration/lasting-fields.ts');
        const { dispatchPort, writeCall } = await import('../../../migration/dispatch-port.ts');
        const options = {
          run,
          secrets,
          retryFailed: args.retry_failed === true,
          ...window,
          now: () => new Date().toISOString(),
          progress: async (done: number, total: number, key: string) => context.call.progress?.(done, total, key),
        };
        const askForApproval = async (): Promise<Approver | WholeResult> => {
          if (run.dry_run_attempted_at === null)
            throw new RouterError('MIGRATION_DRY_RUN_FIRST', `run ${run.run_id} was never dry-run`);
          const port = dispatchPort(context, { secrets: values });
          const { callsOf, plannedWrites } = await import('../../../migration/planned-writes.ts');
          const writes = await planned.of(`${run.fingerprint} ${controls.plan_token}`, () =>
            plannedWrites({ ...options, port }),
          );
          // A write that would be refused is not part of the question; its own call reports the reason.
          const requests = callsOf(writes, { ...options, port }).flatMap(({ call, found, secretsAt }) => {
            const request = context.plannedRequestOf(writeCall(context, call));
            const notes = [`At the target: ${quoted(found)}`];
            return 'kind' in request ? [] : [{ ...request, secretsAt, notes }];
          });
          const about = `Migration run ${quoted(run.run_id)} to ${whereTo(run)}: ${readyIn(run, args).length} objects`;
          return context.approval.take(subjectOf(run, args), { about, object: run.run_id, requests });
        };
        const approved = dryRun ? undefined : await askForApproval();
        if (approved instanceof WholeResult) return approved;
        await applyRun({
          ...options,
          port: dispatchPort(context, {
            secrets: values,
            faultOf: faultsBy(sources.catalog),
            lastingOf: lastingBy(sources.catalog),
            mayWrite: held.mustHold,
            ...(approved ? { approver: approved } : {}),
          }),
          save: held.write,
          dryRun,
        });
        const token = dryRun ? { plan_token: context.approval.preview(subjectOf(run, args)), object: run.run_id } : {};
        const result = { dry_run: dryRun, ...token, ...shownRun(run, { offset: window.offset }) };
        // Not shaped like a list: counts and entries belong together.
        return new WholeResult({ kind: 'done', result, outcome: 'success' });
      });
  },
} satisfies LocalTool<Arguments>;

const MOST_LISTS = 20;

/** The writes that the question of a plan token was about, so that its answer needs no second look at the target. */
class PlannedLists {
  readonly #lists = new Map<string, PlannedWrite[]>();

  async of(key: string, make: () => Promise<PlannedWrite[]>): Promise<PlannedWrite[]> {
    const known = this.#lists.get(key);
    if (known) return known;
    const made = await make();
    this.#lists.set(key, made);
    if (this.#lists.size > MOST_LISTS) this.#lists.delete(this.#lists.keys().next().value as string);
    return made;
  }
}

/** What the token binds: the run as its dry run left it, and the applied part of it. Secrets are not part of it. */
function subjectOf(run: Run, args: Arguments): unknown {
  return [run.run_id, run.fingerprint, readyIn(run, args), args.retry_failed === true];
}

function readyIn(
  { candidates }: Run,
  { limit = RUN_LIMITS.candidates, offset = 0, retry_failed }: Arguments,
): string[] {
  return candidates
    .slice(offset, offset + limit)
    .filter(({ status, dry_run_ok }) => !isFinal(status) && (dry_run_ok || (status === 'failed' && retry_failed)))
    .map(({ key }) => key);
}

function whereTo({ target }: Run): string {
  if (target.target === 'classic') return `classic group ${quoted(target.scope_name ?? '(not named)')}`;
  return `scope ${quoted(target.scope_id ?? '(not named)')} for ${target.persona ?? '(no persona)'}`;
}
