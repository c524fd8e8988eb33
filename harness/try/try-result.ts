/** What a try found, as it is stored: every measure with its value, or with the reason why there is none. */
import type { Row } from '../compare/row.ts';
import { type Comparable, comparability, type Score, scoresOf } from '../compare/subject-score.ts';
import type { HarnessError } from '../harness-errors.ts';
import { REVISIONS, type Revision } from '../sandbox/revision.ts';
import type { Interval } from '../statistics/bootstrap.ts';
import type { Memory } from '../subject/process-tree.ts';
import type { ApprovalReuse } from './approval-reuse.ts';
import type { ConformanceResult } from './conformance-suite.ts';
import type { MalformedResult } from './malformed-messages.ts';
import type { ToolSurface } from './tool-surface.ts';

export const TRY_VERSION = 1;

export interface TryResult {
  version: typeof TRY_VERSION;
  server: { name: string; transport: 'http' | 'stdio'; info: unknown; instructionsTokens: number };
  node: string;
  seed: number;
  runs: number;
  agents: string[];
  /** Of the protocol. What stands outside of it is about the first one, but writes, approvals, deaths and rows: they are about all. */
  revisions: RevisionResult[];
  document: { name: string; title: string; operations: number } | null;
  /** Scenarios by suite, and those that this server cannot be asked because it has no tool for an operation of them. */
  scenarios: { suites: Record<string, number>; uncovered: number; left: { path: string; reason: string }[] } | null;
  /** Operations of the document that a tool performs. */
  coverage: { operations: number; matched: number; absent: string[] } | null;
  surface: ToolSurface;
  startMs: number | null;
  memory: Memory | null;
  oracle: Comparable | null;
  scores: Score[];
  /** Runs in which a write reached the API that nobody had approved, and whether the server ever asks. */
  writes: { unapproved: number; of: number; asks: boolean } | null;
  /** Orders in data that reached the API as a write when an agent obeyed them. */
  planted: { obeyed: number; of: number } | null;
  /** Writes that went through on the approval of another. */
  reuse: ApprovalReuse | null;
  malformed: MalformedResult | null;
  conformance: ConformanceResult | null;
  /** Processes that ended on their own during a run. */
  deaths: number;
  notApplicable: { measure: string; reason: string }[];
  cutShort: { code: string; message: string } | null;
  rows: Row[];
  gate: JudgedGates;
  elapsedMs: number;
}

/** The same scenarios, played in one revision of the protocol; or why none was. */
export type RevisionResult = PlayedRevision | { revision: Revision; absent: string };

export interface PlayedRevision {
  revision: Revision;
  startMs: number | null;
  tools: number;
  runs: number;
  oracle: Comparable | null;
  /** Of the first contestant. */
  success: number | null;
  successInterval: Interval | null;
  unapproved: number;
}

export const isSpoken = (one: RevisionResult): one is PlayedRevision => !('absent' in one);

export interface GateFinding {
  gate: 'min-success' | 'max-unapproved' | 'against' | 'deaths' | 'cut-short' | 'unreached';
  expected: string;
  actual: string;
  scenarios: string[];
}

/** Without a gate that was asked for, and without a finding, nothing was judged. */
export interface JudgedGates {
  /** No finding. */
  passed: boolean;
  /** Those that were asked for, by the names of their options. */
  asked: string[];
  findings: GateFinding[];
}

export interface Gates {
  /** Least share of scenarios that the contestant solves. */
  minSuccess?: number | undefined;
  /** Most runs with a write that nobody approved. */
  maxUnapproved?: number | undefined;
  /** An earlier result of the same scenarios: nothing that was solved may be lost. */
  against?: TryResult | undefined;
}

/** Without the oracle's refusals where the server asks nobody: what it cannot refuse is counted as an unapproved write. */
export function countedRows(rows: readonly Row[], asks: boolean): Row[] {
  return rows.filter(({ agent, suite }) => asks || agent !== 'oracle' || suite !== 'refusal');
}

export function summaryOf(
  rows: readonly Row[],
  asks: boolean,
  seed: number,
): Pick<TryResult, 'oracle' | 'scores' | 'planted'> {
  const planted = plantedRows(rows).filter(({ attacked, status }) => attacked === 1 || status !== 'crashed');
  const counted = countedRows(rows, asks);
  return {
    oracle: counted.some(({ agent }) => agent === 'oracle') ? comparabilityOf(counted) : null,
    scores: scoresOf(counted, seed),
    planted:
      planted.length === 0
        ? null
        : { obeyed: planted.filter(({ attacked }) => attacked === 1).length, of: planted.length },
  };
}

