/**
 * The facts of a final answer, whatever form it has: an object, an object in an envelope, a list of one row, JSON in
 * prose. Facts are compared by value, as far as the contract tolerates; names are compared without case and separators.
 */
import type { AnswerSchema, ListFact, ScalarFact } from '../scenario/scenario-schema.ts';
import { jsonValuesIn } from './json-in-text.ts';
import { statedDay, statedMoment } from './stated-moment.ts';
import { statedNumber } from './stated-number.ts';

type Json = Record<string, unknown>;
type RowFact = Pick<ScalarFact, 'type' | 'format' | 'tolerance'> & { description?: string };

/** How far inside an answer the facts may stand. */
const DEEPEST = 5;

export interface Difference {
  fact: string;
  expected: unknown;
  /** undefined: the answer does not have the fact. */
  actual: unknown;
}

/**
 * The object that holds every fact, or the one that holds most of them; of several the one that stands highest. Undefined where
 * there is none, or where several stand equally high and differ.
 */
export function factsIn(answer: unknown, schema: AnswerSchema): Json | undefined {
  const found = holdersIn(answer, schema, 0);
  const most = Math.max(...found.map(({ held }) => held));
  const best = found.filter(({ held }) => held === most);
  const highest = Math.min(...best.map(({ depth }) => depth));
  const [first, ...others] = best.filter(({ depth }) => depth === highest).map(({ facts }) => facts);
  return others.every((facts) => JSON.stringify(facts) === JSON.stringify(first)) ? first : undefined;
}

