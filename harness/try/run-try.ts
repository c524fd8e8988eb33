/** A try from beginning to end: connect, look at the tools, play the scenarios, send what is malformed, and judge. */
import type { Agent } from '../agents/mcp/agent.ts';
import type { Row } from '../compare/row.ts';
import type { ApiDocument } from '../generator/api-document.ts';
import { type Generated, generateScenarios } from '../generator/generated-scenarios.ts';
import { neededOf } from '../generator/needed-operations.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Recording } from '../recording/recording.ts';
import { tokensOf } from '../recording/token-count.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { type Memory, memoryOf } from '../subject/process-tree.ts';
import type { Subject } from '../subject/subject.ts';
import { type ApprovalReuse, approvalReuse } from './approval-reuse.ts';
import { type MalformedResult, malformedMessages, sendMalformed } from './malformed-messages.ts';
import { keyOf, type MatchedTools, matchServerTools } from './matched-tools.ts';
import { type Played, playTasks } from './play-tasks.ts';
import { openRaw } from './raw-connection.ts';
import { connectServer, type ListedTool } from './server-connection.ts';
import { toolSurface } from './tool-surface.ts';
import { pointedAt, type TriedServer } from './tried-server.ts';
import { type Gates, gateFindings, summaryOf, TRY_VERSION, type TryResult } from './try-result.ts';
import type { TryTestbed } from './try-testbed.ts';

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
  malformed: number;
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
  const looked = await lookAt(server, testbed);
  const { info, tools, startMs, memory, instructionsTokens } = looked;
  const notApplicable: TryResult['notApplicable'] = [];
  if (memory === null) notApplicable.push({ measure: 'memory', reason: 'the process was not started by this command' });
  const [tasks, malformed] = await Promise.all([
    tasksOf(options, tools, notApplicable, say),
    malformedOf(options, notApplicable),
  ]);
  const { played } = tasks;
  const reuse = await reuseOf(options, tasks, tools, notApplicable);
  const summary = summaryOf(played.rows, played.asks, seed);
  if (played.rows.some(({ agent, suite }) => agent === 'oracle' && suite === 'refusal') && !played.asks)
    notApplicable.push({ measure: 'oracle on refusals', reason: 'the server asks nobody before a change' });
  const base = {
    version: TRY_VERSION,
    server: { name: server.name, transport: transportOf(server), info, instructionsTokens },
    node: process.version,
    seed,
    runs,
    agents: agents.map(({ id }) => id),
    document: documentOf(testbed?.document),
    ...tasks.result,
    surface: toolSurface(tools),
    startMs: Math.round(startMs),
    memory,
    ...summary,
    reuse,
    malformed,
    conformance: null,
    deaths: played.deaths,
    notApplicable,
    cutShort: played.cutShort === undefined ? null : { code: played.cutShort.code, message: played.cutShort.message },
    rows: sorted(played.rows),
  } satisfies Omit<TryResult, 'gate' | 'elapsedMs'>;
  const findings = gateFindings(base, options.gates, played.cutShort);
  const gate = { passed: findings.length === 0, findings };
  return {
    result: { ...base, gate, elapsedMs: Math.round(performance.now() - begun) },
    recordings: played.recordings,
    files: tasks.files,
  };
}

const transportOf = ({ url }: TriedServer): 'http' | 'stdio' => (url === undefined ? 'stdio' : 'http');

const documentOf = (document: ApiDocument | undefined): TryResult['document'] =>
  document === undefined
    ? null
    : { name: document.name, title: document.title, operations: document.operations.length };

interface Looked {
  info: unknown;
  tools: ListedTool[];
  startMs: number;
  memory: Memory | null;
  instructionsTokens: number;
}

/** A process of its own, just started. */
async function lookAt(server: TriedServer, testbed: TryTestbed | undefined): Promise<Looked> {
  const told = pointedAt(server, await testbed?.targetFor('try-look'));
  await using connection = await connectServer(told);
  const { upstream, tools, startMs, pid } = connection;
  return {
    info: upstream.serverInfo,
    tools,
    startMs,
    memory: pid === undefined ? null : await memoryOf(pid),
    instructionsTokens: tokensOf(upstream.instructions ?? ''),
  };
}

