/** The scenarios of one size through one subject: one process per gate configuration, the fake reset between runs. */
import { join } from 'node:path';
import type { Agent } from '../agents/mcp/agent.ts';
import type { PlannedRun } from '../execution/matrix.ts';
import { recordRun, StartingState } from '../execution/run-once.ts';
import { loadGrader } from '../grading/grader.ts';
import type { ModelAccess } from '../llm/model-access.ts';
import type { Gates, Recording } from '../recording/recording.ts';
import { tokensOf } from '../recording/token-count.ts';
import { useOf } from '../recording/transcript.ts';
import { compileAgents } from '../sandbox/agent-process.ts';
import { mergeDocuments } from '../sandbox/merged/merged-document.ts';
import { readPlatformDocuments } from '../sandbox/merged/served-documents.ts';
import { type Lane, openSandbox, type Sandbox } from '../sandbox/sandbox.ts';
import { citedTools, gatesOf, type Scenario } from '../scenario/scenario.ts';
import { singleSteps } from '../scenario/scenario-steps.ts';
import type { Subject } from '../subject/subject.ts';
import { chosenOperations, isRightChoice, neededOperations } from './choice.ts';
import { rowKey } from './compare-journal.ts';
import {
  matchTools,
  type NamedTool,
  namedTools,
  type Operation,
  operationsOf,
  routedSteps,
  type Tools,
} from './compare-operations.ts';
import type { Cell, Row } from './row.ts';
import { platformsOf, type Size } from './size.ts';

/** A large document takes a slow server minutes. */
export const PATIENCE_MS = 240_000;
const LIMITS = { maxCalls: 40, timeoutMs: 120_000 };

export interface MeasureOptions {
  root: string;
  subject: Subject;
  size: Exclude<Size, 'github'>;
  scenarios: readonly Scenario[];
  agents: readonly Agent[];
  /** Of the first run of each scenario; the next has the next. */
  seed: number;
  runs: number;
  /** For agents that ask a language model. */
  model?: ModelAccess | undefined;
  /** `rowKey` of runs that are there already. */
  done: ReadonlySet<string>;
  signal: AbortSignal;
  /** Folder that the subject's command runs in, where it is not the root. */
  cwd?: string | undefined;
  onRow: (row: Row) => void;
  /** Of a subject of which nobody stated whether it asks: it may ask in its own words, and each run in which it did is told of. */
  onAsked?: (() => void) | undefined;
}

interface OpenedLane {
  lane: Lane;
  tools: Tools;
  definitionTokens: number;
  list: NamedTool[];
}

/** The list of the subject, read after all its runs. */
export async function measureTasks(options: MeasureOptions): Promise<Partial<Cell>> {
  const { root, subject, size, scenarios, agents, cwd } = options;
  const operations = await mergedOperations(root, size);
  await using sandbox = await openSandbox({
    root,
    subject,
    platforms: platformsOf(size),
    patienceMs: PATIENCE_MS,
    ...(cwd === undefined ? {} : { subjectRoot: cwd }),
  });
  const compiled = join(sandbox.folder, 'agents');
  await compileAgents(compiled);
  const lanes = new Map<string, OpenedLane>();
  const laneFor = async (gates: Gates): Promise<OpenedLane> => {
    // A subject without gates is one process for all.
    const name = JSON.stringify(subject.gate_env.closed) === JSON.stringify(subject.gate_env.open) ? 'any' : gates;
    const known = lanes.get(name) ?? (await openLane(sandbox, subject, name, gates, operations));
    lanes.set(name, known);
    return { ...known, lane: { ...known.lane, gates, ownWords: options.onAsked !== undefined } };
  };
  const judge = await openJudge(operations, options);
  const startingState = new StartingState(sandbox.control);
  const keys = new Set(operations.map(({ key }) => key));
  for (const scenario of scenarios) {
    const opened = await laneFor(gatesOf(scenario));
    for (const planned of runsOf(scenario, agentsFor(scenario, agents, subject), options)) {
      if (options.signal.aborted) return {};
      const recording = await recordRun(
        { ...planned, gates: opened.lane.gates },
        {
          control: sandbox.control,
          lane: opened.lane,
          subject,
          settings: {},
          startingState,
          compiled,
          limits: LIMITS,
          signal: options.signal,
          model: options.model,
          withoutList: true,
          ...(subject.surface === undefined
            ? {}
            : { route: (steps, place) => routedSteps(steps, place, keys, opened.tools) }),
        },
      );
      if (options.signal.aborted) return {};
      options.onRow(judge(recording, scenario, opened));
    }
  }
  const { list, definitionTokens, tools } = await laneFor('open');
  return {
    tools: list.length,
    definitionTokens,
    definitionBytes: JSON.stringify(list).length,
    ...operationsIn(subject, operations, tools),
  };
}

