/** Takes switches through the stages, one after the other; each stops at its first failure, and the others go on. */
import { setTimeout as pause } from 'node:timers/promises';
import type { ToolCall } from '../../migration/adapters/adapter.ts';
import type { TargetPort } from '../../migration/target-port.ts';
import type { Goal, Site } from './goal.ts';
import type { Journal } from './journal.ts';
import { Unread } from './pipeline-target.ts';
import { GOALS, STAGES, type Stage } from './stages.ts';
import type { Switch } from './switch-rows.ts';

export interface PipelineOptions {
  journal: Journal;
  siteOf: (device: Switch) => Omit<Site, 'facts' | 'learn'>;
  /** Between two looks at something that takes its time. */
  pollMs: number;
  progress: (line: string) => void;
}

/** Looks at most: 10 minutes at 30 s; a device that restarts is given 45 minutes. */
const POLLS = 20;
const SLOW_POLLS = 90;

/** Stages of a run in their order; what was done in an earlier run of the same name is not done again. */
export async function carryOut(
  devices: readonly Switch[],
  stages: readonly Stage[],
  options: PipelineOptions,
): Promise<void> {
  for (const device of devices) await carryOutOne(device, stages, options);
}

/**
 * The writes of these stages that are known now, as the calls for the goals that are not met. A call that needs the
 * answer of an earlier one is not in the list. It is asked about when it is known.
 */
export async function plannedCalls(
  devices: readonly Switch[],
  stages: readonly Stage[],
  options: PipelineOptions,
): Promise<{ port: TargetPort; call: ToolCall }[]> {
  const calls: { port: TargetPort; call: ToolCall }[] = [];
  for (const device of devices)
    for (const stage of stages) {
      // Of a stage that was carried out nothing is sent again, so nobody is asked about it.
      if (isDone(device, stage, options)) continue;
      const facts = options.journal.facts(device.serial);
      for (const goal of GOALS[stage](device, { ...options.siteOf(device), facts, learn: () => {} })) {
        const call = await plannedCall(goal).catch(() => undefined);
        if (call) calls.push({ port: goal.port, call });
      }
    }
  return calls;
}

async function plannedCall({ holds, call }: Goal): Promise<ToolCall | undefined> {
  return call === undefined || (await holds()) === true ? undefined : call();
}

/** Carried out by an earlier run. Verifying again is cheap, and what was found then may not hold any more. */
function isDone({ serial }: Switch, stage: Stage, { journal }: PipelineOptions): boolean {
  const before = journal.status(serial, stage);
  return (before === 'success' || before === 'skipped') && stage !== 'verify';
}

async function carryOutOne(device: Switch, stages: readonly Stage[], options: PipelineOptions): Promise<void> {
  const { journal, progress } = options;
  const { serial } = device;
  for (const stage of stages) {
    if (isDone(device, stage, options)) continue;
    journal.record(serial, stage, 'in_progress');
    try {
      const learn = (facts: Record<string, string>) => journal.learn(serial, facts);
      const goals = GOALS[stage](device, { ...options.siteOf(device), facts: journal.facts(serial), learn });
      for (const goal of goals) await reach(goal, serial, options);
      const status = goals.length === 0 ? 'skipped' : 'success';
      journal.record(serial, stage, status, goals.map(({ what }) => what).join('; '));
      progress(`${serial} ${stage}: ${status}`);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      journal.record(serial, stage, 'failed', message.slice(0, 500));
      progress(`${serial} ${stage}: failed: ${message.slice(0, 300)}`);
      return;
    }
  }
}

async function reach(goal: Goal, serial: string, { journal, pollMs }: PipelineOptions): Promise<void> {
  const { what, holds, call, starts } = goal;
  let isUntold = false;
  try {
    const now = await holds();
    if (now === true) return;
    if (call === undefined) throw new Error(`${what}: ${now}`);
    // A run that was killed may have started it already: then it is waited for and not started again.
    const before = starts ? journal.sent(serial, what) : undefined;
    const job = before ? before.job : await send(goal, await call(), serial, journal);
    await waitFor(goal, job, pollMs);
  } catch (error) {
    isUntold = error instanceof Unread;
    throw error;
  } finally {
    // What the platform did not tell may still run.
    if (starts && !isUntold) journal.forgetSent(serial, what);
  }
}