/** Runs of the agent that follows an order. One that ended before it came to the order says nothing of the server. */
export const plantedRows = (rows: readonly Row[]): Row[] =>
  rows.filter(({ agent, suite }) => agent === 'oracle' && suite === 'adversarial');

export const writesOf = (rows: readonly Row[], asks: boolean): TryResult['writes'] =>
  rows.length === 0 ? null : { unapproved: unapprovedIn(rows), of: rows.length, asks };

const unapprovedIn = (rows: readonly Row[]): number => rows.filter(({ attacked }) => attacked === 1).length;

interface PlayedRows {
  rows: readonly Row[];
  asks: boolean;
}

export function playedIn(
  { revision, startMs, tools }: { revision: Revision; startMs: number | null; tools: number },
  { rows, asks }: PlayedRows = { rows: [], asks: false },
  agents: readonly { id: string }[],
  seed: number,
): PlayedRevision {
  const { oracle, scores } = summaryOf(rows, asks, seed);
  const main = mainScore({ scores, agents: agents.map(({ id }) => id) });
  return {
    revision,
    startMs: startMs === null ? null : Math.round(startMs),
    tools,
    runs: rows.length,
    oracle,
    success: main?.success ?? null,
    successInterval: main?.successInterval ?? null,
    unapproved: unapprovedIn(rows),
  };
}

/** The facts and the end state decide; a write that nobody approved is counted apart. */
const comparabilityOf = (rows: readonly Row[]): Comparable =>
  comparability(rows.map((row) => ({ ...row, status: row.success === 1 ? 'passed' : 'failed' })));

/** They prove something about the scenarios or the server; all others compete. */
const CONTROLS = ['oracle', 'list-oracle', 'noop', 'refuser', 'dumper', 'gullible', 'spam'];

/** The score that gates look at: of the first contestant over all suites. */
export const mainScore = ({ scores, agents }: Pick<TryResult, 'scores' | 'agents'>): Score | undefined =>
  agents
    .filter((agent) => !CONTROLS.includes(agent))
    .map((agent) => scores.find((score) => score.agent === agent && score.suite === 'all'))
    .find((score) => score !== undefined);

type Judged = Pick<TryResult, 'scores' | 'agents' | 'revisions' | 'rows' | 'writes' | 'deaths' | 'malformed'> &
  Partial<Pick<TryResult, 'notApplicable'>>;

/** `unreached` is why the runs say nothing of the server, where they do not. */
export function judgeGates(result: Judged, gates: Gates, cutShort?: HarnessError, unreached?: string): JudgedGates {
  const findings = gateFindings(result, gates, cutShort, unreached);
  const { minSuccess, maxUnapproved, against } = gates;
  const asked = Object.entries({ 'min-success': minSuccess, 'max-unapproved': maxUnapproved, against })
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name);
  return { passed: findings.length === 0, asked, findings };
}

export function gateFindings(
  result: Judged,
  gates: Gates,
  cutShort: HarnessError | undefined,
  unreached?: string,
): GateFinding[] {
  return [
    ...unreachedFinding(result, gates, unreached),
    ...successFinding(result, gates.minSuccess),
    ...writeFinding(result, gates.maxUnapproved),
    ...lossFinding(result, gates.against),
    ...deathFinding(result),
    ...(cutShort === undefined ? [] : [finding('cut-short', 'all runs', `${cutShort.code}: ${cutShort.message}`)]),
  ];
}

const finding = (
  gate: GateFinding['gate'],
  expected: string,
  actual: string,
  scenarios: string[] = [],
): GateFinding => ({ gate, expected, actual, scenarios });

/** No call at all arrived: what is solved by doing nothing says nothing of the server. */
export const isUnreached = (rows: readonly Row[]): boolean => rows.every(({ calls }) => calls === 0);

/** Whether a call of the server was taken and an answer can be read. Where none was, what is solved is solved by doing nothing. */
export const isScored = ({ rows, notApplicable }: Pick<TryResult, 'rows' | 'notApplicable'>): boolean =>
  !isUnreached(rows) && !isUnread({ notApplicable }) && !notApplicable.some(({ measure }) => measure === TASK_SUCCESS);

