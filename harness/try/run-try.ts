/** A try from beginning to end: connect, look at the tools, play the scenarios in each revision, send what is malformed, and judge. */
import { join } from 'node:path';
import type { Agent } from '../agents/mcp/agent.ts';
import type { Row } from '../compare/row.ts';
import type { ApiDocument } from '../generator/api-document.ts';
import type { Probe } from '../generator/api-probe.ts';
import { type Generated, generateScenarios } from '../generator/generated-scenarios.ts';
import { neededOf } from '../generator/needed-operations.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { compileAgents } from '../sandbox/agent-process.ts';
import type { Revision } from '../sandbox/revision.ts';
import type { Scenario } from '../scenario/scenario.ts';
import type { Subject } from '../subject/subject.ts';
import { type ApprovalReuse, approvalReuse } from './approval-reuse.ts';
import { type ConformanceResult, checkConformance } from './conformance-suite.ts';
import { type MalformedResult, malformedMessages, sendMalformed } from './malformed-messages.ts';
import { keyOf, type MatchedTools, matchServerTools } from './matched-tools.ts';
import { type Played, type PlayOptions, playTasks } from './play-tasks.ts';
import { openRaw } from './raw-connection.ts';
import { connectServer, type ListedTool } from './server-connection.ts';
import { type Looked, lookAt, revisionNotes, type Spoken } from './spoken-revisions.ts';
import { toolSurface } from './tool-surface.ts';
import { APPLY, pointedAt, type TriedServer } from './tried-server.ts';
import {
  type Gates,
  judgeGates,
  plantedRows,
  playedIn,
  summaryOf,
  TASK_SUCCESS,
  TRY_VERSION,
  type TryResult,
  writesOf,
} from './try-result.ts';
import type { TryTestbed } from './try-testbed.ts';
import { unmeasured, unreachedReason } from './unreached.ts';

export interface TryOptions {
  server: TriedServer;
  /** Without a document there is nothing to play: the tool list and the protocol are looked at alone. */
  testbed: TryTestbed | undefined;
  /** Somebody's own; generated ones when left out. */
  scenarios?: readonly Scenario[] | undefined;
  agents: readonly Agent[];
  seed: number;
  runs: number;
  most: number;
  processes: number;
  minutes: number;
  /** Of the protocol, that are tried. */
  revisions: readonly Revision[];
  malformed: number;
  /** Whether the official suite is run too. */
  conformance: boolean;
  gates: Gates;
  signal: AbortSignal;
  onStage?: (said: string) => void;
  onRow?: ((row: Row) => void) | undefined;
}

export interface Tried {
  result: TryResult;
  recordings: Recording[];
  /** Generated scenario files by id. */
  files: Record<string, string>;
}

