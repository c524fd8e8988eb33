/** Fills the answer contract from what was read: each fact from the field that fits it best. */
import { bestField, type Fact, factOf, leavesIn } from './fact-fields.ts';
import { itemsOf, meantItem, rowsMeant } from './items.ts';
import type { Json } from './operation.ts';
import type { Intent } from './task-intent.ts';

export interface Answer {
  facts: Json;
  missing: Fact[];
}

const COUNTS = /\b(how many|number of|count of)\b/i;

export function factsWanted(contract: { properties: Record<string, unknown> }): Fact[] {
  return Object.entries(contract.properties)
    .filter(([name]) => name !== 'refused')
    .map(([name, schema]) => factOf(name, schema as Json));
}

/** `answers` in the order in which they count: an earlier one is asked first. */
export function fillAnswer(wanted: readonly Fact[], answers: readonly unknown[], intent: Intent): Answer {
  const facts: Json = {};
  const missing: Fact[] = [];
  for (const fact of wanted) {
    const value = fact.type === 'array' ? listFor(fact, answers, intent) : valueFor(fact, answers, intent);
    if (value === undefined) missing.push(fact);
    else facts[fact.name] = value;
  }
  return { facts, missing };
}

function valueFor(fact: Fact, answers: readonly unknown[], intent: Intent): unknown {
  const found = answers.flatMap((answer, at) => {
    const counted = countIn(fact, answer, intent);
    if (counted !== undefined) return [{ score: 4 - at * 0.1, value: counted }];
    const row = rowIn(answer, intent);
    const best = row === undefined ? undefined : bestField(fact, leavesIn(row), intent.text);
    return best === undefined ? [] : [{ score: best.score - at * 0.1, value: best.value }];
  });
  return found.sort((a, b) => b.score - a.score)[0]?.value;
}

/** Of a list the number of its entries is a fact, all pages included. */
function countIn(fact: Fact, answer: unknown, intent: Intent): number | undefined {
  const items = itemsOf(answer);
  if (items === undefined || fact.type === 'string' || !COUNTS.test(fact.description)) return undefined;
  const narrowed = rowsMeant(items, intent);
  if (narrowed.length < items.length) return narrowed.length;
  const total = (answer as { _pagination?: { total?: unknown } })._pagination?.total;
  return typeof total === 'number' ? total : items.length;
}

/** The object an answer is about: itself, its only row, or the row that the intent names. */
function rowIn(answer: unknown, intent: Intent): unknown {
  const items = itemsOf(answer);
  if (items === undefined) return answer;
  return items.length === 1 ? items[0] : meantItem(items, intent);
}

function listFor(fact: Fact, answers: readonly unknown[], intent: Intent): unknown[] | undefined {
  for (const answer of answers) {
    const items = itemsOf(answer);
    const rows = items === undefined ? undefined : rowsFor(fact, rowsMeant(items, intent), intent);
    if (rows !== undefined) return rows;
    const row = items === undefined ? answer : rowIn(answer, intent);
    const inner = row === undefined ? undefined : innerList(fact, row, intent);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

function innerList(fact: Fact, row: unknown, intent: Intent): unknown[] | undefined {
  const flat = bestField(fact, leavesIn(row), intent.text)?.value;
  if (Array.isArray(flat)) return flat;
  const lists = Object.entries((row ?? {}) as Json).filter(([, value]) => itemsOf(value)?.length);
  for (const [, list] of lists) {
    const rows = rowsFor(fact, itemsOf(list) as Json[], intent);
    if (rows !== undefined) return rows;
  }
  return undefined;
}

/** Every row with the fields that were asked for; undefined when a field is in none of them. */
function rowsFor(fact: Fact, items: readonly Json[], intent: Intent): unknown[] | undefined {
  const properties = (fact.items?.['properties'] ?? undefined) as Record<string, Json> | undefined;
  const wanted =
    properties === undefined
      ? [factOf(fact.name, { ...fact.items, description: fact.description })]
      : Object.entries(properties).map(([name, schema]) => factOf(name, schema));
  const rows = items.map((item) => {
    const found = wanted.map((one) => [one.name, bestField(one, leavesIn(item), intent.text)?.value] as const);
    return found.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(found);
  });
  if (rows.length === 0 || rows.includes(undefined)) return undefined;
  return properties === undefined ? rows.map((row) => Object.values(row as Json)[0]) : rows;
}
