/** The writes that an apply would make now, so that a person can approve each of them before the first is sent. */
import type { Step, ToolCall } from './adapters/adapter.ts';
import { type ApplyOptions, neededWrite, readiness, stepsOf, type Write } from './apply.ts';
import { type Entry, isFinal, recordOf } from './migration-run.ts';
import { secretProblem } from './runtime-secrets.ts';
import { look, mismatchedFields, type Seen } from './target-port.ts';

/** One write of a run, without what it sends: no secret stands in it, so it can be kept. */
export interface PlannedWrite {
  /** Key of the entry, and which of its steps. */
  key: string;
  step: number;
  how: Write;
  /** What the target has at this step. */
  found: string;
}

type Planning = Omit<ApplyOptions, 'dryRun' | 'save'>;

/**
 * Reads the target and returns the writes in their order. It treats the dependencies of an entry as done, because they
 * are written first. It leaves out an entry that cannot be written now.
 */
export async function plannedWrites(options: Planning): Promise<PlannedWrite[]> {
  const { run, offset, limit, progress } = options;
  const writes: PlannedWrite[] = [];
  const window = run.candidates.slice(offset, offset + limit);
  for (const [index, entry] of window.entries()) {
    for (const write of await writesOf(entry, options)) writes.push(write);
    await progress?.(index + 1, window.length, entry.key);
  }
  return writes;
}

/** The calls of planned writes with the secrets of now, and what the target showed. */
export function callsOf(writes: readonly PlannedWrite[], options: Planning): { call: ToolCall; found: string }[] {
  return writes.flatMap(({ key, step: index, how, found }) => {
    const entry = options.run.candidates.find((candidate) => candidate.key === key);
    const step = entry && stepsIn(entry, options)?.[index];
    const call = how === 'update' ? step?.update : step?.create;
    return call ? [{ call, found }] : [];
  });
}

async function writesOf(entry: Entry, options: Planning): Promise<PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  for (const [index, step] of (stepsIn(entry, options) ?? []).entries()) {
    const known = recordOf(entry, step);
    if (known !== undefined && known.state !== 'sent') continue;
    const seen = await look(step, options.port);
    const how = neededWrite(entry, step, seen, options.run);
    if (how) writes.push({ key: entry.key, step: index, how, found: foundText(seen) });
  }
  return writes;
}

function foundText(seen: Seen): string {
  if (seen.kind === 'other') return `there, and other in ${mismatchedFields(seen.fields)}`;
  return seen.kind === 'same' ? 'there, and the same in all that a read shows' : 'not there';
}

/** The steps of an entry that can be written now; undefined for one that cannot. */
function stepsIn(entry: Entry, options: Planning): Step[] | undefined {
  const { secrets, retryFailed } = options;
  if (isFinal(entry.status) || (entry.status === 'failed' && !retryFailed)) return undefined;
  if (!entry.dry_run_ok && entry.steps.length === 0 && entry.status !== 'failed') return undefined;
  const planning: ApplyOptions = { ...options, dryRun: true, save: async () => {} };
  const ready = readiness(entry, planning);
  const lacksSecret = secretProblem(entry.required_secret_names, secrets[entry.key] ?? {}) !== undefined;
  return 'event' in ready || lacksSecret ? undefined : stepsOf(ready.adapter, entry, planning);
}
