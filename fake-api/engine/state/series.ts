/**
 * Time series as functions of (entity, metric, bucket): a daily curve, quieter at the weekend, and hash noise. Nothing
 * is stored, so any window can be asked for twice with the same answer.
 */
import { type Schema, typesOf } from '../openapi/openapi-document.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import { numberFor } from '../semantics/semantic-number.ts';
import { isoSeconds } from './clock.ts';
import { Dice, type Part } from './determinism.ts';

export const INTERVAL_MS: Record<string, number> = {
  '1m': 60_000,
  '5m': 300_000,
  '10m': 600_000,
  '15m': 900_000,
  '1h': 3_600_000,
  '1d': 86_400_000,
  '1w': 604_800_000,
};
const MOST_SAMPLES = 1000;
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

/** Names under which platforms ask for the beginning and the end of a window. */
const STARTS = ['start-at', 'start_at', 'startAt', 'startTime', 'begin_time', 'start', 'since', 'from'];
const ENDS = ['end-at', 'end_at', 'endAt', 'endTime', 'end_time', 'end', 'until', 'to'];
const STEPS = ['interval', 'bucket', 'step', 'aggregation'];

const WINDOW: ReadonlySet<string> = new Set([...STARTS, ...ENDS, ...STEPS, 'duration']);

/** Whether a parameter says which time a series covers, and in which steps. */
export const isWindowName = (name: string): boolean => WINDOW.has(name);

export const isStartName = (name: string): boolean => STARTS.includes(name);

export const isStepName = (name: string): boolean => STEPS.includes(name);

export interface Window {
  startMs: number;
  endMs: number;
  stepMs: number;
  interval: string;
}

/** A window that ends before it starts: the parameter at fault and what it holds. */
export interface Backwards {
  parameter: string;
  start: string;
  end: string;
}

/** `usual` is the interval of a trend that states none, such as `1d` of a daily one, and `usualLengthMs` the length of its window. */
export function windowOf(
  query: Record<string, unknown>,
  nowMs: number,
  usual = '5m',
  usualLengthMs?: number,
): Window | Backwards {
  const interval = String(STEPS.map((name) => query[name]).find((value) => value !== undefined) ?? usual);
  const stepMs = INTERVAL_MS[interval] ?? 300_000;
  const [start, end] = [STARTS, ENDS].map((names) => names.find((name) => typeof query[name] === 'string'));
  const askedEndMs = end === undefined ? nowMs : Date.parse(String(query[end]));
  // Nothing has been measured after the present.
  const endMs = Math.min(nowMs, askedEndMs);
  const startMs =
    start === undefined
      ? endMs - (lengthOf(query['duration']) ?? Math.max(usualLengthMs ?? 10_800_000, stepMs * 12))
      : Date.parse(String(query[start]));
  if (askedEndMs >= startMs) return { startMs, endMs, stepMs, interval };
  return {
    parameter: end ?? (start as string),
    start: String(query[start ?? ''] ?? isoSeconds(startMs)),
    end: String(query[end ?? ''] ?? isoSeconds(nowMs)),
  };
}

/** `30m`, `6h`, `1d`, `2w` in milliseconds. */
export function lengthOf(duration: unknown): number | undefined {
  const [, count, unit] = /^(\d+)([mhdw])$/.exec(String(duration ?? '')) ?? [];
  return count === undefined || unit === undefined ? undefined : Number(count) * (UNITS[unit] as number);
}

/** Starts of the buckets in the window, oldest first; the latest ones when there are too many. */
export function bucketsOf(window: Window): number[] {
  const buckets: number[] = [];
  const placeOf = (ms: number) => Math.ceil(ms / window.stepMs);
  const first = Math.max(placeOf(window.startMs), placeOf(window.endMs) - MOST_SAMPLES) * window.stepMs;
  for (let at = first; at < window.endMs || (at === window.endMs && buckets.length === 0); at += window.stepMs)
    buckets.push(at);
  return buckets;
}

/** A part of what a series is about, with ups and downs of its own. */
export interface SeriesPart {
  mark: string;
  /** Share of the level of the whole. */
  weight: number;
  /** Time in which there is something to count, in milliseconds since 1970. */
  fromMs?: number;
  untilMs?: number;
}

