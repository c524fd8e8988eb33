/**
 * Applies a run, one entry after the other. It stores the intent before each write and reads the object back after it.
 * After a crash the next process reads first, so it writes nothing twice and loses no acknowledged write.
 */
import type { Adapter, Need, Step } from './adapters/adapter.ts';
import { brokenRules, faultIn, isInline } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import { vlanRead } from './adapters/new/vlan.ts';
import { type BlockedBy, blockedBy } from './blocked.ts';
import { isAutomatic } from './classification.ts';
import {
  applyEvent,
  type Entry,
  isFinal,
  type Run,
  recordOf,
  type StepRecord,
  statusOf,
  stepsBut,
} from './migration-run.ts';
import { secretProblem, type TargetSecrets } from './runtime-secrets.ts';
import { look, mismatchedFields, type Seen, type TargetPort } from './target-port.ts';

export interface ApplyOptions {
  run: Run;
  port: TargetPort;
  /** Kept when it returns. */
  save: (run: Run) => Promise<void>;
  secrets: TargetSecrets;
  dryRun: boolean;
  retryFailed: boolean;
  /** Window of entries that are tried. */
  limit: number;
  offset: number;
  now: () => string;
  progress?: (done: number, total: number, key: string) => Promise<void>;
}

type End = 'done' | 'found' | { blocked: string } | { failed: string };

export async function applyRun(options: ApplyOptions): Promise<void> {
  const { run, dryRun, now, save } = options;
  if (dryRun) run.dry_run_attempted_at = now();
  else run.last_apply_at = now();
  const window = run.candidates.slice(options.offset, options.offset + options.limit);
  for (const [index, entry] of window.entries()) {
    if (dryRun) await tryDry(entry, options);
    else await tryApply(entry, options);
    await options.progress?.(index + 1, window.length, entry.key);
  }
  run.status = statusOf(run);
  run.updated_at = now();
  await save(run);
}

async function tryDry(entry: Entry, options: ApplyOptions): Promise<void> {
  if (isFinal(entry.status) || entry.status === 'failed') return;
  const ready = readiness(entry, options);
  if ('event' in ready) return void applyEvent(entry, ready.event, options.now(), ready.why);
  const [first] = stepsOf(ready.adapter, entry, options);
  const seen = first ? await look(first, options.port) : { kind: 'absent' as const };
  const { conflict_policy: policy } = options.run;
  if (seen.kind === 'unknown')
    return void applyEvent(entry, 'blocked', options.now(), blockedBy('target-unreadable', seen.message));
  const started = first !== undefined && recordOf(entry, first) !== undefined;
  if (seen.kind !== 'absent' && policy === 'fail' && !started)
    return void applyEvent(
      entry,
      'blocked',
      options.now(),
      blockedBy('object-exists', 'the object exists and conflict_policy is fail'),
    );
  const how = first && neededWrite(entry, first, seen, options.run);
  if (how && 'unmet' in seen) return void applyEvent(entry, 'blocked', options.now(), seen.unmet);
  if (seen.kind === 'other' && how === undefined && !started)
    return void applyEvent(
      entry,
      'blocked',
      options.now(),
      blockedBy('object-differs', `the object exists and differs in ${mismatchedFields(seen.fields)}`),
    );
  applyEvent(entry, 'dry-run-ok', options.now(), dryRunMessage(seen, how, first && isUntold(entry, first)));
}

/** Of an object that the target does not have. */
export const WOULD_CREATE = 'would be created';

function dryRunMessage({ kind }: Seen, how: Write | undefined, untold: boolean | undefined): string {
  if (kind === 'absent') return WOULD_CREATE;
  if (kind === 'other') return 'would be updated';
  if (how === 'update') return 'would be updated: a read does not show its secret';
  return untold ? UNTOLD : 'exists as planned';
}

async function tryApply(entry: Entry, options: ApplyOptions): Promise<void> {
  const { now, save, run } = options;
  if (isFinal(entry.status) || (entry.status === 'failed' && !options.retryFailed)) return;
  const ready = readiness(entry, options);
  if ('event' in ready) return void applyEvent(entry, ready.event, now(), ready.why);
  if (!entry.dry_run_ok && entry.steps.length === 0 && entry.status !== 'failed') return holdBack(entry, now());
  const end = await carryOutAll(entry, stepsOf(ready.adapter, entry, options), options);
  if (typeof end !== 'object')
    applyEvent(entry, end === 'done' || entry.status === 'failed' ? 'applied' : 'skipped', now());
  else if ('blocked' in end) applyEvent(entry, entry.status === 'failed' ? 'failed' : 'blocked', now(), end.blocked);
  else applyEvent(entry, 'failed', now(), end.failed);
  await save(run);
}

