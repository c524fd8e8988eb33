/** The writes that an apply would make now, so that a person can approve each of them before the first is sent. */
import type { Step, ToolCall } from './adapters/adapter.ts';
import { type ApplyOptions, readiness, stepsOf } from './apply.ts';
import { type Entry, isFinal, type Run, type StepRecord } from './run.ts';
import { secretProblem } from './runtime-secrets.ts';
import { look } from './target-port.ts';

/**
 * Reads the target and answers the calls in their order. What an entry waits for is taken as done, because it is written
 * before it; an entry that cannot be written now has no call here.
 */
export async function plannedWrites(options: Omit<ApplyOptions, 'dryRun' | 'save'>): Promise<ToolCall[]> {
  const { run, offset, limit, progress } = options;
  const calls: ToolCall[] = [];
  const window = run.candidates.slice(offset, offset + limit);
  for (const [index, entry] of window.entries()) {
    for (const call of await callsFor(entry, options)) calls.push(call);
    await progress?.(index + 1, window.length, entry.key);
  }
  return calls;
}

async function callsFor(entry: Entry, options: Omit<ApplyOptions, 'dryRun' | 'save'>): Promise<ToolCall[]> {
  const { run, secrets, retryFailed, port } = options;
  if (isFinal(entry.status) || (entry.status === 'failed' && !retryFailed)) return [];
  if (!entry.dry_run_ok && entry.steps.length === 0 && entry.status !== 'failed') return [];
  const planning: ApplyOptions = { ...options, dryRun: true, save: async () => {} };
  const ready = readiness(entry, planning);
  const lacksSecret = secretProblem(entry.required_secret_names, secrets[entry.key] ?? {}) !== undefined;
  if ('event' in ready || lacksSecret) return [];
  const calls: ToolCall[] = [];
  for (const [index, step] of stepsOf(ready.adapter, entry, planning).entries()) {
    const known = entry.steps[index];
    if (known !== undefined && known.state !== 'sent') continue;
    const call = callFor(step, (await look(step, port)).is, known, run);
    if (call) calls.push(call);
  }
  return calls;
}

function callFor(
  step: Step,
  found: Awaited<ReturnType<typeof look>>['is'],
  known: StepRecord | undefined,
  { conflict_policy }: Run,
): ToolCall | undefined {
  if (found === 'absent') return step.create;
  return found === 'other' && known?.made !== 'created' && conflict_policy === 'update' ? step.update : undefined;
}