/** What is known of a series beside the name of its field. */
export interface SeriesHabit {
  /** Share of the range that the entity's state demands, 0 to 1. */
  level?: number | undefined;
  /** What the entity itself says at a time, in milliseconds since 1970: the series leads there. */
  now?: { value: number; ms: number } | undefined;
  /** The figure at an hour of the working day like most. */
  usual?: number | undefined;
  /** Parts of the whole that the series is about, each with ups and downs of its own; all of it in one where none are named. */
  parts?: readonly SeriesPart[];
  /** Time from one sample to the next. */
  stepMs?: number;
  /** Words of the trend, for a field such as `mean` that says nothing alone. */
  trend?: readonly string[];
}

/** Value of one metric of one entity in one bucket, inside the range of its schema. */
export function sampleAt(
  name: string,
  schema: Schema,
  origin: readonly Part[],
  bucketMs: number,
  habit: SeriesHabit = {},
): number {
  const { level, trend = [] } = habit;
  const kind = kindOfSeries(name, trend);
  const { now, usual: known, parts = WHOLE, stepMs = 300_000 } = habit;
  const grain = kind.curve === 'stock' ? Math.floor(bucketMs / DAY_MS) : bucketMs;
  const noiseOf = (mark: string) => new Dice(...origin, ...(mark === '' ? [] : [mark]), grain).unit() - 0.5;
  const load = loadAt(bucketMs, stepMs);
  if (level !== undefined)
    return quantityAt(schema, Math.min(1, Math.max(0, level * load + noiseOf('') * 0.12 * level)));
  const stated = now?.value ?? known;
  const present = parts.filter((part) => lasts(part, bucketMs, stepMs));
  const share = present.reduce((sum, { weight }) => sum + weight, 0);
  if (stated !== undefined && isBound(kind)) return rounded(schema, stated * share);
  const usual = usualOf(kind, schema, origin, habit);
  const value = present.reduce((sum, { mark, weight }) => {
    const noise = noiseOf(mark);
    const isSeldom = kind.isRare && known === undefined;
    const own = isSeldom
      ? usual * Math.max(0, noise - SELDOM) * 10
      : valueAt(kind.curve, usual, load, noise, bucketMs, stepMs);
    return sum + own * weight;
  }, 0);
  const held = kind.curve === 'owned' && now !== undefined ? value * ownedShare(now.ms - bucketMs) : value;
  const within = Math.min(schema.maximum ?? held, Math.max(schema.minimum ?? 0, held));
  return rounded(schema, within);
}

const WHOLE: readonly SeriesPart[] = [{ mark: '', weight: 1 }];

const lasts = ({ fromMs, untilMs }: SeriesPart, bucketMs: number, stepMs: number): boolean =>
  (fromMs === undefined || fromMs < bucketMs + stepMs) && (untilMs === undefined || untilMs > bucketMs);

const rounded = (schema: Schema, value: number): number =>
  typesOf(schema).includes('integer') ? Math.round(value) : Math.round(value * 10) / 10;

/** The level of a series: what the entity says, else what the stored rows say, an example of the model, or the name of its field. */
function usualOf(
  kind: SeriesKind,
  schema: Schema,
  origin: readonly Part[],
  { now, usual, stepMs }: SeriesHabit,
): number {
  if (now !== undefined) {
    const curve = kind.curve === 'coming' ? 'presence' : kind.curve;
    return now.value / (valueAt(curve, 1, loadAt(now.ms, stepMs), 0, now.ms, 0) || 1);
  }
  if (usual !== undefined) return usual;
  const dice = new Dice(...origin, 'level');
  const said = schema.examples?.filter((example) => typeof example === 'number') ?? [];
  if (said.length > 0) return dice.pick(said);
  const drawn = numberFor(kind.words, schema, dice);
  return kind.isRare ? Math.min(drawn, MOST_RARE) : drawn;
}

const DAY_MS = 86_400_000;