/** Causes at the target, which only a dry run looks for. */
const FOUND: readonly BlockedBy[] = ['object-exists', 'object-differs', 'precondition-missing', 'target-unreadable'];
const isFound = (error: string | null): boolean => FOUND.some((code) => error?.startsWith(`${code}: `));

/** What a dry run found in the way of an entry stands until another one. */
function holdBack(entry: Entry, at: string): void {
  if (entry.status === 'blocked' && isFound(entry.last_error)) return;
  applyEvent(entry, 'blocked', at, blockedBy('dry-run-first', 'no dry run of this entry succeeded'));
}

/** Up to the first step that is blocked or fails; `done` where one of them wrote. */
async function carryOutAll(entry: Entry, steps: readonly Step[], options: ApplyOptions): Promise<End> {
  let all: End = 'found';
  for (const step of steps) {
    const end = await carryOut(entry, step, step === steps[0], options);
    if (typeof end === 'object') return end;
    if (end === 'done') all = end;
  }
  return all;
}

/** Everything that can be said without the target. */
export function readiness(
  entry: Entry,
  options: ApplyOptions,
): { adapter: Adapter } | { event: 'rejected' | 'blocked'; why: string } {
  const { run, port, secrets, dryRun } = options;
  const { candidate } = entry;
  const { target } = run.target;
  const adapter = adapterOf(candidate, target);
  const broken = brokenRules(adapter, candidate, run.target, port.faultOf);
  const final = broken.find(({ refusal }) => refusal === 'error' || refusal === 'compatibility');
  if (final) return { event: 'rejected', why: `${final.rule}: ${final.message}` };
  if (!isAutomatic(candidate.classification))
    return { event: 'rejected', why: `classified ${candidate.classification}: ${candidate.note}` };
  const [held] = broken;
  if (held) return { event: 'blocked', why: `${held.rule}: ${held.message}` };
  if (candidate.dry_run_only)
    return { event: 'blocked', why: blockedBy('dry-run-only', 'the candidate is dry-run-only') };
  const waiting = missingDependency(entry, adapter, options);
  if (waiting) return { event: 'blocked', why: waiting };
  const problem =
    secretProblem(entry.required_secret_names, secrets[entry.key] ?? {}) ?? unfit(entry, adapter, options);
  // A dry run needs no secret, but one that is given must be right.
  if (problem !== undefined && !(dryRun && secrets[entry.key] === undefined)) return { event: 'blocked', why: problem };
  return { adapter };
}

/** The object is one that the target takes, so what is wrong now is a secret. */
function unfit(entry: Entry, adapter: Adapter, options: ApplyOptions): string | undefined {
  const { faultOf = () => undefined } = options.port;
  const fault = entry.requires_secret_input ? faultIn(stepsOf(adapter, entry, options), faultOf) : undefined;
  return fault === undefined ? undefined : blockedBy('secret-unfit', `the target does not take it: ${fault}`);
}

function missingDependency(
  entry: Entry,
  adapter: Adapter,
  { run, dryRun, retryFailed }: ApplyOptions,
): string | undefined {
  for (const ref of dependenciesOf(entry, adapter)) {
    const needed = run.candidates.find(({ key }) => key === ref);
    if (!needed && vlanRead(ref)) continue;
    if (!needed) return blockedBy('dependency-absent', `it depends on ${ref}, which is not part of the run`);
    // A dry run promises what its apply tries before this entry, so that nothing waits for a further round.
    const isTried = dryRun && (needed.dry_run_ok || (retryFailed && needed.status === 'failed'));
    const there = needed.status === 'applied' || needed.status === 'skipped' || isTried;
    if (!there) return blockedBy('dependency-waiting', `it depends on ${ref}, which is ${needed.status}`);
  }
  return undefined;
}

/** References of the objects that must be there first, but for those that travel inside the entry. */
const dependenciesOf = ({ candidate }: Entry, adapter: Adapter): string[] =>
  candidate.dependencies.filter((ref) => !isInline(adapter, ref));

export function stepsOf(adapter: Adapter, entry: Entry, { run, secrets }: ApplyOptions): Step[] {
  const steps = adapter.stepsOf(entry.candidate, run.target, secrets[entry.key] ?? {});
  const absent = absentVlans(entry, adapter, run);
  return absent.length === 0 ? steps : steps.map((step) => ({ ...step, needs: [...(step.needs ?? []), ...absent] }));
}

/**
 * A VLAN has one scope at the target, so the run of a second site leaves out the one that the first site has. What it is needed for
 * is its number, which the target must have.
 */
