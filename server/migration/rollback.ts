/** Takes back what a run made, last first, by verified inverse calls only; what was changed since is left alone. */
import type { Step, ToolCall } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
import {
  applyEvent,
  type Entry,
  type Run,
  recordOf,
  type StepRecord,
  statusOf,
  stepsBut,
  type UndoStatus,
} from './migration-run.ts';
import { changedFields, look, mismatchedFields, type Seen, type TargetPort } from './target-port.ts';

export interface Undo {
  key: string;
  what: string;
  status: UndoStatus;
  /** The call that takes it back; none where nothing verified does. */
  tool?: string;
  message?: string;
}

interface Made {
  entry: Entry;
  step: Step;
  record: StepRecord;
}

/** The writes of a rollback, in their order. */
export function rollbackPlan(run: Run): Undo[] {
  return madeBy(run).map(({ entry, step, record }) => {
    const why = whyNot(step, record);
    if (why !== undefined) return { key: entry.key, what: step.what, status: 'refused', message: why };
    return { key: entry.key, what: step.what, status: 'dry-run', ...(step.undo ? { tool: step.undo.tool } : {}) };
  });
}

/** The calls that a rollback would send, in its order; what cannot be taken back has none. */
export function undoCalls(run: Run): ToolCall[] {
  return madeBy(run).flatMap(({ step, record }) =>
    step.undo && whyNot(step, record) === undefined ? [step.undo] : [],
  );
}

export interface RollbackOptions {
  run: Run;
  port: TargetPort;
  save: (run: Run) => Promise<void>;
  /** Go on behind an object that cannot be taken back. */
  policy: 'abort' | 'continue';
  now: () => string;
}

export async function rollbackRun({ save: saveRun, ...options }: RollbackOptions): Promise<Undo[]> {
  const { run, policy, now } = options;
  const save = (): Promise<void> => {
    run.status = statusOf(run);
    run.updated_at = now();
    return saveRun(run);
  };
  const done: Undo[] = [];
  let halted = false;
  for (const made of madeBy(run)) {
    const { entry, step } = made;
    const result: Pick<Undo, 'status' | 'message'> = halted
      ? { status: 'not_attempted' }
      : await undo(made, { ...options, save });
    done.push({ key: entry.key, what: step.what, ...(step.undo ? { tool: step.undo.tool } : {}), ...result });
    entry.rollback = { status: result.status, ...(result.message === undefined ? {} : { message: result.message }) };
    if (result.status === 'applied' || result.status === 'already_applied') {
      // Its record goes, so the next rollback goes on behind it.
      entry.steps = stepsBut(entry, step);
      await save();
    } else if (policy === 'abort') halted = true;
  }
  const count = (status: UndoStatus) => done.filter((each) => each.status === status).length;
  run.rollback = {
    last_run_at: now(),
    last_summary: `${count('applied')} taken back, ${count('already_applied')} gone already, ${count('refused')} refused, ${count('failed')} failed, ${count('not_attempted')} not attempted`,
  };
  await save();
  return done;
}

/** Last first. The order is that of the steps: what was taken back and made again stands behind what stayed. */
function madeBy(run: Run): Made[] {
  return run.candidates
    .flatMap((entry) => {
      const { candidate } = entry;
      const steps = adapterOf(candidate, run.target.target).stepsOf(candidate, run.target, {});
      return steps.flatMap((step) => {
        const record = recordOf(entry, step);
        return record?.made ? [{ entry, step, record }] : [];
      });
    })
    .reverse();
}

function whyNot({ undo }: Step, { made }: StepRecord): string | undefined {
  if (made === 'updated') return 'it was there before and was changed: what it was is not known';
  return undo ? undefined : 'no verified call takes it back: delete it by hand';
}

async function undo(
  made: Made,
  { port, save, now }: Pick<RollbackOptions, 'port' | 'now'> & { save: () => Promise<void> },
): Promise<Pick<Undo, 'status' | 'message'>> {
  const { entry, step, record } = made;
  const why = whyNot(step, record);
  if (why !== undefined || !step.undo) return { status: 'refused', ...(why === undefined ? {} : { message: why }) };
  const before = await look(step, port);
  if (before.kind === 'unknown') return { status: 'failed', message: before.message };
  const changed = changedSince(record, before);
  if (changed !== '') return { status: 'refused', message: `it was changed since the run made it: ${changed}` };
  const was = { ...entry };
  reopen(made, now());
  if (before.kind === 'absent') return { status: 'already_applied' };
  // Kept before it is sent: after a crash nobody takes the entry for applied.
  await save();
  const answer = await port.write(step.undo);
  const after: Seen = answer.kind === 'refused' ? { kind: 'same' } : await look(step, port);
  if (after.kind === 'absent') return { status: 'applied' };
  if (after.kind === 'same') Object.assign(entry, was);
  return {
    status: 'failed',
    message: answer.kind === 'refused' ? answer.message : `it is still there (${after.kind})`,
  };
}

/** What is not any more as the run left it, also of fields that it never wrote; empty where nothing is known to be. */
function changedSince({ image }: StepRecord, now: Seen): string {
  if (now.kind === 'other') return mismatchedFields(now.fields);
  return now.kind === 'same' && image && now.image ? changedFields(image, now.image).join(', ') : '';
}

/** The entry is as far as before its dry run, and only a read can tell of this step. What it only found is looked for again. */
function reopen({ entry, step, record }: Made, at: string): void {
  entry.steps = entry.steps.flatMap((each) =>
    each === record ? [{ ...each, state: 'sent' }] : each.made ? [each] : [],
  );
  delete entry.verification;
  applyEvent(entry, 'rolled-back', at, `rollback of ${step.what}`);
}
