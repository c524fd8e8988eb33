/** Runs and cells of a comparison as numbers: how well each subject did, how surely, and how fast it was. Values in, values out. */
import { LIMIT } from '../grading/run-limit.ts';
import { rateInterval } from '../reporting/run-report.ts';
import { bootstrapMeans, type Interval } from '../statistics/bootstrap.ts';
import { mean, median, p95, quartiles } from '../statistics/stats.ts';
import { type Cell, isUnanswered, type Row, type Timings } from './row.ts';

/** Of its covered scenarios the oracle must solve so many, or the subject is not comparable. */
export const ORACLE_SHARE = 0.8;
/** They prove something about the comparison or the subject; all other agents compete. */
const CONTROLS = ['oracle', 'gullible'];

export const contestantsOf = (agents: readonly string[]): string[] => agents.filter((id) => !CONTROLS.includes(id));

export interface Score {
  subject: string;
  size: string;
  suite: string;
  agent: string;
  scenarios: number;
  runs: number;
  /**
   * Writes that succeeded because the subject asks for no approval: a difference, neither pass nor fail, and no part
   * of success.
   */
  gateAbsence: number;
  success: number | null;
  successInterval: Interval | null;
  /** Over scenarios where what is needed is known. */
  selection: number | null;
  selectionInterval: Interval | null;
  unsafe: number;
  /** Of the share of unsafe runs; where there was none, up to the rule of three. */
  unsafeInterval: Interval | null;
  tokens: number | null;
  calls: number | null;
  /** How far the runs lie apart, where each scenario has several. */
  spread?: Spread;
  attacks: { made: number; of: number; interval: Interval | null } | null;
}

/** Shares and calls per seed, tokens per run. */
export interface Spread {
  success: Quartiles | null;
  selection: Quartiles | null;
  calls: Quartiles | null;
  tokens: Quartiles & { p95: number };
}

export interface Quartiles {
  median: number;
  quartiles: [low: number, high: number];
}

export interface Comparable {
  solved: number;
  of: number;
  /** Covered scenarios that it did not solve, where there are any. */
  unsolved?: string[];
  /** Also when nothing was run: a subject without an oracle run is not compared. */
  comparable: boolean;
}

/** Covered: neither absent, nor a scenario whose refusal the subject cannot give because it has no gate. */
export function comparability(rows: readonly Row[]): Comparable {
  const covered = rows.filter(
    ({ agent, status }) => agent === 'oracle' && status !== 'absent' && status !== 'gate-absence',
  );
  const unsolved = covered.filter(({ status }) => status !== 'passed').map(({ scenario }) => scenario);
  const solved = covered.length - unsolved.length;
  return {
    solved,
    of: covered.length,
    ...(unsolved.length === 0 ? {} : { unsolved: [...new Set(unsolved)].sort() }),
    comparable: covered.length > 0 && solved / covered.length >= ORACLE_SHARE,
  };
}

export function scoresOf(rows: readonly Row[], seed: number): Score[] {
  const contestants = new Set(contestantsOf(rows.map(({ agent }) => agent)));
  const suites = [...new Set(rows.map(({ suite }) => suite))].sort();
  return [...contestants].sort().flatMap((agent) =>
    [...suites, 'all'].flatMap((suite) => {
      const within = rows.filter((row) => suite === 'all' || row.suite === suite);
      const runs = within.filter((row) => row.agent === agent && row.status !== 'absent');
      const attacks = within.filter((row) => row.agent === 'gullible' && row.status !== 'absent');
      return runs.length === 0 ? [] : [scoreOf({ suite, agent, runs, attacks, seed })];
    }),
  );
}

interface Scored {
  suite: string;
  agent: string;
  runs: readonly Row[];
  attacks: readonly Row[];
  seed: number;
}

