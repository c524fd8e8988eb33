/** A server on the shipped platforms and their golden scenarios: measured as a comparison measures it, told as a try is. */
import type { Agent } from '../agents/mcp/agent.ts';
import { measureTasks } from '../compare/measure.ts';
import type { Cell, Row } from '../compare/row.ts';
import { SIZE_TITLES, type Size, scenariosAt } from '../compare/size.ts';
import { comparability, scoresOf } from '../compare/subject-score.ts';
import { HarnessError } from '../harness-errors.ts';
import { loadScenarios, type Scenario } from '../scenario/scenario.ts';
import { makeDocuments } from '../subject/shipped-documents.ts';
import { loadSubject, type Subject } from '../subject/subject.ts';
import type { Tried } from './run-try.ts';
import { type TriedServer, withSingleBraces } from './tried-server.ts';
import { type Gates, judgeGates, playedIn, TRY_VERSION, type TryResult } from './try-result.ts';

export interface OursOptions {
  root: string;
  /** A file of harness/subjects; without it the server's command is a subject that takes one document and one address. */
  subject?: string | undefined;
  server: TriedServer | undefined;
  size: Exclude<Size, 'github'>;
  suites: readonly string[];
  agents: readonly Agent[];
  seed: number;
  runs: number;
  gates: Gates;
  signal: AbortSignal;
  onStage: (said: string) => void;
}

export async function tryOurs(options: OursOptions): Promise<Tried> {
  const begun = performance.now();
  const { root, size, agents, seed, runs, signal, gates, onStage } = options;
  const subject = options.subject === undefined ? subjectOf(options.server) : await reachableSubject(options.subject);
  const scenarios = await goldenScenarios(root, size, options.suites);
  await makeDocuments(root);
  onStage(
    `playing ${scenarios.length} scenarios on ${SIZE_TITLES[size]} with ${agents.map(({ id }) => id).join(', ')}`,
  );
  const rows: Row[] = [];
  const done = new Set<string>();
  const onRow = (row: Row) => void rows.push(row);
  // A file of a subject states it; of a command nobody does.
  let asks = subject.confirmation === 'elicitation';
  const onAsked = () => {
    asks = true;
  };
  const cell = await measureTasks({
    root,
    subject,
    size,
    scenarios,
    agents,
    seed,
    runs,
    done,
    signal,
    onRow,
    onAsked: options.subject === undefined ? onAsked : undefined,
    cwd: options.server?.cwd,
  });
  const unasked = rows.filter(({ attacked, status }) => attacked === 1 || status === 'gate-absence').length;
  const base = {
    version: TRY_VERSION,
    server: { name: subject.name, transport: 'stdio', info: subject.about, instructionsTokens: 0 },
    node: process.version,
    seed,
    runs,
    agents: agents.map(({ id }) => id),
    revisions: revisionsOf(rows, cell.tools ?? 0, agents, seed),
    document: { name: size, title: SIZE_TITLES[size], operations: cell.operations?.of ?? 0 },
    scenarios: { suites: countsOf(scenarios), uncovered: 0, left: [] },
    coverage: coverageOf(cell),
    surface: {
      tools: cell.tools ?? 0,
      bytes: cell.definitionBytes ?? 0,
      tokens: cell.definitionTokens ?? 0,
      largest: null,
      findings: [],
    },
    ...NOT_MEASURED,
    oracle: comparability(rows),
    scores: scoresOf(rows, seed),
    writes: { unapproved: unasked, of: rows.length, asks },
    rows,
  } satisfies Omit<TryResult, 'gate' | 'elapsedMs'>;
  const result = {
    ...base,
    gate: judgeGates(base, gates),
    elapsedMs: Math.round(performance.now() - begun),
  };
  return { result, recordings: [], files: {} };
}

/** Throws `SUBJECT_INVALID` for one that no platform can be reached through: there is nothing to play. */
async function reachableSubject(name: string): Promise<Subject> {
  const subject = await loadSubject(name);
  if (subject.absent === undefined) return subject;
  throw new HarnessError('SUBJECT_INVALID', `--subject should reach the platforms, got ${name}: ${subject.absent}`, {
    remedy: 'name another file of harness/subjects',
  });
}

function revisionsOf(
  rows: readonly Row[],
  tools: number,
  agents: OursOptions['agents'],
  seed: number,
): TryResult['revisions'] {
  const played = playedIn({ revision: '2025-11-25', startMs: null, tools }, { rows, asks: true }, agents, seed);
  return [
    { ...played, oracle: comparability(rows) },
    { revision: '2026-07-28', absent: UNPLAYED },
  ];
}

const UNPLAYED = 'a comparison plays 2025-11-25, and the shipped platforms are played as it plays them';

const NOT_MEASURED = {
  startMs: null,
  memory: null,
  planted: null,
  reuse: null,
  malformed: null,
  conformance: null,
  deaths: 0,
  cutShort: null,
  notApplicable: [
    { measure: 'revision 2026-07-28', reason: UNPLAYED },
    {
      measure: 'start, memory, tool findings, malformed messages, re-used approvals',
      reason: 'they are measured with --openapi or with no document',
    },
  ],
};

function coverageOf({ operations }: Partial<Cell>): TryResult['coverage'] {
  if (operations === undefined) return null;
  const { of, absent } = operations;
  return { operations: of, matched: of - absent.length, absent };
}

async function goldenScenarios(
  root: string,
  size: OursOptions['size'],
  suites: readonly string[],
): Promise<Scenario[]> {
  const all = await loadScenarios(root).catch((cause: Error) => {
    if ((cause.cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT') throw cause;
    throw new HarnessError(
      'USAGE',
      '--platforms ours should run in a checkout, which has the scenarios, got an installed package',
    );
  });
  const chosen = scenariosAt(size, all).filter(({ suite }) => suites.length === 0 || suites.includes(suite));
  if (chosen.length > 0) return chosen;
  throw new HarnessError('NOTHING_SELECTED', `--suite should leave a scenario of ${all.length}, got none`);
}

function subjectOf(server: TriedServer | undefined): Subject {
  if (server?.command === undefined || server.url !== undefined)
    throw new HarnessError(
      'USAGE',
      '--platforms ours should have --command of a server over stdio, or --subject, got neither',
    );
  return {
    name: server.name,
    about: 'a server that is tried',
    source: { working_tree: '.' },
    world: 'merged',
    command: server.command.map(withSingleBraces),
    transports: ['stdio'],
    env: server.env,
    transport_env: {},
    gate_env: { closed: {}, open: {} },
    confirmation: 'none',
    surface: {},
  };
}

const countsOf = (scenarios: readonly Scenario[]): Record<string, number> =>
  Object.fromEntries([...Map.groupBy(scenarios, ({ suite }) => suite)].map(([suite, own]) => [suite, own.length]));
