/** When a sample of a trend was taken, and how far samples are apart, in the forms that platforms use. */

/** The first number of each unit since 1970 that stands for a date after 1973, and what one of it is in milliseconds. */
const SINCE_1970: readonly (readonly [from: number, milliseconds: number])[] = [
  [1e17, 1e-6],
  [1e14, 1e-3],
  [1e11, 1],
  [0, 1000],
];
/** ECMA-262, section 21.4.1.1: the latest time that a date holds. */
const LATEST = 8.64e15;
const ISO_WITHOUT_ZONE = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d(?:[.,]\d+)?)?)$/i;
const HAS_ZONE = /:\d\d(?:[.,]\d+)? ?(?:z|[+-]\d\d(?::?\d\d)?)$|\b(?:gmt|utc|ut|[ecmp][sd]t)\b/i;

/** Text, or a number of seconds, milliseconds, microseconds or nanoseconds since 1970; milliseconds since 1970. */
export function timeOf(value: unknown): number | undefined {
  if (typeof value === 'number') return ofNumber(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return ofNumber(Number(text));
  const at = Date.parse(inUtc(text.replace(DOTTED, '$2/$1/$3').replace(HOURS_ALONE, '$1:00')));
  return Number.isNaN(at) ? undefined : at;
}

function ofNumber(value: number): number | undefined {
  if (!(value > 0)) return undefined;
  const [, milliseconds = 1] = SINCE_1970.find(([from]) => value >= from) ?? [];
  const at = Math.round(value * milliseconds);
  return at > LATEST ? undefined : at;
}

/** `+02` alone is a zone as well (ISO 8601, section 4.3.13). */
const HOURS_ALONE = /(:\d\d(?:[.,]\d+)? ?[+-]\d\d)$/;
/** Days stand first where dots part them; `Date.parse` would read the month there. */
const DOTTED = /^(\d{1,2})\.(\d{1,2})\.(\d{4})(?=\D|$)/;

/** Text without a zone is UTC: `Date.parse` reads most of its forms in the zone of the host, which is not that of the platform. */
function inUtc(text: string): string {
  const [, date, time] = ISO_WITHOUT_ZONE.exec(text) ?? [];
  if (date !== undefined) return `${date}T${time?.replace(',', '.')}Z`;
  return HAS_ZONE.test(text) ? text : `${text} UTC`;
}

const SECONDS = new Map<string, number>([
  ...['ms', 'msec', 'milli', 'millisecond'].map((unit) => [unit, 1e-3] as const),
  ...['s', 'sec', 'second'].map((unit) => [unit, 1] as const),
  ...['m', 'min', 'minute'].map((unit) => [unit, 60] as const),
  ...['h', 'hr', 'hour'].map((unit) => [unit, 3600] as const),
  ...['d', 'day'].map((unit) => [unit, 86_400] as const),
  ...['w', 'wk', 'week'].map((unit) => [unit, 604_800] as const),
]);

/** ISO 8601, section 5.5.2; months and years have no length. */
const DURATION = /^P(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:(\d+(?:\.\d+)?)S)?)?$/i;
const DURATION_PARTS = [604_800, 86_400, 3600, 60, 1];

/** A number of seconds, also as text, `5m`, `5 minutes`, `PT5M` or `PT1H30M`. */
export function secondsOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value > 0 ? value : undefined;
  const text = String(value ?? '').trim();
  const parts = DURATION.exec(text)?.slice(1);
  if (parts)
    return parts.reduce((sum, part, i) => sum + Number(part ?? 0) * (DURATION_PARTS[i] as number), 0) || undefined;
  const [, count, unit = 's'] = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(text) ?? [];
  const name = unit.toLowerCase();
  const seconds = SECONDS.get(name) ?? SECONDS.get(name.replace(/s$/, '')) ?? 0;
  return seconds * Number(count) > 0 ? seconds * Number(count) : undefined;
}
