/** A time series of any platform in one form: UTC times, one number per time, a known step, gaps that are named. */
import { secondsOf, timeOf } from './trend-time.ts';
import { unitOf } from './trend-unit.ts';

export interface TrendOptions {
  metric?: string | undefined;
  unit?: string | undefined;
  intervalSeconds?: number | undefined;
}

export interface Trend {
  metric: string;
  unit: string;
  interval_seconds: number;
  points: { time: string; value: number | null }[];
  summary: { points: number; min: number; max: number; mean: number; first: number; last: number };
  gaps: { from: string; to: string }[];
  warnings: string[];
}

interface Sample {
  at: number;
  value: number;
}

export const MOST_POINTS = 500;

/** What the samples of the platforms call their time. */
const TIMES = ['timestamp', 'time', 'ts', 'when', 'date', 'start', 'at'];
const LISTS = ['samples', 'points', 'data', 'items', 'results', 'values', 'series'];

/** Undefined where nothing in it reads as a series. */
export function normaliseTrend(
  source: unknown,
  options: TrendOptions,
): Trend | { problem: string; metrics?: string[] } {
  const warnings: string[] = [];
  const found = rowsOf(source);
  if (found === undefined)
    return { problem: `there is no list of samples: expected a list, or one under ${LISTS.join(', ')}` };
  const read = samplesOf(found, options.metric, warnings);
  if ('problem' in read) return read;
  const { metric } = read;
  const samples = inOrder(read.samples, warnings);
  const [first] = samples;
  if (first === undefined) return { problem: 'no sample has both a time and a number' };
  const { unit, factor } = unitOf(options.unit ?? metric) ?? { unit: options.unit ?? 'count', factor: 1 };
  const scaled = samples.map(({ at, value }) => ({ at, value: value * factor }));
  const step = stepOf(scaled, found.interval);
  const interval = Math.max(options.intervalSeconds ?? step, Math.ceil(spanOf(scaled) / (MOST_POINTS - 1)));
  if (interval < step) warnings.push(`samples are ${step} s apart: a finer step holds nothing new`);
  else if (options.intervalSeconds !== undefined && interval > options.intervalSeconds)
    warnings.push(`the step is ${interval} s, because ${MOST_POINTS} points are the most`);
  const points = interval > step ? resampled(scaled, interval) : asSampled(scaled, step);
  return {
    metric,
    unit,
    interval_seconds: Math.max(interval, step),
    points: points.map(({ at, value }) => ({ time: isoOf(at), value: value === null ? null : rounded(value) })),
    summary: summaryOf(scaled),
    gaps: gapsOf(points),
    warnings,
  };
}

interface Rows {
  rows: readonly unknown[];
  /** Where rows are bare numbers: when the first was taken. */
  start?: number | undefined;
  interval?: number | undefined;
}