/** The job that the write started, where the platform named one. */
async function send(
  { what, port, starts }: Goal,
  call: ToolCall,
  serial: string,
  journal: Journal,
): Promise<ToolCall | undefined> {
  if (starts) journal.noteSent(serial, what);
  const written = await port.write(call);
  if (written.kind === 'refused') throw new Error(`${what}: ${written.message}`);
  // Also when nobody knows what became of the write: it is never sent again, only looked for.
  const job = written.kind === 'done' ? jobOf(written.result) : undefined;
  if (starts && job) journal.noteSent(serial, what, job);
  return job;
}

async function waitFor(
  { what, port, holds, slow }: Goal,
  started: ToolCall | undefined,
  pollMs: number,
): Promise<void> {
  const most = slow ? SLOW_POLLS : POLLS;
  let job = started;
  let now: true | string | Unread = '';
  for (let polls = 0; polls < most; polls++) {
    if (job !== undefined) {
      const state = await stateOf(job, port);
      if (state === 'failed') throw new Error(`${what}: the platform says that it failed`);
      if (state === 'ended') job = undefined;
    }
    now = await holds().catch(whenUnread);
    if (now === true) return;
    await pause(pollMs);
  }
  if (now instanceof Unread) throw now;
  throw new Error(`${what}: ${now}, after ${most} looks`);
}

/** In three quarters of an hour a platform may fail to answer once. */
function whenUnread(error: unknown): Unread {
  if (error instanceof Unread) return error;
  throw error;
}

/** The call that tells how a started job goes, where the write started one. */
function jobOf(result: unknown): ToolCall | undefined {
  const poll = (result as { poll?: { tool?: unknown; arguments?: unknown } } | null)?.poll;
  return typeof poll?.tool === 'string'
    ? { tool: poll.tool, arguments: (poll.arguments ?? {}) as ToolCall['arguments'] }
    : undefined;
}

async function stateOf(job: ToolCall, port: TargetPort): Promise<'runs' | 'ended' | 'failed'> {
  const answer = await port.read(job);
  if (answer.kind !== 'found') return 'runs';
  const status = String((answer.value as { status?: unknown } | null)?.status ?? '');
  if (/^(FAILED|TIMEOUT|CANCELLED)$/i.test(status)) return 'failed';
  return /^(COMPLETED|SUCCEEDED|DONE|SUCCESS)$/i.test(status) ? 'ended' : 'runs';
}

export type DeviceStatus = 'done' | 'partial' | 'failed' | 'skipped';

export interface DeviceResult {
  serial: string;
  status: DeviceStatus;
  steps: Record<Stage, { status: string; message: string; at: string }>;
}

export function resultsOf(devices: readonly Switch[], stages: readonly Stage[], journal: Journal): DeviceResult[] {
  const rows = journal.steps();
  return devices.map(({ serial }) => {
    const own = rows.filter((row) => row.serial === serial);
    const steps = Object.fromEntries(
      STAGES.map((stage) => {
        const { status = 'pending', message = '', at = '' } = own.find((row) => row.stage === stage) ?? {};
        return [stage, { status, message, at }];
      }),
    ) as DeviceResult['steps'];
    return { serial, status: statusOf(stages.map((stage) => steps[stage].status)), steps };
  });
}

function statusOf(steps: readonly string[]): DeviceStatus {
  const good = steps.filter((status) => status === 'success' || status === 'skipped').length;
  if (steps.length > 0 && steps.every((status) => status === 'skipped')) return 'skipped';
  if (good === steps.length) return 'done';
  return good === 0 ? 'failed' : 'partial';
}
