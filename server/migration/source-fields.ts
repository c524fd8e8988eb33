/** Reads the fields of one source item, and keeps aside what nobody asked for and what could not be read. */
import { canonicalJson } from '../dispatch/canonical-json.ts';
import { isNothing, isWhole } from './secret-field.ts';
import { flagOf, numberOf, scalarOf, textOf } from './unwrap.ts';

/**
 * The values with which the controller delivers a field it was never told: they ask for nothing, so nothing is lost with
 * them. Any other value of such a field is unsupported.
 */
export type Neutral = Readonly<Record<string, string | number | boolean>>;

/** Fields of an item that a candidate has no place for. */
export interface Unmodelled {
  /** By name, with their values. */
  unsupported: Readonly<Record<string, unknown>>;
  /** Names of those that equal an assumed default of the controller: nothing is lost where the assumption holds. */
  assumed: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;
type Reader<T> = (value: unknown, name: string) => T | undefined;

/**
 * A field counts as modelled because it was read, so none is modelled and forgotten. Of several names of one field the
 * first that is set counts; another one that says something else is kept aside.
 */
export class SourceFields {
  readonly #fields: Fields;
  readonly #neutral: Neutral;
  readonly #asked = new Set<string>();
  readonly #aside = new Map<string, unknown>();

  constructor(fields: Fields, neutral: Neutral = {}) {
    this.#fields = fields;
    this.#neutral = neutral;
  }

  /** What is left of a text without its credential says something else, so it counts as one that cannot be read. */
  text(...names: string[]): string | undefined {
    const wholeText = (value: unknown) => {
      const text = textOf(value);
      return text !== undefined && isWhole(text) ? text : undefined;
    };
    return this.read(wholeText, ...names);
  }

  number(...names: string[]): number | undefined {
    return this.read(numberOf, ...names);
  }

  /** An empty text, list or object is undetermined, which is not false. */
  flag(name: string): boolean | undefined {
    const value = this.#fields[name];
    const flag = flagOf(value);
    this.#asked.add(name);
    if (flag === undefined && value !== undefined && value !== null) this.#aside.set(name, value);
    return flag;
  }

  /** What the reader makes of each entry; one that it cannot read, or not wholly, is kept aside. */
  entries<T>(reader: (entry: SourceFields) => T | undefined, ...names: string[]): T[] {
    const readAll: Reader<T[]> = (list, name) => {
      const aside: unknown[] = [];
      const read = listOf(list).flatMap((entry) => {
        const fields = new SourceFields(isObject(entry) ? entry : { name: entry });
        const value = reader(fields);
        if (value === undefined || Object.keys(fields.left().unsupported).length > 0) aside.push(entry);
        return value === undefined ? [] : [value];
      });
      if (aside.length > 0) this.#aside.set(name, aside);
      return read;
    };
    return this.read(readAll, ...names) ?? [];
  }

  read<T>(reader: Reader<T>, ...names: string[]): T | undefined {
    let found: T | undefined;
    for (const name of names) {
      this.#asked.add(name);
      const value = this.#fields[name];
      if (isNothing(value)) continue;
      const read = reader(value, name);
      const differs = read === undefined || (found !== undefined && canonicalJson(read) !== canonicalJson(found));
      if (differs) this.#aside.set(name, value);
      found ??= read;
    }
    return found;
  }

  /** Whether the field is set and could not be read wholly. */
  isAside(name: string): boolean {
    return this.#aside.has(name);
  }

  left(): Unmodelled {
    const others = Object.entries(this.#fields).filter(([name, value]) => !this.#asked.has(name) && !isNothing(value));
    const isAssumed = ([name, value]: [string, unknown]) => isNeutral(name, value, this.#neutral);
    return {
      unsupported: Object.fromEntries([...others.filter((entry) => !isAssumed(entry)), ...this.#aside]),
      assumed: others.filter(isAssumed).map(([name]) => name),
    };
  }
}

export const listOf = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((entry) => !isNothing(entry));

function isObject(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isNeutral(name: string, value: unknown, neutral: Neutral): boolean {
  if (!Object.hasOwn(neutral, name)) return false;
  const expected = neutral[name];
  const inner = scalarOf(value);
  return typeof expected === 'boolean' ? flagOf(value) === expected : String(inner) === String(expected);
}
