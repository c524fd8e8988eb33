/** A number as an answer states it: a JSON number or text, its digits in groups or not, with its unit or without. */

/** Units by their signs, as the words under which a contract names them. A sign of no entry is a word itself (`dBm`, `clients`). */
const SIGNS = new Map([
  ['%', 'percent'],
  ['pct', 'percent'],
  ['w', 'watt'],
  ['v', 'volt'],
  ['a', 'ampere'],
  ['b', 'byte'],
  ['kb', 'kilobyte'],
  ['mb', 'megabyte'],
  ['gb', 'gigabyte'],
  ['ms', 'millisecond'],
  ['msec', 'millisecond'],
  ['s', 'second'],
  ['sec', 'second'],
  ['min', 'minute'],
  ['h', 'hour'],
  ['d', 'day'],
  ['c', 'celsius'],
  ['°', 'degree'],
  ['°c', 'celsius'],
  ['m', 'metre'],
]);
/** What stands between the groups: any kind of space counts, as `_`, `'` and `’` do. */
const BETWEEN = /[,\s_'’]/g;
const GROUPED = /^[+-]?\d{1,3}(?:[,\s_'’]\d{3})+(?:\.\d+)?$/;
const WITH_UNIT = /^([+-]?[\d.,\s_'’]*\d(?:e[+-]?\d+)?)\s*([^\d\s.,+_'’-][^\d]*)$/i;

/**
 * NaN where it states none. `contract` is what the contract says of the fact; a unit that stands behind the number has to be the
 * one that is named there, because `12 kW` are no 12 watts.
 */
export function statedNumber(value: unknown, contract: string): number {
  if (typeof value !== 'string') return typeof value === 'boolean' ? Number.NaN : Number(value);
  const text = value.trim().replace('−', '-');
  const [, digits, unit] = WITH_UNIT.exec(text) ?? [];
  if (digits === undefined || unit === undefined) return ungrouped(text);
  return isNamed(unit, contract) ? ungrouped(digits) : Number.NaN;
}

const ungrouped = (text: string): number =>
  text === '' ? Number.NaN : Number(GROUPED.test(text) ? text.replaceAll(BETWEEN, '') : text);

function isNamed(unit: string, contract: string): boolean {
  const named = new Set(wordsOf(contract).map(singular));
  return wordsOf(unit).every((word) => word === 'per' || named.has(singular(SIGNS.get(word) ?? word)));
}

const wordsOf = (text: string): string[] =>
  text
    .toLowerCase()
    .replaceAll('per cent', 'percent')
    .match(/[\p{L}/]+|%|°\p{L}?/gu) ?? [];
const singular = (word: string): string => (word.length > 3 ? word.replace(/s$/, '') : word);