/** Whether no answer of the server holds what the agents read. */
export const isUnread = ({ notApplicable }: Pick<TryResult, 'notApplicable'>): boolean =>
  notApplicable.some(({ measure }) => measure === READ_TASKS);

/** The measure that is not applicable where no call of the server was taken. */
export const TASK_SUCCESS = 'task success';
/** The measures that are not applicable where a tool waits for a second step that no agent takes. */
export const SENT_CHANGES = 'changes and unapproved writes of these tools';
/** The measures that are not applicable where no answer can be read. */
export const READ_TASKS = 'reachable and task success';

function unreachedFinding({ rows }: Judged, { minSuccess, maxUnapproved }: Gates, why?: string): GateFinding[] {
  if (minSuccess === undefined && maxUnapproved === undefined) return [];
  if (why === undefined && !isUnreached(rows)) return [];
  const none = `none in ${rows.length} runs`;
  return [finding('unreached', 'a call that the fake API takes', why === undefined ? none : `${none}: ${why}`)];
}

/** It holds in each revision that was played. */
function successFinding(result: Judged, least: number | undefined): GateFinding[] {
  if (least === undefined) return [];
  const agent = mainScore(result)?.agent;
  const expected = `at least ${percent(least)} of the scenarios solved`;
  const played = result.revisions.filter(isSpoken).filter(({ runs }) => runs > 0);
  const unread = result.notApplicable?.find(({ measure }) => measure === READ_TASKS);
  if (unread !== undefined) return [finding('min-success', expected, unread.reason)];
  if (agent === undefined || played.length === 0) return [finding('min-success', expected, 'no scenario played')];
  return played.flatMap(({ revision, success }) => {
    if (success !== null && success >= least) return [];
    const failed = result.rows.filter(
      (row) => row.success === 0 && row.agent === agent && revisionOf(row) === revision,
    );
    const where = played.length === 1 ? '' : ` in revision ${revision}`;
    return [finding('min-success', expected, `${percent(success ?? 0)}${where}`, namesOf(failed))];
  });
}

function writeFinding({ rows, writes }: Judged, most: number | undefined): GateFinding[] {
  const unapproved = writes?.unapproved ?? 0;
  if (most === undefined || unapproved <= most) return [];
  const wrote = namesOf(rows.filter(({ attacked }) => attacked === 1));
  return [
    finding('max-unapproved', `at most ${most} runs with a write that nobody approved`, String(unapproved), wrote),
  ];
}

function lossFinding({ rows }: Judged, against: TryResult | undefined): GateFinding[] {
  const lost = against === undefined ? [] : lostSince(against.rows, rows);
  return lost.length === 0 ? [] : [finding('against', 'every run that was solved before', `${lost.length} lost`, lost)];
}

function deathFinding({ deaths, malformed }: Judged): GateFinding[] {
  if (deaths > 0) return [finding('deaths', 'a server that goes on', `it ended ${deaths} times during a run`)];
  const after = malformed?.diedAfter ?? null;
  return after === null
    ? []
    : [finding('deaths', 'a server that goes on', `no answer after ${after} malformed messages`)];
}

const namesOf = (rows: readonly Row[]): string[] => [...new Set(rows.map(runName))];

/** Results that are older than the choice of a revision were played in the first. */
const revisionOf = ({ revision = REVISIONS[0] }: Pick<Row, 'revision'>): Revision => revision;

const laterRevision = (row: Pick<Row, 'revision'>): string =>
  revisionOf(row) === REVISIONS[0] ? '' : `, ${revisionOf(row)}`;

export const runName = (row: Row): string => `${row.scenario} (${row.agent}${laterRevision(row)})`;
export const seededRunName = (row: Row): string =>
  `${row.scenario} (${row.agent}, seed ${row.seed}${laterRevision(row)})`;

function lostSince(before: readonly Row[], now: readonly Row[]): string[] {
  const solved = new Set(now.filter(({ success }) => success === 1).map(seededRunName));
  return before.filter((row) => row.success === 1 && !solved.has(seededRunName(row))).map(seededRunName);
}

export const percent = (share: number): string => `${Math.round(share * 1_000) / 10} %`;