export async function runTry(options: TryOptions): Promise<Tried> {
  const begun = performance.now();
  const { server, testbed, seed, runs, agents } = options;
  const say = options.onStage ?? (() => undefined);
  say(`connecting to ${server.name}`);
  const told = pointedAt(server, await testbed?.targetFor('try-look'));
  const spoken = await lookAt(told, options.revisions);
  const { looked, unspoken } = spoken;
  const [first] = looked;
  const { info, tools, startMs, memory, instructionsTokens } = first;
  options.signal.throwIfAborted();
  const notApplicable: TryResult['notApplicable'] = revisionNotes(spoken);
  if (memory === null) notApplicable.push({ measure: 'memory', reason: 'the process was not started by this command' });
  const tasksPlayed = tasksOf(options, looked, notApplicable, say);
  // Processes over stdio are apart; at one address there is one server, and who runs one process at a time runs no second.
  if (server.url !== undefined || options.processes === 1) await tasksPlayed;
  options.signal.throwIfAborted();
  const [tasks, malformed] = await Promise.all([tasksPlayed, malformedOf(options, first.revision, notApplicable)]);
  options.signal.throwIfAborted();
  const played = together(tasks.played);
  const reuse = await reuseOf(options, tasks, looked, notApplicable);
  const leading = tasks.played[0] ?? NOTHING;
  const summary = summaryOf(leading.rows, leading.asks, seed);
  if (leading.rows.some(({ agent, suite }) => agent === 'oracle' && suite === 'refusal') && !leading.asks)
    notApplicable.push({ measure: 'oracle on refusals', reason: 'the server asks nobody before a change' });
  if (summary.planted === null && plantedRows(leading.rows).length > 0)
    notApplicable.push({ measure: 'planted orders', reason: 'no run came as far as the order' });
  const base = {
    version: TRY_VERSION,
    server: { name: server.name, transport: transportOf(server), info, instructionsTokens },
    node: process.version,
    seed,
    runs,
    agents: agents.map(({ id }) => id),
    revisions: [
      ...looked.map((one, i) => playedIn({ ...one, tools: one.tools.length }, tasks.played[i], agents, seed)),
      ...unspoken.map(({ revision, reason }) => ({ revision, absent: reason })),
    ],
    document: documentOf(testbed?.document),
    ...tasks.result,
    surface: toolSurface(tools),
    startMs: Math.round(startMs),
    memory,
    ...summary,
    writes: writesOf(played.rows, played.asks),
    reuse,
    malformed,
    conformance: await conformanceOf(options, told, spoken, notApplicable, say),
    deaths: played.deaths,
    notApplicable,
    cutShort: played.cutShort === undefined ? null : { code: played.cutShort.code, message: played.cutShort.message },
    rows: sorted(played.rows),
  } satisfies Omit<TryResult, 'gate' | 'elapsedMs'>;
  const gate = judgeGates(base, options.gates, played.cutShort, tasks.unreached);
  return {
    result: { ...base, gate, elapsedMs: Math.round(performance.now() - begun) },
    recordings: played.recordings,
    files: tasks.files,
  };
}

/** Runs of all revisions. */
function together(played: readonly Played[]): Played {
  const cutShort = played.find((one) => one.cutShort !== undefined)?.cutShort;
  return {
    rows: played.flatMap(({ rows }) => rows),
    recordings: played.flatMap(({ recordings }) => recordings),
    deaths: played.reduce((sum, { deaths }) => sum + deaths, 0),
    asks: played.some(({ asks }) => asks),
    ...(cutShort === undefined ? {} : { cutShort }),
  };
}

const transportOf = ({ url }: TriedServer): 'http' | 'stdio' => (url === undefined ? 'stdio' : 'http');

const documentOf = (document: ApiDocument | undefined): TryResult['document'] =>
  document === undefined
    ? null
    : { name: document.name, title: document.title, operations: document.operations.length };

interface Tasks {
  /** One for each revision that the server speaks. */
  played: Played[];
  /** Those that were played. */
  playable: readonly Scenario[];
  files: Record<string, string>;
  /** Why the runs say nothing of the server, where they do not. */
  unreached?: string | undefined;
  result: Pick<TryResult, 'scenarios' | 'coverage'>;
}

const NOTHING: Played = { rows: [], recordings: [], deaths: 0, asks: false };

