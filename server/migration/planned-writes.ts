/** The writes that an apply would make now, so that a person can approve each of them before the first is sent. */
import { pointerPart } from '../catalog/platform-document.ts';
import type { Step, ToolCall } from './adapters/adapter.ts';
import { adapterOf } from './adapters/adapters.ts';
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

export interface PlannedCall {
  call: ToolCall;
  /** JSON pointers to the secrets in its body. */
  secretsAt: string[];
  /** What the target showed. */
  found: string;
}

/** The calls of planned writes with the secrets of now. */
export function callsOf(writes: readonly PlannedWrite[], options: Planning): PlannedCall[] {
  return writes.flatMap(({ key, step: index, how, found }) => {
    const entry = options.run.candidates.find((candidate) => candidate.key === key);
    const steps = entry && stepsIn(entry, options);
    const call = steps && callIn(steps, index, how);
    if (!call) return [];
    const { candidate } = entry;
    const { target } = options.run;
    const bare = callIn(adapterOf(candidate, target.target).stepsOf(candidate, target, {}), index, how);
    const secrets = Object.values(options.secrets[key] ?? {});
    return [{ call, found, secretsAt: secretsIn(call.arguments['body'], bare?.arguments['body'], secrets, '') }];
  });
}

const callIn = (steps: readonly Step[], at: number, how: Write): ToolCall | undefined =>
  how === 'update' ? steps[at]?.update : steps[at]?.create;

/** Where a body holds a secret that the same body of no secrets does not: an agent may give any text as a secret. */
function secretsIn(value: unknown, bare: unknown, secrets: readonly string[], pointer: string): string[] {
  if (typeof value === 'string') return value !== bare && secrets.includes(value) ? [pointer] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) =>
    secretsIn(inner, (bare as Record<string, unknown> | undefined)?.[name], secrets, `${pointer}/${pointerPart(name)}`),
  );
}

async function writesOf(entry: Entry, options: Planning): Promise<PlannedWrite[]> {
  const writes: PlannedWrite[] = [];
  for (const [index, step] of (stepsIn(entry, options) ?? []).entries()) {
    const known = recordOf(entry, step);
    if (known !== undefined && known.state !== 'sent') continue;
    const seen = await look(step, options.port);
    const how = neededWrite(entry, step, seen, options.run);
    if (how && !('unmet' in seen)) writes.push({ key: entry.key, step: index, how, found: foundText(seen) });
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
