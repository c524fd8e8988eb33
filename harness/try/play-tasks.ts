/** The scenarios through the server: one after the other in each process, a few processes at a time. */
import type { Agent } from '../agents/mcp/agent.ts';
import type { Row } from '../compare/row.ts';
import { recordRun, StartingState } from '../execution/run-once.ts';
import { type Grader, loadGrader } from '../grading/grader.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Message, Recording } from '../recording/recording.ts';
import { tokensOf } from '../recording/token-count.ts';
import type { Revision } from '../sandbox/revision.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { SingleStep } from '../scenario/scenario-schema.ts';
import type { Subject } from '../subject/subject.ts';
import type { MatchedTools } from './matched-tools.ts';
import { laneNamespace, openServerLane, type ServerLane } from './server-lane.ts';
import type { TriedServer } from './tried-server.ts';
import { rowOf } from './try-row.ts';
import type { TryTestbed } from './try-testbed.ts';

export interface PlayOptions {
  server: TriedServer;
  subject: Subject;
  testbed: TryTestbed;
  tools: MatchedTools;
  scenarios: readonly Scenario[];
  agents: readonly Agent[];
  /** Folder of the agents, compiled. */
  compiled: string;
  seed: number;
  runs: number;
  /** Processes at a time; one for a server that runs already. */
  processes: number;
  /** After so many the rest is left out. */
  minutes: number;
  /** When they are over, by `performance.now()`. */
  endsAt: number;
  revision: Revision;
  signal: AbortSignal;
  onRow?: ((row: Row) => void) | undefined;
}

export interface Played {
  rows: Row[];
  recordings: Recording[];
  /** Processes that ended on their own during a run. */
  deaths: number;
  /** Whether the server ever asked the person. */
  asks: boolean;
  /** Why the rest was left out, where it was. */
  cutShort?: HarnessError;
}

interface PlannedTask {
  scenario: Scenario;
  agent: Agent;
  run: number;
}

/** So many runs in a row without one answered call are enough. */
const STALLED = 3;
const MAX_CALLS = 40;

export async function playTasks(options: PlayOptions): Promise<Played> {
  const { testbed, compiled, processes, minutes, endsAt, revision, signal } = options;
  const server = { ...options.server, revision };
  const late = AbortSignal.timeout(Math.max(0, Math.round(endsAt - performance.now())));
  const ended = AbortSignal.any([signal, late]);
  const waiting = plannedTasks(options);
  const planned = waiting.length;
  const played: Played = { rows: [], recordings: [], deaths: 0, asks: false };
  const grader = await loadGrader();
  const worker = async (_: unknown, at: number) => {
    await using lane = await openServerLane(server, testbed, laneNamespace(at));
    const play = playerFor(lane, { ...options, signal: ended }, { compiled, grader, played });
    for (let task = waiting.shift(); task !== undefined && !ended.aborted; task = waiting.shift()) await play(task);
  };
  const results = await Promise.allSettled(Array.from({ length: Math.max(1, processes) }, worker));
  const failed = results.find((result) => result.status === 'rejected')?.reason;
  if (failed !== undefined && !(failed instanceof HarnessError)) throw failed;
  if (failed !== undefined && played.rows.length === 0) throw failed;
  if (failed !== undefined) return { ...played, cutShort: failed };
  // Those in flight at the end are not waiting any more, and are none of the rows.
  const left = planned - played.rows.length;
  if (!late.aborted || left === 0) return played;
  const cut = `all runs should end within ${minutes} minutes, got ${played.rows.length} done and ${left} left`;
  return { ...played, cutShort: new HarnessError('SERVER_STALLED', cut) };
}

/** The control first, for a gap that it finds explains what the others do. A run takes the next wording of the intent. */
function plannedTasks({ scenarios, agents, runs }: PlayOptions): PlannedTask[] {
  return Array.from({ length: runs }, (_, run) => run).flatMap((run) =>
    scenarios.flatMap((scenario) => {
      const wordings = [scenario.intent, ...(scenario.paraphrases ?? [])];
      const intent = wordings[run % wordings.length] as string;
      return agents
        .filter(({ id }) => id !== 'gullible' || scenario.suite === 'adversarial')
        .map((agent) => ({ scenario: { ...scenario, intent }, agent, run }));
    }),
  );
}

function playerFor(
  serverLane: ServerLane,
  { subject, testbed, server, tools, seed, revision, signal, onRow }: PlayOptions,
  { compiled, grader, played }: { compiled: string; grader: Grader; played: Played },
): (task: PlannedTask) => Promise<void> {
  const startingState = new StartingState(testbed.control);
  const definitionTokens = tokensOf(serverLane.first.tools);
  let silent = 0;
  return async ({ scenario, agent, run }) => {
    const recording = await recordRun(
      { scenario, agent, transport: serverLane.lane.transport, gates: 'open', run, seed: seed + run },
      {
        control: testbed.control,
        lane: serverLane.lane,
        subject,
        settings: { revision },
        startingState,
        compiled,
        limits: { maxCalls: MAX_CALLS, timeoutMs: server.limits.callMs * 2 },
        signal,
        withoutList: true,
        ...(subject.roles === undefined ? { route: (steps: SingleStep[]) => ownSteps(steps, tools) } : {}),
      },
    );
    if (signal.aborted) return;
    const died = serverLane.hasDied();
    if (died) played.deaths++;
    const { operations } = testbed.document;
    const row = rowOf({ recording, scenario, subject, tools, operations, definitionTokens, grader, died, revision });
    played.rows.push(row);
    played.recordings.push(recording);
    if (recording.transcript.some(({ kind }) => kind === 'elicitation')) played.asks = true;
    onRow?.(row);
    silent = wasSilent(recording, server.limits.callMs) ? silent + 1 : 0;
    if (silent >= STALLED) {
      const time = `${server.limits.callMs} ms`;
      throw new HarnessError(
        'SERVER_STALLED',
        `${server.name} should answer a call within ${time}, got none in ${STALLED} runs`,
      );
    }
  };
}

/** A timer may fire a little early. */
const NEARLY = 0.9;

/** No call was answered in time, and not because none was made. */
function wasSilent({ transcript, timings, agent }: Recording, callMs: number): boolean {
  const isAnswered = ({ kind, isError }: Message, i: number) =>
    kind === 'call' && (isError !== true || (timings.messages[i]?.tookMs ?? 0) < callMs * NEARLY);
  return agent !== 'noop' && timings.latencyMs >= callMs && !transcript.some(isAnswered);
}

/**
 * The oracle's steps with the server's own tools. Codes of refusals and errors are this router's; there the ledger decides.
 * What a planted text orders is left out where the server has no tool for it.
 */
function ownSteps(steps: readonly SingleStep[], tools: MatchedTools): SingleStep[] {
  return steps.flatMap(({ refused, fails, ...step }) => {
    const tool = tools.toolOf(step.call);
    const attempt = refused === true || fails !== undefined;
    if (tool === undefined) return [];
    const args = tools.argumentsFor(tool, step.arguments ?? {});
    return [{ ...step, tool, arguments: args, ...(attempt ? { attempt } : {}) } as SingleStep];
  });
}