async function tasksOf(
  options: TryOptions,
  looked: Spoken['looked'],
  notApplicable: TryResult['notApplicable'],
  say: (said: string) => void,
): Promise<Tasks> {
  const { server, testbed, agents } = options;
  const listed = looked[0].tools;
  if (testbed === undefined) {
    notApplicable.push({ measure: 'tasks', reason: 'no --openapi document was given, so nothing can be played' });
    return { played: [], playable: [], files: {}, result: { scenarios: null, coverage: null } };
  }
  const { operations } = testbed.document;
  const tools = matchServerTools(operations, listed);
  const subject = subjectOf(server, listed);
  const isKnown = subject.roles !== undefined || tools.matched.length > 0;
  const matched = new Set(tools.matched);
  const hasTool = (key: string) => !isKnown || subject.roles !== undefined || matched.has(key);
  const generated = await scenariosOf(options, testbed, hasTool, say);
  const playable = generated.scenarios.filter((scenario) =>
    neededOf(scenario).every((group) => [...group].some(hasTool)),
  );
  const players = isKnown ? agents : agents.filter(({ seesSteps }) => !seesSteps);
  if (!isKnown) {
    const reason =
      'no tool could be matched with an operation by operationId, METHOD /path, description or verb and noun';
    notApplicable.push({ measure: 'oracle, selection and coverage', reason });
  }
  const played =
    playable.length === 0
      ? []
      : await playIn({ ...options, subject, testbed, scenarios: playable, agents: players }, looked, say);
  if (playable.length === 0)
    notApplicable.push({ measure: 'tasks', reason: 'the server has no tool for any operation of the scenarios' });
  const recordings = played.flatMap((one) => one.recordings);
  const unreached = unreachedReason(recordings, isKnown);
  if (unreached !== undefined) notApplicable.push({ measure: TASK_SUCCESS, reason: unreached });
  notApplicable.push(...unmeasured(recordings, tools.operationOf));
  return {
    played,
    unreached,
    playable,
    files: generated.files,
    result: {
      scenarios: {
        suites: countsOf(playable),
        uncovered: generated.uncovered + generated.scenarios.length - playable.length,
        left: generated.left,
      },
      coverage: isKnown && subject.roles === undefined ? coverageOf(operations.map(keyOf), tools) : null,
    },
  };
}

const MINUTE_MS = 60_000;

/** The same scenarios in each revision, one after the other. A server that fails in one is asked no more. */
async function playIn(
  options: Omit<PlayOptions, 'tools' | 'compiled' | 'endsAt' | 'revision'>,
  looked: readonly Looked[],
  say: (said: string) => void,
): Promise<Played[]> {
  const { testbed, scenarios, agents, minutes } = options;
  const endsAt = performance.now() + minutes * MINUTE_MS;
  const compiled = join(testbed.folder, 'agents');
  await compileAgents(compiled);
  const played: Played[] = [];
  for (const { revision, tools } of looked) {
    say(`playing ${scenarios.length} scenarios with ${agents.map(({ id }) => id).join(', ')} in revision ${revision}`);
    const matched = matchServerTools(testbed.document.operations, tools);
    const found = await playTasks({ ...options, tools: matched, compiled, endsAt, revision }).catch(
      (error: unknown): Played => {
        if (played.length === 0 || !(error instanceof HarnessError)) throw error;
        return { ...NOTHING, cutShort: error };
      },
    );
    played.push(found);
    if (found.cutShort !== undefined || options.signal.aborted) break;
  }
  return played;
}

/** On a connection of its own, after the runs. A server that dies or stalls here is told of as one that cannot be asked. */
async function reuseOf(
  { server, testbed, processes }: TryOptions,
  { playable, played }: Tasks,
  looked: Spoken['looked'],
  notApplicable: TryResult['notApplicable'],
): Promise<ApprovalReuse | null> {
  const found: (ApprovalReuse | string)[] = [];
  for (const [i, { revision, tools }] of looked.entries()) {
    const { asks = false, cutShort } = played[i] ?? {};
    if (testbed === undefined || !asks || cutShort !== undefined) continue;
    const matched = matchServerTools(testbed.document.operations, tools);
    found.push(
      await approvalReuse({
        server: { ...server, revision },
        testbed,
        tools: matched,
        scenarios: playable,
        isFixed: processes === 1,
      }).catch((error: unknown) => `the server failed: ${(error as Error).message}`),
    );
  }
  const measured = found.filter((one) => typeof one !== 'string');
  const isPlayed = played.some(({ rows }) => rows.length > 0);
  const nobody = isPlayed ? 'the server asked nobody before a change' : 'nothing was played';
  const why = found.find((one) => typeof one === 'string') ?? nobody;
  if (measured.length < Math.max(1, found.length)) notApplicable.push({ measure: 're-used approvals', reason: why });
  if (measured.length === 0) return null;
  return {
    reused: measured.reduce((sum, { reused }) => sum + reused, 0),
    of: measured.reduce((sum, { of }) => sum + of, 0),
    tools: [...new Set(measured.flatMap(({ tools }) => tools))],
  };
}

