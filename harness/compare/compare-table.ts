/** A row per subject and a column per question a reader asks, and who is ahead by how much. Values in, values out. */
import type { Interval } from '../statistics/bootstrap.ts';
import type { Cell } from './row.ts';
import type { Quartiles, Ratio, Score, Speed } from './subject-score.ts';

/** The source of a column: one subject at one size. */
export interface Entry {
  score: Score | undefined;
  cell: Omit<Cell, 'timings'>;
  speed: Speed | undefined;
}

export interface Column {
  title: string;
  /** Absent for a number that describes a subject and does not rank it. */
  better?: 'higher' | 'lower';
  show: (value: number) => string;
  take: (entry: Entry) => number | null | undefined;
  /** 95 %. */
  interval?: (entry: Entry) => Interval | null | undefined;
  /** How sure it is, and how far its runs lie apart. */
  notes?: (entry: Entry) => string[];
}

export const share = (value: number): string => `${(100 * value).toFixed(1).replace(/\.0$/, '')} %`;
export const count = (value: number): string =>
  Math.abs(value) >= 100 ? Math.round(value).toLocaleString('en-GB') : String(Math.round(value * 100) / 100);
const ratio = (value: number): string => value.toFixed(2);

/** Of a share of which nothing was seen, how large it may be all the same. */
export function shareNotes(value: number | null, interval: Interval | null): string[] {
  if (interval === null || value === null) return [];
  return value === 0 ? [`< ${share(interval[1])}`] : [between(interval, share)];
}

const between = ([low, high]: readonly [number, number], show: (value: number) => string): string =>
  `${show(low)} to ${show(high)}`;

const spreadNotes = (spread: Quartiles | null | undefined, show: (value: number) => string): string[] =>
  spread ? [`median ${show(spread.median)} [${between(spread.quartiles, show)}]`] : [];

const ratioNotes = (found: Ratio | null | undefined): string[] =>
  found?.interval ? [`${ratio(found.geometricMean)} × router (${between(found.interval, ratio)})`] : [];

export const COLUMNS: Column[] = [
  { title: 'scenarios', show: count, take: ({ score }) => score?.scenarios },
  {
    title: 'task success',
    better: 'higher',
    show: share,
    take: ({ score }) => score?.success,
    interval: ({ score }) => score?.successInterval,
    notes: ({ score }) => [
      ...shareNotes(score?.success ?? null, score?.successInterval ?? null),
      ...spreadNotes(score?.spread?.success, share),
    ],
  },
  { title: 'gate absences', show: count, take: ({ score }) => score?.gateAbsence },
  {
    title: 'selection',
    better: 'higher',
    show: share,
    take: ({ score, cell }) => score?.selection ?? (cell.requests ? cell.requests.first / cell.requests.n : undefined),
    interval: ({ score }) => score?.selectionInterval,
    notes: ({ score }) => [
      ...shareNotes(score?.selection ?? null, score?.selectionInterval ?? null),
      ...spreadNotes(score?.spread?.selection, share),
    ],
  },
  {
    title: 'tokens',
    better: 'lower',
    show: count,
    take: ({ score, cell }) => score?.tokens ?? cell.requests?.tokens,
    notes: ({ score }) => {
      const spread = score?.spread?.tokens;
      return spread === undefined ? [] : [`[${between(spread.quartiles, count)}] p95 ${count(spread.p95)}`];
    },
  },
  { title: 'definitions', better: 'lower', show: count, take: ({ cell }) => cell.definitionTokens },
  {
    title: 'calls',
    better: 'lower',
    show: count,
    take: ({ score }) => score?.calls,
    notes: ({ score }) => spreadNotes(score?.spread?.calls, count),
  },
  {
    title: 'unsafe',
    better: 'lower',
    show: share,
    take: ({ score }) => (score === undefined ? undefined : score.unsafe / score.runs),
    interval: ({ score }) => score?.unsafeInterval,
    notes: ({ score }) => shareNotes(score?.unsafe ?? null, score?.unsafeInterval ?? null),
  },
  {
    title: 'attacks that worked',
    better: 'lower',
    show: share,
    take: ({ score }) => (score?.attacks ? score.attacks.made / score.attacks.of : undefined),
    interval: ({ score }) => score?.attacks?.interval,
    notes: ({ score }) =>
      score?.attacks
        ? [`${score.attacks.made} of ${score.attacks.of}`, ...shareNotes(score.attacks.made, score.attacks.interval)]
        : [],
  },
  { title: 'operations it lacks', show: count, take: ({ cell }) => cell.operations?.absent.length },
  {
    title: 'start ms',
    better: 'lower',
    show: count,
    take: ({ speed }) => speed?.startMs,
    notes: ({ speed }) => ratioNotes(speed?.start),
  },
  {
    title: 'memory MB',
    better: 'lower',
    show: count,
    take: ({ speed }) => (speed?.memoryBytes ? speed.memoryBytes / 1e6 : undefined),
  },
  {
    title: 'one call, × router',
    better: 'lower',
    show: ratio,
    take: ({ speed }) => speed?.call?.geometricMean,
    interval: ({ speed }) => speed?.call?.interval,
    notes: ({ speed }) => (speed?.call?.interval ? [between(speed.call.interval, ratio)] : []),
  },
];

export interface Standing {
  column: string;
  first: string[];
  best: number;
  /** The value of this router in its first mode. */
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
    if (better === undefined || typeof own !== 'number' || rated.length < 2) return [];
    const all = rated.map((entry) => entry.values[i] as number);
    const best = better === 'higher' ? Math.max(...all) : Math.min(...all);
    const first = rated.filter((entry) => entry.values[i] === best).map(({ subject }) => subject);
    // Values that round to the same text are equal for a reader.
    const behind = show(own) === show(best) ? undefined : `${show(own)} beside ${show(best)}`;
    return [{ column: title, first, best, own, behind }];
  });
}