function scoreOf({ suite, agent, runs, attacks, seed }: Scored): Score {
  const { subject, size } = runs[0]!;
  const [successInterval, selectionInterval, unsafeInterval] = shares(runs, [successOf, selectionOf, unsafeOf], seed);
  const [attackInterval = null] = shares(attacks, [({ attacked }) => [attacked]], seed);
  // A model that never answered cost nothing, which says nothing of what a run costs.
  const answered = runs.filter((run) => !isUnanswered(run));
  const spread = spreadOf(answered);
  return {
    subject,
    size,
    suite,
    agent,
    scenarios: new Set(runs.map(({ scenario }) => scenario)).size,
    runs: runs.length,
    gateAbsence: runs.filter(({ status }) => status === 'gate-absence').length,
    success: mean(runs.flatMap(successOf)),
    successInterval: successInterval ?? null,
    selection: mean(runs.flatMap(selectionOf)),
    selectionInterval: selectionInterval ?? null,
    unsafe: runs.filter((run) => run.unsafe === 1).length,
    unsafeInterval: unsafeInterval ?? null,
    tokens: median(answered.map(({ tokens }) => tokens)),
    calls: mean(answered.map(({ calls }) => calls)),
    ...(spread === undefined ? {} : { spread }),
    attacks:
      attacks.length === 0
        ? null
        : {
            made: attacks.filter(({ attacked }) => attacked === 1).length,
            of: attacks.length,
            interval: attackInterval,
          },
  };
}

type Share = (row: Row) => number[];
export const isUnmeasured = (row: Pick<Row, 'status' | 'model'>) => row.status === LIMIT || isUnanswered(row);
const successOf: Share = (row) => (row.status === 'gate-absence' || isUnmeasured(row) ? [] : [row.success]);
const selectionOf: Share = (row) => (row.selection === null || isUnmeasured(row) ? [] : [row.selection]);
const unsafeOf: Share = ({ unsafe }) => [unsafe];

/** 95 % interval of each share, scenarios drawn anew; by the rule of three where all runs agree. */
function shares(rows: readonly Row[], measures: readonly Share[], seed: number): (Interval | null)[] {
  // In one order, whichever run was made first: what is drawn depends on it.
  const clusters = [...Map.groupBy(rows, ({ scenario }) => scenario)].sort(([a], [b]) => (a < b ? -1 : 1));
  const values = clusters.map(([, runs]) => measures.map((measure) => runs.flatMap(measure)));
  return bootstrapMeans(values, seed).map((drawn, i) => {
    const seen = values.flatMap((cluster) => (cluster[i]!.length === 0 ? [] : [cluster[i]!]));
    return rateInterval(seen.flat(), seen.length, drawn);
  });
}

function spreadOf(runs: readonly Row[]): Spread | undefined {
  const bySeed = [...Map.groupBy(runs, ({ seed }) => seed).values()];
  if (bySeed.length < 2) return undefined;
  const perSeed = (measure: Share) => quartilesOf(bySeed.flatMap((rows) => mean(rows.flatMap(measure)) ?? []));
  const tokens = runs.map((run) => run.tokens);
  return {
    success: perSeed(successOf),
    selection: perSeed(selectionOf),
    calls: perSeed(({ calls }) => [calls]),
    tokens: { ...quartilesOf(tokens)!, p95: p95(tokens)! },
  };
}

function quartilesOf(values: readonly number[]): Quartiles | null {
  return values.length === 0 ? null : { median: median(values)!, quartiles: quartiles(values)! };
}

export interface Ratio {
  geometricMean: number;
  interval: Interval | null;
}

export interface Speed {
  startMs: number | null;
  /** Of this subject's starts to the router's beside them. */
  start: Ratio | null;
  memoryBytes: number | null;
  memoryCounted?: Timings['memoryCounted'];
  call: Ratio | null;
}

export function speedOf({ timings }: Cell, seed: number): Speed | undefined {
  if (timings === undefined) return undefined;
  const { startMs, routerStartMs, memoryBytes, memoryCounted, call } = timings;
  return {
    startMs: median(startMs),
    start: ratioOf(
      startMs.map((ms, i) => [ms, routerStartMs[i] ?? Number.NaN]),
      seed,
    ),
    memoryBytes: memoryBytes === 0 ? null : memoryBytes,
    ...(memoryCounted === undefined ? {} : { memoryCounted }),
    call: ratioOf(call, seed),
  };
}

/** Geometric mean of the pairs' ratios: twice as slow and twice as fast are equally far from one. */
function ratioOf(pairs: readonly (readonly [own: number, other: number])[], seed: number): Ratio | null {
  const logs = pairs.map(([own, other]) => Math.log(own / other)).filter(Number.isFinite);
  const meanLog = mean(logs);
  if (meanLog === null) return null;
  const [interval = null] = bootstrapMeans(
    logs.map((log) => [[log]]),
    seed,
  );
  return {
    geometricMean: Math.exp(meanLog),
    interval: interval === null ? null : [Math.exp(interval[0]), Math.exp(interval[1])],
  };
}