function rowsOf(source: unknown): Rows | undefined {
  if (Array.isArray(source)) return { rows: source };
  if (typeof source !== 'object' || source === null) return undefined;
  const object = source as Record<string, unknown>;
  const list = LISTS.map((name) => object[name]).find(Array.isArray);
  const inner = LISTS.map((name) => object[name]).find(
    (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
  );
  if (list === undefined) return inner === undefined ? undefined : rowsOf(inner);
  const start = timeOf(object['start'] ?? object['startTime'] ?? object['from']);
  const interval = secondsOf(object['interval'] ?? object['step'] ?? object['granularity']);
  const times = TIMES.map((name) => object[`${name}s`]).find(Array.isArray);
  return {
    rows: times ? list.map((value, i) => [times[i], value]) : list,
    ...(start === undefined ? {} : { start }),
    ...(interval === undefined ? {} : { interval }),
  };
}

function samplesOf(
  { rows, start, interval }: Rows,
  wanted: string | undefined,
  warnings: string[],
): { metric: string; samples: Sample[] } | { problem: string; metrics?: string[] } {
  // A series may begin with a hole.
  const first = rows.find((row) => row !== null && row !== undefined);
  if (typeof first === 'number') return bareNumbers(rows, { start, interval, metric: wanted }, warnings);
  if (Array.isArray(first)) {
    const pairs = rows.map((row) => (Array.isArray(row) ? row : []));
    const samples = pairs.flatMap(([time, value]) => sampleOf(timeOf(time), value));
    return { metric: wanted ?? 'value', samples: counted(samples, rows, warnings) };
  }
  const objects = rows.filter((row): row is Record<string, unknown> => typeof row === 'object' && row !== null);
  const metrics = [
    ...new Set(
      objects.flatMap((row) => Object.keys(row).filter((key) => !TIMES.includes(key) && typeof row[key] === 'number')),
    ),
  ];
  if (wanted !== undefined && !metrics.includes(wanted))
    return { problem: `no sample has a number "${wanted}"`, metrics };
  if (wanted === undefined && metrics.length > 1)
    return { problem: 'the samples hold several numbers: choose one as `metric`', metrics };
  const metric = wanted ?? metrics[0];
  if (metric === undefined) return { problem: 'no sample holds a number' };
  const samples = objects.flatMap((row) =>
    sampleOf(timeOf(TIMES.map((name) => row[name]).find((time) => time !== undefined)), row[metric]),
  );
  return { metric, samples: counted(samples, rows, warnings) };
}

function bareNumbers(
  rows: readonly unknown[],
  { start, interval, metric = 'value' }: Pick<Rows, 'start' | 'interval'> & { metric?: string | undefined },
  warnings: string[],
) {
  if (start === undefined || interval === undefined)
    return { problem: 'bare numbers need `start` and `interval` beside them' };
  const samples = rows.flatMap((value, i) => sampleOf(start + i * interval * 1000, value));
  return { metric, samples: counted(samples, rows, warnings) };
}

function sampleOf(at: number | undefined, value: unknown): Sample[] {
  return at === undefined || typeof value !== 'number' || !Number.isFinite(value) ? [] : [{ at, value }];
}

function counted(samples: Sample[], rows: readonly unknown[], warnings: string[]): Sample[] {
  const lost = rows.length - samples.length;
  if (lost > 0) warnings.push(`${lost} of ${rows.length} samples have no time or no number and were left out`);
  return samples;
}

function inOrder(samples: readonly Sample[], warnings: string[]): Sample[] {
  const byTime = new Map(samples.map((sample) => [sample.at, sample]));
  if (byTime.size < samples.length)
    warnings.push(`${samples.length - byTime.size} samples share a time with another: the last one counts`);
  return [...byTime.values()].sort((a, b) => a.at - b.at);
}

const spanOf = (samples: readonly Sample[]) => ((samples.at(-1)?.at ?? 0) - (samples[0]?.at ?? 0)) / 1000;

/** Seconds from one sample to the next, as most of them are: the lower of the middle two, because a mean of them may occur nowhere. */
function stepOf(samples: readonly Sample[], told: number | undefined): number {
  const steps = samples
    .slice(1)
    .map(({ at }, i) => (at - (samples[i] as Sample).at) / 1000)
    .sort((a, b) => a - b);
  const usual = steps[Math.floor((steps.length - 1) / 2)] ?? told ?? 60;
  return Math.max(1, Math.round(meanNear(usual, steps)));
}

/** The mean of the steps where that is about the usual one, so that times which are a second early or late do not add up. */
function meanNear(usual: number, steps: readonly number[]): number {
  const sum = steps.reduce((all, step) => all + step, 0);
  const mean = sum / steps.reduce((count, step) => count + Math.max(1, Math.round(step / usual)), 0);
  return Math.abs(mean - usual) <= Math.max(1, usual / 50) ? mean : usual;
}

interface Point {
  at: number;
  value: number | null;
}

/**
 * At the step of the samples itself each of them belongs to the time that is nearest: one taken a second early, and the next a second
 * late, would share a step and leave another one empty. Where they lie between the times, the step that they are in counts.
 */
function asSampled(samples: readonly Sample[], interval: number): Point[] {
  const [within, nearest] = [0, interval * 500].map((early) => resampled(samples, interval, early)) as [
    Point[],
    Point[],
  ];
  const empty = (points: readonly Point[]) => points.filter(({ value }) => value === null).length;
  return empty(nearest) < empty(within) ? nearest : within;
}

/** The mean of what falls into each step, which begins `early` milliseconds before its time; a step without a sample is null. */
function resampled(samples: readonly Sample[], interval: number, early = 0): Point[] {
  const step = interval * 1000;
  const from = Math.floor(((samples[0] as Sample).at + early) / step) * step;
  const count = Math.floor(((samples.at(-1) as Sample).at + early - from) / step) + 1;
  const sums = Array.from({ length: count }, () => ({ sum: 0, count: 0 }));
  for (const { at, value } of samples) {
    const cell = sums[Math.floor((at + early - from) / step)] as { sum: number; count: number };
    cell.sum += value;
    cell.count += 1;
  }
  return sums.map(({ sum, count: held }, i) => ({ at: from + i * step, value: held === 0 ? null : sum / held }));
}

function gapsOf(points: readonly { at: number; value: number | null }[]): Trend['gaps'] {
  const gaps: Trend['gaps'] = [];
  for (const [i, { value }] of points.entries()) {
    if (value !== null || points[i - 1]?.value === null) continue;
    const end = points.findIndex((point, later) => later > i && point.value !== null);
    gaps.push({ from: isoOf(points[i]?.at as number), to: isoOf(points[end]?.at as number) });
  }
  return gaps;
}

function summaryOf(samples: readonly Sample[]): Trend['summary'] {
  const values = samples.map(({ value }) => value);
  return {
    points: values.length,
    min: rounded(values.reduce((least, value) => Math.min(least, value))),
    max: rounded(values.reduce((most, value) => Math.max(most, value))),
    mean: rounded(values.reduce((sum, value) => sum + value, 0) / values.length),
    first: rounded(values[0] as number),
    last: rounded(values.at(-1) as number),
  };
}

const isoOf = (at: number) => new Date(at).toISOString().replace('.000Z', 'Z');
const rounded = (value: number) => Math.round(value * 1e4) / 1e4;