function absentVlans(entry: Entry, adapter: Adapter, run: Run): Need[] {
  return dependenciesOf(entry, adapter).flatMap((ref) => {
    const read = run.candidates.some(({ key }) => key === ref) ? undefined : vlanRead(ref);
    return read ? [{ ref, read }] : [];
  });
}

async function carryOut(entry: Entry, step: Step, isFirst: boolean, options: ApplyOptions): Promise<End> {
  const { port } = options;
  const known = recordOf(entry, step);
  if (known && known.state !== 'sent') return known.state === 'verified' ? 'done' : 'found';
  const seen = await look(step, port);
  if (seen.kind === 'unknown') return { blocked: blockedBy('target-unreadable', `${step.what}: ${seen.message}`) };
  const how = neededWrite(entry, step, seen, options.run);
  if (how && 'unmet' in seen) return { blocked: seen.unmet };
  if (how) return write(entry, step, how, options);
  if (seen.kind === 'other') {
    const differs = `${step.what} differs in ${mismatchedFields(seen.fields)}`;
    return known?.made === 'created'
      ? { failed: `${differs} after the write` }
      : { blocked: blockedBy('object-differs', differs) };
  }
  if (!known) return foundThere(entry, step, isFirst, options);
  if (isUntold(entry, step)) return { failed: `${step.what}: ${UNTOLD}` };
  return noted(entry, { ...known, state: 'verified', ...imageIn(seen) }, options);
}

export type Write = 'create' | 'update';

/** The write that a step needs now; undefined where it needs none, or where what is there must not be changed. */
export function neededWrite(entry: Entry, step: Step, seen: Seen, { conflict_policy }: Run): Write | undefined {
  if (seen.kind === 'absent') return 'create';
  const known = recordOf(entry, step);
  if (conflict_policy !== 'update' || !step.update || known?.made === 'created') return undefined;
  if (seen.kind === 'other') return seen.isKept ? undefined : 'update';
  // The secret that is there may be another one. One that may have arrived is sent again by retry_failed only.
  const isAskedFor = known === undefined || entry.status === 'failed';
  return seen.kind === 'same' && step.hidden && isAskedFor ? 'update' : undefined;
}

const UNTOLD =
  'an update with its secret was sent and not acknowledged, and no read tells whether it arrived; retry_failed sends it again';

/** A read that shows what was sent says nothing of the secret that went with it. */
const isUntold = (entry: Entry, step: Step): boolean =>
  step.hidden !== undefined && recordOf(entry, step)?.made === 'updated' && recordOf(entry, step)?.state === 'sent';

async function foundThere(entry: Entry, step: Step, isFirst: boolean, options: ApplyOptions): Promise<End> {
  const isConflict = step.kind === 'object' && options.run.conflict_policy === 'fail' && isFirst;
  if (isConflict) return { blocked: blockedBy('object-exists', `${step.what} exists and conflict_policy is fail`) };
  return noted(entry, { what: step.what, state: 'found' }, options);
}

async function write(entry: Entry, step: Step, how: Write, options: ApplyOptions): Promise<End> {
  const { port } = options;
  const made = how === 'create' ? 'created' : 'updated';
  // Kept before it is sent: a write that cannot be remembered is not made.
  await noted(entry, { what: step.what, state: 'sent', made }, options);
  const answer = await port.write(how === 'update' && step.update ? step.update : step.create);
  if (answer.kind === 'refused') {
    entry.steps = stepsBut(entry, step);
    await options.save(options.run);
    return { failed: `${step.what}: ${answer.message}` };
  }
  const after = await look(step, port);
  if (after.kind === 'same' && answer.kind === 'outcome_unknown' && isUntold(entry, step))
    return { failed: `${step.what}: ${UNTOLD}` };
  if (after.kind === 'same')
    return noted(entry, { what: step.what, state: 'verified', made, ...imageIn(after) }, options);
  if (after.kind === 'other')
    return { failed: `${step.what}: the read-back differs in ${mismatchedFields(after.fields)}` };
  const why = answer.kind === 'outcome_unknown' ? answer.message : 'the write was accepted';
  return { failed: `${step.what}: ${why}, and the read-back says ${after.kind}` };
}

const imageIn = (seen: Seen): Pick<StepRecord, 'image'> =>
  seen.kind === 'same' && seen.image ? { image: seen.image } : {};

async function noted(entry: Entry, record: StepRecord, { run, save }: ApplyOptions): Promise<'done' | 'found'> {
  entry.steps = [...stepsBut(entry, record), record];
  await save(run);
  return record.state === 'found' ? 'found' : 'done';
}
