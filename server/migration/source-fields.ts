/** Tells which fields of a source item a builder modelled, and keeps every other one aside. */
import { EMPTY } from './secret-field.ts';
import { flagOf, scalarOf } from './unwrap.ts';

/**
 * The values with which the controller delivers a field it was never told: they ask for nothing, so nothing is lost with
 * them. Any other value of such a field is unsupported.
 */
export type Neutral = Readonly<Record<string, string | number | boolean>>;

/** Fields of an item that a builder has no place for. */
export interface Unmodelled {
  /** By name, with their values. */
  unsupported: Readonly<Record<string, unknown>>;
  /** Names of those that equal an assumed default of the controller: nothing is lost where the assumption holds. */
  assumed: readonly string[];
}

export function unmodelledOf(
  fields: Readonly<Record<string, unknown>>,
  modelled: readonly string[],
  neutral: Neutral = {},
): Unmodelled {
  const known = new Set(modelled);
  const left = Object.entries(fields).filter(([name, value]) => !known.has(name) && !isNothing(value));
  const isAssumed = ([name, value]: [string, unknown]) => isNeutral(name, value, neutral);
  return {
    unsupported: Object.fromEntries(left.filter((entry) => !isAssumed(entry))),
    assumed: left.filter(isAssumed).map(([name]) => name),
  };
}

/** Null, an empty text, an empty list or object, and a secret that is not set. */
export function isNothing(value: unknown): boolean {
  if (value === null || value === undefined || value === '' || value === EMPTY) return true;
  return typeof value === 'object' && Object.values(value).every(isNothing);
}

function isNeutral(name: string, value: unknown, neutral: Neutral): boolean {
  if (!Object.hasOwn(neutral, name)) return false;
  const expected = neutral[name];
  const inner = scalarOf(value);
  return typeof expected === 'boolean' ? flagOf(value) === expected : String(inner) === String(expected);
}