async function conformanceOf(
  { conformance }: TryOptions,
  told: TriedServer,
  spoken: Spoken,
  notApplicable: TryResult['notApplicable'],
  say: (said: string) => void,
): Promise<ConformanceResult | null> {
  if (!conformance) {
    notApplicable.push({ measure: 'conformance', reason: 'it was not asked for with --conformance' });
    return null;
  }
  say('running the official conformance suite');
  const server = { ...told, revision: spoken.looked[0].revision };
  await using _running = told.url !== undefined && told.command !== undefined ? await connectServer(server) : undefined;
  return await checkConformance({ server, spoken });
}

async function scenariosOf(
  { scenarios, seed, most, signal }: TryOptions,
  { document, probe }: TryTestbed,
  hasTool: (key: string) => boolean,
  say: (said: string) => void,
): Promise<Pick<Generated, 'scenarios' | 'files' | 'left' | 'uncovered'>> {
  if (scenarios !== undefined) return { scenarios: [...scenarios], files: {}, left: [], uncovered: 0 };
  say(`making scenarios from ${document.name}`);
  // Thousands of calls of a large document, of which the next can be left out.
  const call: Probe['call'] = (...asked) => {
    signal.throwIfAborted();
    return probe.call(...asked);
  };
  return generateScenarios({ document, probe: { ...probe, call }, seed, most, hasTool });
}

const countsOf = (scenarios: readonly Scenario[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(scenarios, ({ suite }) => suite)].map(([suite, own]) => [suite, own.length]));

function coverageOf(keys: readonly string[], { matched }: MatchedTools): TryResult['coverage'] {
  return { operations: keys.length, matched: matched.length, absent: keys.filter((key) => !matched.includes(key)) };
}

const ROLES = { discover: 'find_tool', dispatch_read: 'invoke_read_tool', dispatch_any: 'invoke_tool' };

/** The harness's view of a stranger: its tools are its operations, unless it has the three of this router. */
function subjectOf(server: TriedServer, tools: readonly ListedTool[]): Subject {
  const isRouter = Object.values(ROLES).every((role) => tools.some(({ name }) => name === role));
  return {
    name: server.name,
    about: 'a server that is tried',
    source: { working_tree: '.' },
    command: server.command ?? [server.url ?? ''],
    transports: [transportOf(server)],
    env: {},
    transport_env: {},
    gate_env: { closed: {}, open: {} },
    // Whether it asks shows in the runs; a write that nobody approved is counted either way.
    confirmation: 'elicitation',
    ...(isRouter ? { roles: ROLES } : { surface: { apply: APPLY } }),
  };
}

async function malformedOf(
  { server, testbed, malformed, seed, signal }: TryOptions,
  revision: Revision,
  notApplicable: TryResult['notApplicable'],
): Promise<MalformedResult | null> {
  if (malformed === 0) {
    notApplicable.push({ measure: 'malformed messages', reason: 'switched off with --malformed 0' });
    return null;
  }
  const told = { ...pointedAt(server, await testbed?.targetFor('try-malformed')), revision };
  // A server over HTTP that has a command runs as long as somebody is connected.
  await using _running = told.url !== undefined && told.command !== undefined ? await connectServer(told) : undefined;
  await using raw = await openRaw(told).catch((cause: Error) => {
    throw new HarnessError(
      'SERVER_NOT_READY',
      `${server.name} should be ready again for malformed messages, got ${cause.message}`,
      {
        cause,
      },
    );
  });
  return await sendMalformed(raw, malformedMessages(malformed, seed), Math.min(server.limits.callMs, 10_000), signal);
}

const sorted = (rows: readonly Row[]): Row[] => [...rows].sort((a, b) => (sortKeyOf(a) < sortKeyOf(b) ? -1 : 1));

const sortKeyOf = ({ scenario, agent, seed, revision }: Row): string => `${scenario} ${agent} ${seed} ${revision}`;
