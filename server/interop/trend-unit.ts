/** The unit of a trend, as the name of its metric or the caller's word for it says. */

export interface TrendUnit {
  unit: string;
  /** What one of the source is in the unit that is kept. */
  factor: number;
}

/** Units that a name ends in, and what one of it is in the unit that is kept. */
const UNITS: readonly (readonly [ending: RegExp, unit: string, factor: number])[] = [
  [/(percent|pct)$/i, '%', 1],
  [/ratio$/i, '%', 100],
  // Not the end of a longer word, such as alarms.
  [/(?:^|[^a-z]|latency|delay|rtt|jitter|time|duration)ms$/i, 'ms', 1],
  [/[a-z]Ms$/, 'ms', 1],
  [/(latency|millis|milliseconds?)$/i, 'ms', 1],
  [/dbm/i, 'dBm', 1],
  [/rssi|snr$/i, 'dB', 1],
  [/score$/i, 'score', 1],
];

/** Undefined where the name says no unit. */
export function unitOf(name: string): TrendUnit | undefined {
  const [, unit, factor = 1] = UNITS.find(([ending]) => ending.test(name)) ?? [];
  return dataUnitOf(name) ?? (unit === undefined ? undefined : { unit, factor });
}

/** Millions in one of each prefix; those with an i are powers of 1,024 (IEC 80000-13). */
const MILLIONS = new Map<string, number>([
  ['', 1e-6],
  ...['k', 'kilo'].map((prefix) => [prefix, 1e-3] as const),
  ...['m', 'mega'].map((prefix) => [prefix, 1] as const),
  ...['g', 'giga'].map((prefix) => [prefix, 1e3] as const),
  ...['t', 'tera'].map((prefix) => [prefix, 1e6] as const),
  ['ki', 1.024e-3],
  ['mi', 1.048576],
  ['gi', 1073.741824],
]);
const PER_SECOND = /[\s_-]{0,3}(?:per[\s_-]{0,3}|\/ ?)s(?:ec(?:onds?)?)?$/i;
const WHOLE = /^(kilo|mega|giga|tera|[kmg]i|[kmgt])?(b|bits?|bytes?)(ps)?$/i;
/** In a word that runs on, as `rxmbps`: the t of `clientbps` belongs to the word. */
const ENDING = /(kilo|mega|giga|tera|[kmg](?=bps))?(b(?=ps)|bits?|bytes?)(ps)?$/i;

/** Amounts of data in MB, and rates in Mbit/s. */
function dataUnitOf(name: string): TrendUnit | undefined {
  const text = name.trim().replace(PER_SECOND, 'ps');
  const word = text.split(/[^a-z]/i).at(-1) ?? '';
  const parts = word.split(/(?<=[a-z])(?=[A-Z])/);
  const found = [word, parts.slice(-2).join(''), parts.at(-1) ?? ''].map((part) => WHOLE.exec(part)).find(Boolean);
  const [whole, prefix = '', thing = '', rate] = found ?? ENDING.exec(word) ?? [];
  const millions = MILLIONS.get(prefix.toLowerCase()) ?? 1;
  // The B of `MBps` is a byte, that of `linkBps` begins a word.
  const isBytes = /^byte/i.test(thing) || (thing === 'B' && rate === 'ps' && (prefix !== '' || whole === text));
  if (rate !== undefined) return { unit: 'Mbit/s', factor: isBytes ? millions * 8 : millions };
  return isBytes ? { unit: 'MB', factor: millions } : undefined;
}