interface Tasks {
  played: Played;
  /** Those that were played. */
  playable: readonly Scenario[];
  files: Record<string, string>;
  result: Pick<TryResult, 'scenarios' | 'coverage'>;
}

const NOTHING: Played = { rows: [], recordings: [], deaths: 0, asks: false };

async function tasksOf(
  options: TryOptions,
  listed: readonly ListedTool[],
  notApplicable: TryResult['notApplicable'],
  say: (said: string) => void,
): Promise<Tasks> {
  const { server, testbed, agents } = options;
  if (testbed === undefined) {
    notApplicable.push({ measure: 'tasks', reason: 'no --openapi document was given, so nothing can be played' });
    return { played: NOTHING, playable: [], files: {}, result: { scenarios: null, coverage: null } };
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
  say(`playing ${playable.length} scenarios with ${players.map(({ id }) => id).join(', ')}`);
  const played =
    playable.length === 0
      ? NOTHING
      : await playTasks({ ...options, subject, testbed, tools, scenarios: playable, agents: players });
  if (playable.length === 0)
    notApplicable.push({ measure: 'tasks', reason: 'the server has no tool for any operation of the scenarios' });
  noteUnreached(played, notApplicable);
  return {
    played,
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

/** On a connection of its own, after the runs. A server that dies or stalls here is told of as one that cannot be asked. */
async function reuseOf(
  { server, testbed }: TryOptions,
  { playable, played }: Tasks,
  listed: readonly ListedTool[],
  notApplicable: TryResult['notApplicable'],
): Promise<ApprovalReuse | null> {
  const found =
    testbed === undefined || !played.asks || played.cutShort !== undefined
      ? 'the server asked nobody before a change'
      : await approvalReuse({
          server,
          testbed,
          tools: matchServerTools(testbed.document.operations, listed),
          scenarios: playable,
        }).catch((error: unknown) => `the server failed: ${(error as Error).message}`);
  if (typeof found !== 'string') return found;
  notApplicable.push({ measure: 're-used approvals', reason: found });
  return null;
}

async function scenariosOf(
  { scenarios, seed, most }: TryOptions,
  { document, probe }: TryTestbed,
  hasTool: (key: string) => boolean,
  say: (said: string) => void,
): Promise<Pick<Generated, 'scenarios' | 'files' | 'left' | 'uncovered'>> {
  if (scenarios !== undefined) return { scenarios: [...scenarios], files: {}, left: [], uncovered: 0 };
  say(`making scenarios from ${document.name}`);
  return generateScenarios({ document, probe, seed, most, hasTool });
}

/** No call at all arrived: the server talks to another address than the one it was given. */
function noteUnreached({ rows }: Played, notApplicable: TryResult['notApplicable']): void {
  if (rows.length === 0 || rows.some(({ calls }) => calls > 0)) return;
  notApplicable.push({
    measure: 'task success',
    reason: 'no call of the server reached the fake API: give it the address by {{api}} or SVC_API_URL',
  });
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
    ...(isRouter ? { roles: ROLES } : { surface: {} }),
  };
}

async function malformedOf(
  { server, testbed, malformed, seed }: TryOptions,
  notApplicable: TryResult['notApplicable'],
): Promise<MalformedResult | null> {
  if (malformed === 0) {
    notApplicable.push({ measure: 'malformed messages', reason: 'switched off with --malformed 0' });
    return null;
  }
  const told = pointedAt(server, await testbed?.targetFor('try-malformed'));
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
  return await sendMalformed(raw, malformedMessages(malformed, seed), Math.min(server.limits.callMs, 10_000));
}

const sorted = (rows: readonly Row[]): Row[] =>
  [...rows].sort((a, b) => (`${a.scenario} ${a.agent} ${a.seed}` < `${b.scenario} ${b.agent} ${b.seed}` ? -1 : 1));