/** `presence` is who is there by day, `coming` who came since the sample before, `load` follows the working day, `delay` a little of it; `rating` is a little worse at busy hours; `stock` changes from day to day, `owned` is what was bought piece by piece, `fill` grows slowly; `steady` keeps its level. */
type Curve = 'presence' | 'coming' | 'load' | 'delay' | 'rating' | 'stock' | 'owned' | 'fill' | 'steady';

const LOAD =
  /^(bytes|bps|kbps|mbps|packets|frames|clients|users|sessions|flows|requests|queries|utilisation|utilization|util|load|throughput|traffic|airtime|connections|calls|leases|hits|events|messages|drops|dropped|usage|draw|watts|kwh|rx|tx|peak|logins|roams|joins|stations|inbound|outbound|attempts|failures|failed|busy|client|user|session|station|connected|hosts|opened|auths|authentications|logons|volume|samples|disturbances|interference|attacks|intrusions|saturated|congested|unhappy|poor|slow)$/;
/** People come in the morning and go in the evening. */
const PRESENCE = /^(people|visitors|occupancy|footfall)$/;
const COMING = /^(arrivals|newcomers)$/;
const DELAY = /^(latency|jitter|delay|rtt|ms|millis|loss|retries|retry|cpu|temperature|celsius|fan|rpm)$/;
const RATING = /^(score|scores|mos|experience|satisfaction|overall)$/;
const FILL = /^(disk|storage|partition|memory)$/;
const OWNED = /^(devices|licences|licenses|sites|seats|members|aps|switches|gateways|registered|assets|used)$/;
const STOCK = /^(settings|count|total|critical|expired|reboots|faults|findings|vulnerable|mtbf|hours|free)$/;
/** Statistics of what the trend is about. */
const STATISTIC =
  /^(mean|median|average|avg|worst|best|lowest|highest|low|high|min|max|minimum|maximum|typical|value|observed|open)$/;
/** Units, which say as little alone. */
const UNIT = /^(percent|ms|share|up)$/;
/** What happens now and then, so that most samples have none of it. */
const RARE =
  /^(refusals|failures|failed|refused|errors|drops|dropped|rejects|rejected|timeouts|failovers|flaps|denied|crashes|restarts|raised|losses|changes|disconnects)$/;

/** Part of the noise below which nothing happened, so that one sample in eight has some. */
const SELDOM = 0.37;
/** Most of what is rare in one sample. */
const MOST_RARE = 4;
/** A total time is what passed, not what there is. */
const isBound = ({ words, curve }: SeriesKind): boolean =>
  words.some((word) => BOUND.test(word)) &&
  !words.some((word) => /^(ms|seconds|minutes)$/.test(word)) &&
  curve !== 'load';

/** What bounds the others, so that it stays as it was set. */
const BOUND = /^(limit|capacity|budget|lower|upper|included|total|bought|purchased|booked|entitled)$/;

interface SeriesKind {
  words: readonly string[];
  curve: Curve;
  isRare: boolean;
}

const kinds = new Map<string, SeriesKind>();

function kindOfSeries(name: string, trend: readonly string[]): SeriesKind {
  const mark = `${name} ${trend.join(' ')}`;
  const known = kinds.get(mark);
  if (known !== undefined) return known;
  const own = wordsOf(name);
  const says = own.filter((word) => !STATISTIC.test(word));
  // `meanPercent` of a trend of loss is a share of loss.
  const words =
    says.length === 0 ? [...own, ...trend] : says.every((word) => UNIT.test(word)) ? [...trend, ...says] : own;
  // `wireless` of a trend of connected clients says how many of them there are.
  const ownCurve = curveOf(words);
  const curve = ownCurve === 'steady' && !words.some((word) => UNIT.test(word)) ? curveOf(trend) : ownCurve;
  const kind = { words, curve, isRare: own.some((word) => RARE.test(word)) };
  kinds.set(mark, kind);
  return kind;
}

const CURVES: readonly (readonly [test: RegExp, curve: Curve])[] = [
  [COMING, 'coming'],
  [PRESENCE, 'presence'],
  [FILL, 'fill'],
  [LOAD, 'load'],
  [DELAY, 'delay'],
  [RATING, 'rating'],
  [OWNED, 'owned'],
  [STOCK, 'stock'],
];

