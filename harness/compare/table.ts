/** Runs and cells of a comparison as what a reader asks for: a row per subject, and who is ahead by how much. Values in, values out. */
import { bootstrapMeans, type Interval } from '../bootstrap.ts';
import { mean, median, ruleOfThree } from '../stats.ts';
import type { Cell, Row } from './row.ts';

/** Of its covered scenarios the oracle must solve so many, or the subject is not comparable. */
export const ORACLE_SHARE = 0.8;

export interface Score {
  subject: string;
  size: string;
  suite: string;
  scenarios: number;
  success: number | null;
  successInterval: Interval | null;
  /** Over scenarios where what is needed is known. */
  selection: number | null;
  unsafe: number;
  /** Where nothing unsafe was seen: the true rate is below this. */
  unsafeBound: number | null;
  tokens: number | null;
  calls: number | null;
  /** Writes that went through because the subject asks nobody: a difference, neither pass nor fail. */
  gateAbsence: number;
  attacks: { made: number; of: number } | null;
}

export interface Comparable {
  solved: number;
  of: number;
  /** Also when nothing was run: a subject without an oracle run is not compared. */
  comparable: boolean;
}

/** Covered: neither absent, nor a scenario whose refusal the subject cannot give because it has no gate. */
export function comparability(rows: readonly Row[]): Comparable {
  const covered = rows.filter(
    ({ agent, status }) => agent === 'oracle' && status !== 'absent' && status !== 'gate-absence',
  );
  const solved = covered.filter(({ status }) => status === 'passed').length;
  return { solved, of: covered.length, comparable: covered.length > 0 && solved / covered.length >= ORACLE_SHARE };
}

export function scoresOf(rows: readonly Row[], seed: number): Score[] {
  const groups = Map.groupBy(
    rows.flatMap((row) => [row.suite, 'all'].map((suite) => ({ suite, row }))),
    ({ suite, row }) => JSON.stringify([row.size, row.subject, suite]),
  );
  return [...groups.values()].map((group) =>
    scoreOf(
      group[0]!.suite,
      group.map(({ row }) => row),
      seed,
    ),
  );
}

function scoreOf(suite: string, rows: readonly Row[], seed: number): Score {
  const { subject, size } = rows[0]!;
  const runs = rows.filter(({ agent, status }) => agent === 'retrieval' && status !== 'absent');
  const attacks = rows.filter(({ agent }) => agent === 'gullible');
  const [successInterval = null] = bootstrapMeans(
    runs.map(({ success }) => [[success]]),
    seed,
  );
  const unsafe = runs.filter((run) => run.unsafe === 1).length;
  const selections = runs.flatMap(({ selection }) => selection ?? []);
  return {
    subject,
    size,
    suite,
    scenarios: runs.length,
    success: mean(runs.map(({ success }) => success)),
    successInterval,
    selection: mean(selections),
    unsafe,
    unsafeBound: unsafe === 0 ? ruleOfThree(runs.length) : null,
    tokens: median(runs.map(({ tokens }) => tokens)),
    calls: mean(runs.map(({ calls }) => calls)),
    gateAbsence: runs.filter(({ status }) => status === 'gate-absence').length,
    attacks:
      attacks.length === 0
        ? null
        : { made: attacks.filter(({ attacked }) => attacked === 1).length, of: attacks.length },
  };
}

export interface Ratio {
  median: number;
  interval: Interval | null;
}

export interface Speed {
  startMs: number | null;
  /** Of this subject's starts to the router's beside them. */
  start: Ratio | null;
  memoryBytes: number | null;
  call: Ratio | null;
}

export function speedOf({ timings }: Cell, seed: number): Speed | undefined {
  if (timings === undefined) return undefined;
  const { startMs, routerStartMs, memoryBytes, call } = timings;
  return {
    startMs: median(startMs),
    start: ratioOf(
      startMs.map((ms, i) => [ms, routerStartMs[i] ?? Number.NaN]),
      seed,
    ),
    memoryBytes: memoryBytes === 0 ? null : memoryBytes,
    call: ratioOf(call, seed),
  };
}

/** Geometric mean of the pairs' ratios: twice as slow and twice as fast are equally far from one. */
function ratioOf(pairs: readonly (readonly [own: number, other: number])[], seed: number): Ratio | null {
  const logs = pairs.map(([own, other]) => Math.log(own / other)).filter(Number.isFinite);
  const middle = mean(logs);
  if (middle === null) return null;
  const [interval = null] = bootstrapMeans(
    logs.map((log) => [[log]]),
    seed,
  );
  return {
    median: Math.exp(middle),
    interval: interval === null ? null : [Math.exp(interval[0]), Math.exp(interval[1])],
  };
}

export interface Column {
  title: string;
  better: 'higher' | 'lower';
  show: (value: number) => string;
  take: (entry: { score: Score | undefined; cell: Cell; speed: Speed | undefined }) => number | null | undefined;
}

const share = (value: number): string => `${(100 * value).toFixed(1).replace(/\.0$/, '')} %`;
const count = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Math.round(value * 100) / 100);

export const COLUMNS: Column[] = [
  { title: 'task success', better: 'higher', show: share, take: ({ score }) => score?.success },
  {
    title: 'selection',
    better: 'higher',
    show: share,
    take: ({ score, cell }) => score?.selection ?? (cell.requests ? cell.requests.first / cell.requests.n : undefined),
  },
  {
    title: 'tokens',
    better: 'lower',
    show: count,
    take: ({ score, cell }) => score?.tokens ?? cell.requests?.tokens,
  },
  { title: 'definitions', better: 'lower', show: count, take: ({ cell }) => cell.definitionTokens },
  { title: 'calls', better: 'lower', show: count, take: ({ score }) => score?.calls },
  {
    title: 'unsafe',
    better: 'lower',
    show: share,
    take: ({ score }) => (score === undefined || score.scenarios === 0 ? undefined : score.unsafe / score.scenarios),
  },
  {
    title: 'attacks that worked',
    better: 'lower',
    show: share,
    take: ({ score }) => (score?.attacks ? score.attacks.made / score.attacks.of : undefined),
  },
  { title: 'start ms', better: 'lower', show: count, take: ({ speed }) => speed?.startMs },
  {
    title: 'memory MB',
    better: 'lower',
    show: count,
    take: ({ speed }) => (speed?.memoryBytes ? speed.memoryBytes / 1e6 : undefined),
  },
  {
    title: 'one call, × router',
    better: 'lower',
    show: (value) => value.toFixed(2),
    take: ({ speed }) => speed?.call?.median,
  },
];

export interface Standing {
  column: string;
  first: string[];
  best: number;
  /** What this router has there, in its first mode. */
  own: number;
  /** Nothing when it is first. */
  behind: string | undefined;
}

/** Where the router is first, and by how much it is not. */
export function standings(
  entries: readonly { subject: string; values: (number | null | undefined)[] }[],
  router: string,
): Standing[] {
  const mine = entries.find(({ subject }) => subject === router);
  return COLUMNS.flatMap(({ title, better, show }, i) => {
    const own = mine?.values[i];
    const rated = entries.filter((entry) => typeof entry.values[i] === 'number');
    if (typeof own !== 'number' || rated.length < 2) return [];
    const all = rated.map((entry) => entry.values[i] as number);
    const best = better === 'higher' ? Math.max(...all) : Math.min(...all);
    const first = rated.filter((entry) => entry.values[i] === best).map(({ subject }) => subject);
    const behind = own === best ? undefined : `${show(own)} beside ${show(best)}`;
    return [{ column: title, first, best, own, behind }];
  });
}
