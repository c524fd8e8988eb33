/** All planned runs of a campaign, lane by lane, a few lanes at a time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compileAgents } from './agent-process.ts';
import { got, HarnessError } from './errors.ts';
import type { ModelAccess } from './llm/access.ts';
import type { PlannedLane, PlannedRun } from './matrix.ts';
import type { Recording } from './recording.ts';
import { recordRun, StartingState } from './run.ts';
import { openSandbox, type SandboxOptions } from './sandbox.ts';

export interface CampaignOptions extends SandboxOptions {
  lanes: readonly PlannedLane[];
  concurrency: number;
  /** For agents that ask a language model. */
  model?: ModelAccess | undefined;
  signal?: AbortSignal;
  onLane?: (lane: PlannedLane) => void;
  onRecording?: (recording: Recording) => void;
}

export async function runCampaign(options: CampaignOptions): Promise<Recording[]> {
  const { lanes, concurrency, signal } = options;
  await using sandbox = await openSandbox(options);
  const compiled = join(sandbox.folder, 'agents');
  await compileAgents(compiled);
  const startingState = new StartingState(sandbox.control);
  const recordings: Recording[] = [];
  const waiting = [...lanes];
  const stop = new AbortController();
  const walk = async (planned: PlannedLane) => {
    const lane = await sandbox.openLane(planned.name, planned.transport, planned.gates);
    options.onLane?.(planned);
    for (const run of planned.runs) {
      if (signal?.aborted || stop.signal.aborted) return;
      const context = {
        control: sandbox.control,
        lane,
        subject: options.subject,
        model: options.model,
        startingState,
        compiled,
        ...(signal ? { signal } : {}),
      };
      const recording = await recordRun(run, context);
      if (signal?.aborted) return;
      recordings.push(recording);
      options.onRecording?.(recording);
    }
  };
  const worker = async () => {
    for (let lane = waiting.shift(); lane !== undefined; lane = waiting.shift()) await walk(lane);
  };
  const workers = Array.from({ length: Math.max(1, Math.min(concurrency, lanes.length)) }, () =>
    worker().catch((error: unknown) => {
      stop.abort(); // one broken lane ends the campaign: nothing was measured
      throw error;
    }),
  );
  const results = await Promise.allSettled(workers);
  const failed = results.find((result) => result.status === 'rejected');
  if (failed && !signal?.aborted) throw failed.reason;
  return inPlannedOrder(
    recordings,
    lanes.flatMap((lane) => lane.runs),
  );
}

/** The order of the plan, not of who finished first. */
function inPlannedOrder(recordings: Recording[], runs: PlannedRun[]): Recording[] {
  const position = new Map(
    runs
      .map((run) => keyOf(run.scenario.id, run.agent.id, run.transport, run.run))
      .sort()
      .map((key, i) => [key, i]),
  );
  const at = (r: Recording) => position.get(keyOf(r.task.id, r.agent, r.transport, r.run)) ?? 0;
  return recordings.sort((a, b) => at(a) - at(b));
}

const keyOf = (scenario: string, agent: string, transport: string, run: number) =>
  [scenario, agent, transport, String(run).padStart(6, '0')].join('\u0000');

/** A fixture named by a scenario must be a folder of the repository. */
export async function assertFixtures(root: string, fixtures: Iterable<string>): Promise<void> {
  for (const fixture of new Set(fixtures)) {
    await readFile(join(root, fixture, 'bundle.yaml')).catch((cause: unknown) => {
      throw new HarnessError(
        'SCENARIO_INVALID',
        `\`fixture\` should be a folder with a bundle.yaml, got ${got(fixture)}`,
        { cause },
      );
    });
  }
}
