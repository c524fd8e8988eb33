/** All planned runs of a campaign, lane by lane, a few lanes at a time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AgentLimits } from '../agents/mcp/agent.ts';
import { got, HarnessError } from '../harness-errors.ts';
import type { ModelAccess } from '../llm/model-access.ts';
import type { Gates, Recording } from '../recording/recording.ts';
import { compileAgents } from '../sandbox/agent-process.ts';
import { openSandbox, type SandboxOptions } from '../sandbox/sandbox.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { PlannedLane } from './matrix.ts';
import { type RunContext, recordRun, StartingState } from './run-once.ts';

export interface CampaignOptions extends SandboxOptions {
  lanes: readonly PlannedLane[];
  concurrency: number;
  /** Limits of each agent; the default limits if absent. */
  limits?: AgentLimits;
  /** For agents that ask a language model. */
  model?: ModelAccess | undefined;
  /** Setting → value, as the subject is started with. */
  settings: Record<string, string>;
  directListingTokens?: Partial<Record<Gates, number>> | undefined;
  signal?: AbortSignal;
  onLane?: (lane: PlannedLane) => void;
  /** `stop` makes this the last recording, as on the first red of `--fail-fast`. */
  onRecording?: (recording: Recording) => 'stop' | undefined;
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
  const ended = () => signal?.aborted === true || stop.signal.aborted;
  const walk = async (planned: PlannedLane) => {
    const lane = await sandbox.openLane(planned.name, planned.transport, planned.gates);
    options.onLane?.(planned);
    const context = runContext(options, { control: sandbox.control, lane, startingState, compiled });
    for (const run of planned.runs) {
      if (ended()) return;
      const recording = await recordRun(run, context);
      if (ended()) return;
      recordings.push(recording);
      if (options.onRecording?.(recording) === 'stop') stop.abort();
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
  return recordings;
}

/** What all runs of a lane share. */
function runContext(
  { subject, model, settings, directListingTokens, limits, signal }: CampaignOptions,
  opened: Pick<RunContext, 'control' | 'lane' | 'startingState' | 'compiled'>,
): RunContext {
  return {
    ...opened,
    subject,
    model,
    settings,
    directListingTokens,
    ...(limits ? { limits } : {}),
    ...(signal ? { signal } : {}),
  };
}

/** A fixture named by a scenario must be a folder of the repository, an incident a file beside it. */
export async function assertFixtures(
  root: string,
  scenarios: readonly Pick<Scenario, 'file' | 'fixture' | 'incident'>[],
): Promise<void> {
  const fixtures = scenarios.map(({ file, fixture }) => [file, 'fixture', fixture, `${fixture}/bundle.yaml`] as const);
  const incidents = scenarios.flatMap(({ file, incident }) =>
    incident === undefined
      ? []
      : [[file, 'incident', incident, `fake-api/fixtures/incidents/${incident}.yaml`] as const],
  );
  const named = new Map([...fixtures, ...incidents].map((entry) => [entry[3], entry]));
  for (const [wanted, [file, field, name]] of named) {
    await readFile(join(root, wanted)).catch((cause: unknown) => {
      const said = `${file}: \`${field}\` should have a file ${wanted}, got ${got(name)}`;
      throw new HarnessError('SCENARIO_INVALID', said, { cause });
    });
  }
}