const curveOf = (words: readonly string[]): Curve =>
  CURVES.find(([test]) => words.some((word) => test.test(word)))?.[1] ?? 'steady';

/** What a network carries follows the working day; what it has, or how it is rated, does not. Signal levels, below zero, do not either. */
function valueAt(curve: Curve, usual: number, load: number, noise: number, ms: number, stepMs: number): number {
  if (usual < 0) return usual + noise * 6;
  // Logs are rotated every thirty days.
  if (curve === 'fill') return usual * (1 + ((ms / DAY_MS) % 30) * 0.004) + noise * 0.1;
  if (curve === 'presence') return usual * presenceAt(ms) * (1 + noise * PRESENCE_NOISE);
  if (curve === 'coming') return usual * comingAt(ms, stepMs) * (1 + noise * 0.2);
  if (curve === 'load') return usual * (0.35 + 0.85 * load) + noise * 0.12 * usual;
  if (curve === 'delay') return usual * (0.85 + 0.2 * load) + noise * 0.1 * usual;
  if (curve === 'rating') return usual * (1.02 - 0.05 * load + noise * 0.03);
  if (curve === 'owned') return usual;
  return usual * (1 + noise * (curve === 'stock' ? 0.04 : 0.025));
}

/** What is owned now was bought piece by piece, a thousandth of it a day. */
const ownedShare = (agoMs: number): number => Math.max(0, 1 - Math.max(0, agoMs / DAY_MS) * 0.001);

const MORNING = 7;
/** Mean of five working days and a weekend. */
const WHOLE_WEEK = 0.81;

/** What a day has of a working day; the weekend comes and goes over the hours of a night. */
function dayShare(date: Date, hour: number, weekend: number): number {
  const shareOf = (day: number) => (day === 0 || day === 6 ? weekend : 1);
  const [today, yesterday] = [shareOf(date.getUTCDay()), shareOf((date.getUTCDay() + 6) % 7)];
  return yesterday + (today - yesterday) * Math.min(1, hour / MORNING);
}

/** Share of a busy hour, 0.1 to 1: one bell over the working day, a third of it at the weekend. A sample of a day or more is about all of it. */
function loadAt(ms: number, stepMs = 0): number {
  const date = new Date(ms);
  if (stepMs > DAY_MS) return WHOLE_WEEK;
  if (stepMs === DAY_MS) return dayShare(date, MORNING, 0.35);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  return (0.3 + 0.7 * Math.exp(-((hour - 13) ** 2) / 22)) * dayShare(date, hour, 0.35);
}

/** Share of those who come at all that are there: few at night, most around noon, a tenth of them at the weekend. */
function presenceAt(ms: number): number {
  const date = new Date(ms);
  const hour = date.getUTCHours() + date.getUTCMinutes() / 60;
  return (0.06 + 0.94 * Math.exp(-((hour - 12.5) ** 4) / 600)) * dayShare(date, hour, 0.1);
}

/** Ups and downs of those who are there, small enough that those who came since the sample before account for every rise. */
const PRESENCE_NOISE = 0.015;

/** Share of those who come at all that came since the sample before: the rise, and those who take the place of others. */
function comingAt(ms: number, stepMs: number): number {
  const rise = Math.max(0, presenceAt(ms) - presenceAt(ms - stepMs));
  return rise * 1.3 + 0.02 * presenceAt(ms) * Math.min(12, stepMs / 300_000);
}

/** A share of the schema's range. A range wider than habit (counters, bit rates) is walked by magnitude. */
export function quantityAt(schema: Schema, share: number): number {
  const least = schema.minimum ?? 0;
  const most = schema.maximum ?? least + 100;
  const span = most - least;
  const value = span > 100_000 ? least + 10 ** (Math.log10(span) * (0.45 + share * 0.3)) : least + share * span;
  const whole = schema.type === 'integer' || (Array.isArray(schema.type) && schema.type.includes('integer'));
  return whole ? Math.round(value) : Math.round(value * 10) / 10;
}

export function timestampOf(bucketMs: number): string {
  return isoSeconds(bucketMs);
}