/** Agent by agent, one with each seed, without those that are there. */
function runsOf(
  scenario: Scenario,
  agents: readonly Agent[],
  { seed, runs, done }: Pick<MeasureOptions, 'seed' | 'runs' | 'done'>,
): Omit<PlannedRun, 'gates'>[] {
  return agents
    .flatMap((agent) =>
      Array.from({ length: runs }, (_, run) => ({
        scenario,
        agent,
        transport: 'stdio' as const,
        run,
        seed: seed + run,
      })),
    )
    .filter((one) => !done.has(rowKey({ scenario: scenario.id, agent: one.agent.id, seed: one.seed })));
}

/** Known only from a subject's list: a search or a dispatcher hides the operations. */
export function operationsIn(
  { surface, roles }: Pick<Subject, 'surface' | 'roles'>,
  operations: readonly Operation[],
  { toolOf }: Pick<Tools, 'toolOf'>,
): Pick<Cell, 'operations'> {
  if (roles !== undefined || surface?.search !== undefined) return {};
  const absent = operations.flatMap(({ key }) => (toolOf(key) === undefined ? [key] : []));
  return { operations: { of: operations.length, absent } };
}

/**
 * Planted orders stand in adversarial scenarios only. A step that the person must refuse proves nothing about a subject that asks
 * no person: there the gap is shown by the other agents, and the oracle's count is about what can be done.
 */
export function agentsFor(
  { suite, steps = [] }: Pick<Scenario, 'suite' | 'steps'>,
  agents: readonly Agent[],
  { confirmation }: Pick<Subject, 'confirmation'>,
): Agent[] {
  const beyondIt = confirmation !== 'elicitation' && singleSteps(steps).some((step) => step.refused === true);
  return agents.filter(({ id }) => (id === 'gullible' ? suite === 'adversarial' : id !== 'oracle' || !beyondIt));
}

export async function mergedOperations(root: string, size: Exclude<Size, 'github'>): Promise<Operation[]> {
  return operationsOf(mergeDocuments(await readPlatformDocuments(root, platformsOf(size)), ''));
}

async function openLane(
  sandbox: Sandbox,
  subject: Subject,
  name: string,
  gates: Gates,
  operations: readonly Operation[],
): Promise<OpenedLane> {
  const lane = await sandbox.openLane(name, 'stdio', gates);
  const list = (await (await lane.connect()).listTools()) as NamedTool[];
  const tools = matchTools(operations, namedTools(subject, list, operations), subject.surface?.prefix);
  return { lane: listedOnce(lane, list), tools, definitionTokens: tokensOf(list), list };
}

/**
 * The lane, not asked for its list again: it is long, and the same in each process. The connection is that of the process that
 * runs now: after a run that left the server at work it is another one.
 */
export const listedOnce = <Own extends Pick<Lane, 'connect'>>(lane: Own, list: unknown[]): Own => ({
  ...lane,
  connect: async (elicits?: boolean) => ({ ...(await lane.connect(elicits)), listTools: async () => list }),
});

function modelIn({ model }: Recording): Pick<Row, 'model'> {
  if (model === undefined) return {};
  const { models, fingerprints, ...counts } = useOf(model);
  return { model: { answeredAs: models, fingerprints, seedHonoured: model.seed_honoured, ...counts } };
}

/** A run in which the person was asked is one of a subject that asks. */
function asItAsked(recording: Recording, onAsked: () => void): Recording {
  if (!recording.transcript.some(({ kind }) => kind === 'elicitation')) return recording;
  onAsked();
  return { ...recording, subject: { ...recording.subject, confirmation: 'elicitation' } };
}

type Judge = (recording: Recording, scenario: Scenario, opened: OpenedLane) => Row;

async function openJudge(
  operations: readonly Operation[],
  { subject, size, onAsked }: Pick<MeasureOptions, 'subject' | 'size' | 'onAsked'>,
): Promise<Judge> {
  const { grade } = await loadGrader();
  return (recording, scenario, { tools, definitionTokens }) => {
    const found = grade(onAsked === undefined ? recording : asItAsked(recording, onAsked));
    const needed = neededOperations(
      (scenario.expected_tools['router'] ?? []).map((tool) => citedTools([tool]).map(({ name }) => name)),
      operations,
    );
    const known =
      needed === undefined || (needed.length === 0 && recording.task.api_calls.length > 0) ? undefined : needed;
    const number = (name: string) => Number(found.metrics[name] ?? 0);
    return {
      subject: subject.name,
      size,
      scenario: scenario.id,
      suite: scenario.suite,
      agent: recording.agent,
      seed: recording.seed,
      fixture: recording.fixture,
      status: found.crashed ? 'crashed' : found.status,
      success: number('task_success'),
      selection: known === undefined ? null : Number(isRightChoice(chosenOperations(recording, subject, tools), known)),
      unsafe: number('safety_failure'),
      attacked: Number(
        ['unapproved-write', 'gate-absence', 'must-not-call'].some((id) => found.checks[id]?.status === 'fail'),
      ),
      tokens: number('token_usage') + definitionTokens,
      calls: number('api_call_count'),
      reason: (found.reasons[0] ?? '').slice(0, 300),
      latencyMs: recording.timings.latencyMs,
      ...modelIn(recording),
    };
  };
}
