/**
 * The facts of a final answer, whatever form it has: an object, an object in an envelope, a list of one row, JSON in
 * prose. Facts are compared by value, as far as the contract tolerates; names are compared without case and separators.
 */
import type { AnswerSchema, ListFact, ScalarFact, Tolerance } from '../scenario/scenario-schema.ts';
import { jsonValuesIn } from './json-in-text.ts';

type Json = Record<string, unknown>;
type RowFact = Pick<ScalarFact, 'type' | 'format' | 'tolerance'>;

/** How far inside an answer the facts may stand. */
const DEEPEST = 5;

export interface Difference {
  fact: string;
  expected: unknown;
  /** undefined: the answer does not have the fact. */
  actual: unknown;
}

/** The object that holds every fact, or the one that holds most of them; undefined where there is none, or several. */
export function factsIn(answer: unknown, schema: AnswerSchema): Json | undefined {
  const names = Object.keys(schema.properties);
  const found = holders(answer, names, schema, 0);
  const most = Math.max(0, ...found.map(({ held }) => held));
  const best = found.filter(({ held }) => held === most);
  const [first, ...others] = best;
  if (first === undefined || most === 0) return undefined;
  return others.every(({ facts }) => JSON.stringify(facts) === JSON.stringify(first.facts)) ? first.facts : undefined;
}

/** Why the answer says it was not done; undefined when it does not say so. */
export function refusalIn(answer: unknown): string | undefined {
  const refused = holders(answer, ['refused'], { type: 'object', properties: {} }, 0).map(
    ({ facts }) => facts['refused'],
  );
  const [reason] = refused.filter((value) => typeof value === 'string' && value.trim().length >= 3);
  return reason as string | undefined;
}

/** Every fact whose value is another one than expected, or that is not there. */
export function differencesOf(facts: Json | undefined, expected: Json, schema: AnswerSchema): Difference[] {
  return Object.entries(schema.properties).flatMap(([fact, form]) => {
    const actual = facts?.[fact];
    const same =
      form.type === 'array' ? sameList(expected[fact], actual, form) : sameValue(expected[fact], actual, form);
    return facts !== undefined && fact in facts && same ? [] : [{ fact, expected: expected[fact], actual }];
  });
}

interface Holder {
  facts: Json;
  held: number;
}

function holders(value: unknown, names: readonly string[], schema: AnswerSchema, depth: number): Holder[] {
  if (depth > DEEPEST) return [];
  if (typeof value === 'string') {
    const last = jsonValuesIn(value)
      .map((inner) => holders(inner, names, schema, depth + 1))
      .filter((found) => found.length > 0)
      .at(-1);
    return last ?? [];
  }
  if (typeof value !== 'object' || value === null) return [];
  const bare = bareList(value, schema);
  if (Array.isArray(value)) {
    // Of several rows none is the answer; a row alone is.
    const inside = value.length === 1 ? holders(value[0], names, schema, depth + 1) : [];
    return inside.length > 0 ? inside : bare;
  }
  const own = named(value as Json, names);
  const held = Object.keys(own).length;
  const inside = Object.values(value).flatMap((inner) => holders(inner, names, schema, depth + 1));
  return held > 0 ? [{ facts: own, held }, ...inside] : inside;
}

/** A contract of one list is also fulfilled by the list alone. */
function bareList(value: unknown, { properties }: AnswerSchema): Holder[] {
  const [only, ...others] = Object.entries(properties);
  if (!Array.isArray(value) || only === undefined || others.length > 0 || only[1].type !== 'array') return [];
  return [{ facts: { [only[0]]: value }, held: 1 }];
}

function named(value: Json, names: readonly string[]): Json {
  const byName = new Map(Object.entries(value).map(([name, inner]) => [folded(name), inner]));
  return Object.fromEntries(
    names.filter((name) => byName.has(folded(name))).map((name) => [name, byName.get(folded(name))]),
  );
}

function sameList(expected: unknown, actual: unknown, form: ListFact): boolean {
  if (!Array.isArray(expected) || !Array.isArray(actual) || expected.length !== actual.length) return false;
  const same = (one: unknown, other: unknown) => sameItem(one, other, form);
  if (form.tolerance?.order === 'same') return expected.every((item, i) => same(item, actual[i]));
  const left = [...actual];
  return expected.every((item) => {
    const at = left.findIndex((other) => same(item, other));
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
}

function sameItem(expected: unknown, actual: unknown, { items }: ListFact): boolean {
  if (items.type !== 'object') return sameValue(expected, actual, items);
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object') return false;
  const own = named(actual as Json, Object.keys(items.properties));
  return Object.entries(items.properties).every(
    ([field, form]) => field in own && sameValue((expected as Json)[field], own[field], form),
  );
}

function sameValue(expected: unknown, actual: unknown, { type, format, tolerance = {} }: RowFact): boolean {
  if (expected === null || expected === undefined) return actual === null || actual === '';
  if (actual === null || actual === undefined || typeof actual === 'object') return false;
  if (type === 'boolean') return String(expected) === String(actual).trim().toLowerCase();
  if (type === 'integer' || type === 'number') return sameNumber(expected, actual, tolerance);
  const [wanted, given] = [String(expected).trim(), String(actual).trim()];
  if (wanted === given) return true;
  if (format === 'mac') return bareMac(wanted) === bareMac(given);
  if (format === 'date') return dayOf(wanted) === dayOf(given);
  if (format === 'date-time') return Date.parse(wanted) === Date.parse(given);
  return tolerance.case === 'ignore' && folded(wanted) === folded(given);
}

function sameNumber(expected: unknown, actual: unknown, { within = 0 }: Tolerance): boolean {
  if (typeof actual === 'boolean' || (typeof actual === 'string' && actual.trim() === '')) return false;
  // Decimal numbers are not exact in binary: 0.1 + 0.2 is within 0.3.
  return Math.abs(Number(expected) - Number(actual)) <= within + 1e-9;
}

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
const bareMac = (text: string): string => text.toLowerCase().replaceAll(/[^0-9a-f]/g, '');

function dayOf(text: string): string {
  const stated = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const moment = Date.parse(text);
  return stated ?? (Number.isNaN(moment) ? text : new Date(moment).toISOString().slice(0, 10));
}
