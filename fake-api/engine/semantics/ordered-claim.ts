/** Claims that one field is at most another: moments in time, and numbers. */
import {
  type Claim,
  fitted,
  momentOf,
  numberOf,
  type SenseField,
  type SenseRule,
  type Values,
  written,
} from './sense-rule.ts';

const HOUR = 3_600_000;
/** Endings that say that a field is a moment, and not which. */
const MOMENT_ENDINGS = new Set(['at', 'time', 'date', 'on', 'timestamp', 'datetime', 'ms', 'utc']);

/** Words of a moment's name without `at`, `time` and the like. */
export function stemOf({ words }: SenseField): string {
  const stem = [...words];
  while (stem.length > 1 && MOMENT_ENDINGS.has(stem.at(-1) as string)) stem.pop();
  return stem.join(' ');
}

function notAfter(earlier: SenseField, later: SenseField): Claim {
  return {
    names: [earlier.name, later.name],
    broken: (values) => {
      const [from, to] = [momentOf(values[earlier.name]), momentOf(values[later.name])];
      return from !== undefined && to !== undefined && from > to;
    },
    repair: (values, _nowMs, free) => {
      const [from, to] = [momentOf(values[earlier.name]), momentOf(values[later.name])];
      if (from === undefined || to === undefined) return {};
      if (free.has(earlier.name) && free.has(later.name))
        return { [earlier.name]: written(to, earlier), [later.name]: written(from, later) };
      if (free.has(later.name)) return { [later.name]: written(from + HOUR, later) };
      return free.has(earlier.name) ? { [earlier.name]: written(to - HOUR, earlier) } : {};
    },
  };
}

export function atMost(smaller: SenseField, larger: SenseField): Claim {
  return {
    names: [smaller.name, larger.name],
    broken: (values) => {
      const [low, high] = [numberOf(values[smaller.name]), numberOf(values[larger.name])];
      return low !== undefined && high !== undefined && low > high;
    },
    repair: (values, _nowMs, free): Values => {
      const [low, high] = [numberOf(values[smaller.name]), numberOf(values[larger.name])];
      if (low === undefined || high === undefined) return {};
      if (free.has(smaller.name) && free.has(larger.name)) {
        const swapped = { [smaller.name]: fitted(high, smaller), [larger.name]: fitted(low, larger) };
        return (swapped[smaller.name] as number) <= (swapped[larger.name] as number)
          ? swapped
          : { [smaller.name]: fitted(high, smaller) };
      }
      if (free.has(smaller.name)) return { [smaller.name]: fitted(high, smaller) };
      return free.has(larger.name) ? { [larger.name]: fitted(low, larger) } : {};
    },
  };
}

/** A rule about every pair of moments of one object whose names differ in these stems only, such as `window start` and `window end`. */
export function momentsInOrder(id: string, states: string, earlier: string, later: string): SenseRule {
  const [first, second] = [earlier.split(','), later.split(',')];
  return {
    id,
    states,
    claims: (fields) =>
      pairs(
        fields.filter(({ kind }) => kind === 'moment'),
        first,
        second,
        stemOf,
        notAfter,
      ),
  };
}

/** The same for numbers, by the words of their names. */
export function numbersInOrder(id: string, states: string, smaller: string, larger: string): SenseRule {
  const [first, second] = [smaller.split(','), larger.split(',')];
  return {
    id,
    states,
    claims: (fields) =>
      pairs(
        fields.filter(({ kind }) => kind === 'number'),
        first,
        second,
        ({ words }) => words.join(' '),
        atMost,
      ),
  };
}

function pairs(
  fields: readonly SenseField[],
  first: readonly string[],
  second: readonly string[],
  nameOf: (field: SenseField) => string,
  claim: (one: SenseField, other: SenseField) => Claim,
): Claim[] {
  const found: Claim[] = [];
  for (const one of fields) {
    const frame = frameOf(nameOf(one), first);
    if (frame === undefined) continue;
    for (const other of fields)
      if (other !== one && frameOf(nameOf(other), second) === frame) found.push(claim(one, other));
  }
  return found;
}

/** What stands around the word that matters: ` rate` of `min rate`; undefined where none of the words is there. */
function frameOf(name: string, words: readonly string[]): string | undefined {
  const padded = ` ${name} `;
  const word = words.find((each) => padded.includes(` ${each} `));
  return word === undefined ? undefined : padded.replace(` ${word} `, ' | ');
}