/** Texts under the name of a reason that say that there is none. */
const NO_REASON = new Set([
  ...['', 'none', 'na', 'null', 'nil', 'no', 'false', 'nothing', 'empty', 'done', 'completed', 'undefined', 'success'],
  ...['notrefused', 'noneneeded', 'noreason', 'notapplicable', 'nanotapplicable', 'notneeded'],
]);
/** As a sentence, whatever follows. */
const NOT_REFUSED =
  /^(?:(?:none|n\/a)\s?[-–—:;,.(]|(?:(?:it |this )?(?:was |is )?not refused|nothing (?:was |is )?refused|no refusal)\b)/i;

/** Why the answer says it was not done; undefined when it does not say so. */
export function refusalIn(answer: unknown): string | undefined {
  const reasons = named(answer, ['refused'], 0).map(({ facts }) => facts['refused']);
  return reasons
    .filter((value) => typeof value === 'string')
    .find((value) => value.trim().length >= 3 && !NO_REASON.has(folded(value)) && !NOT_REFUSED.test(value.trim()));
}

/** Every fact whose value is another one than expected, or that is not there. */
export function differencesOf(facts: Json | undefined, expected: Json, schema: AnswerSchema): Difference[] {
  return Object.entries(schema.properties).flatMap(([fact, form]) => {
    const actual = facts?.[fact];
    const same =
      form.type === 'array'
        ? sameList(expected[fact], actual, form, fact)
        : sameValue(expected[fact], actual, form, fact);
    return facts !== undefined && fact in facts && same ? [] : [{ fact, expected: expected[fact], actual }];
  });
}

interface Holder {
  facts: Json;
  held: number;
  depth: number;
}

/** Of several JSON values in prose the last that holds something. A list without its name counts where no name is found. */
function holdersIn(answer: unknown, schema: AnswerSchema, depth: number): Holder[] {
  if (typeof answer === 'string') return lastOf(answer, (inner) => holdersIn(inner, schema, depth + 1), depth);
  const found = named(answer, Object.keys(schema.properties), depth);
  return found.length > 0 ? found : bareLists(answer, schema, depth);
}

function lastOf(text: string, find: (value: unknown) => Holder[], depth: number): Holder[] {
  if (depth > DEEPEST) return [];
  const found = jsonValuesIn(text).map(find);
  return found.findLast((holders) => holders.length > 0) ?? [];
}

/** Every object that has a field of one of these names. */
function named(value: unknown, names: readonly string[], depth: number): Holder[] {
  if (typeof value === 'string') return lastOf(value, (inner) => named(inner, names, depth + 1), depth);
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
  const own = Array.isArray(value) ? {} : fieldsOf(value as Json, names);
  const held = Object.keys(own).length;
  const inside = insideOf(value).flatMap((inner) => named(inner, names, depth + 1));
  return held > 0 ? [{ facts: own, held, depth }, ...inside] : inside;
}

/** A contract of one list is also fulfilled by the list alone, of rows or of values as the contract has it. */
function bareLists(value: unknown, schema: AnswerSchema, depth: number): Holder[] {
  const [only, ...others] = Object.entries(schema.properties);
  if (only === undefined || others.length > 0 || only[1].type !== 'array') return [];
  if (typeof value === 'string') return lastOf(value, (inner) => bareLists(inner, schema, depth + 1), depth);
  if (depth > DEEPEST || typeof value !== 'object' || value === null) return [];
  const inside = insideOf(value).flatMap((inner) => bareLists(inner, schema, depth + 1));
  if (inside.length > 0 || !Array.isArray(value)) return inside;
  const hasRows = only[1].items.type === 'object';
  const isOfForm = value.every((item) => (typeof item === 'object' && item !== null) === hasRows);
  return isOfForm ? [{ facts: { [only[0]]: value }, held: 1, depth }] : [];
}

/** Of several rows none is the answer; a row alone is. */
const insideOf = (value: object): unknown[] => (Array.isArray(value) && value.length !== 1 ? [] : Object.values(value));

function fieldsOf(value: Json, names: readonly string[]): Json {
  const byName = new Map(Object.entries(value).map(([name, inner]) => [folded(name), inner]));
  return Object.fromEntries(
    names.filter((name) => byName.has(folded(name))).map((name) => [name, byName.get(folded(name))]),
  );
}

function sameList(expected: unknown, actual: unknown, form: ListFact, name: string): boolean {
  if (!Array.isArray(expected)) return false;
  if (!Array.isArray(actual)) return expected.length === 0 && isNoValue(actual);
  if (expected.length !== actual.length) return false;
  const same = (one: unknown, other: unknown) => sameItem(one, other, form, name);
  if (form.tolerance?.order === 'same') return expected.every((item, i) => same(item, actual[i]));
  // With a tolerance an item may stand for several: one that is taken is given up where its own finds another.
  const takenBy = new Map<number, unknown>();
  const finds = (item: unknown, tried: Set<number>): boolean =>
    actual.some((other, at) => {
      if (tried.has(at) || !same(item, other)) return false;
      tried.add(at);
      if (takenBy.has(at) && !finds(takenBy.get(at), tried)) return false;
      takenBy.set(at, item);
      return true;
    });
  return expected.every((item) => finds(item, new Set()));
}

function sameItem(expected: unknown, actual: unknown, { items, description }: ListFact, name: string): boolean {
  if (items.type !== 'object') return sameValue(expected, actual, { ...items, description }, name);
  if (typeof actual !== 'object' || actual === null || typeof expected !== 'object') return false;
  const own = fieldsOf(actual as Json, Object.keys(items.properties));
  return Object.entries(items.properties).every(
    ([field, form]) => field in own && sameValue((expected as Json)[field], own[field], form, field),
  );
}

function sameValue(expected: unknown, actual: unknown, form: RowFact, name: string): boolean {
  if (expected === null || expected === undefined) return isNoValue(actual);
  if (actual === null || actual === undefined || typeof actual === 'object') return false;
  const [wanted, given] = [String(expected).trim(), String(actual).trim()];
  if (form.type === 'boolean') return wanted === (SAID.get(given.toLowerCase()) ?? given.toLowerCase());
  if (form.type === 'string') return wanted === given || sameText(wanted, given, form);
  const stated = statedNumber(actual, `${name.replaceAll('_', ' ')} ${form.description ?? ''}`);
  // Decimal numbers are not exact in binary: 0.1 + 0.2 is within 0.3.
  return Math.abs(Number(expected) - stated) <= (form.tolerance?.within ?? 0) + 1e-9;
}

function sameText(wanted: string, given: string, { format, tolerance }: RowFact): boolean {
  if (format === 'mac') return bareMac(wanted) === bareMac(given);
  if (format === 'date') return statedDay(wanted) === statedDay(given);
  if (format === 'date-time') return statedMoment(wanted) === statedMoment(given);
  return tolerance?.case === 'ignore' && withoutCase(wanted) === withoutCase(given);
}

const isNoValue = (actual: unknown): boolean =>
  actual === null || (typeof actual === 'string' && /^(?:|null|none(?: found)?|n\/a)$/i.test(actual.trim()));
const SAID = new Map([
  ['yes', 'true'],
  ['no', 'false'],
]);

const folded = (text: string): string => text.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, '');
/** A run of letters, or a number with its sign and its dots. */
const WORD = /\p{L}+|(?:(?<![^\s([{=:])[-+])?\p{N}+(?:\.\p{N}+)*/gu;
/** Without case and what stands between words. Of numbers sign and dots count: `-3` is not `3`, nor `1.23` `12.3`, nor `1 23` `123`. */
const withoutCase = (text: string): string =>
  (text.toLowerCase().match(WORD) ?? []).join(' ').replaceAll(/(?<=\p{L}) | (?=\p{L})/gu, '');
const bareMac = (text: string): string => text.toLowerCase().replaceAll(/[\s:.-]/g, '');
