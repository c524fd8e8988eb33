/** Fills the answer contract from what was read: each fact from the field that fits it best. */
import { bestField, type Fact, factOf, leavesIn, likeness, stems } from './fact-fields.ts';
import { itemsOf, meantItem, rowsMeant } from './items.ts';
import type { Json } from './operation.ts';
import type { Intent } from './task-intent.ts';

/** What one call brought. */
export interface Evidence {
  json: unknown;
  /** Name and description of the tool, whose words say where the answer is from. */
  source: string;
  /** It answers a request of the intent; others were read on the way. */
  isAnswer: boolean;
}

export interface Answer {
  facts: Json;
  missing: Fact[];
}

interface Scored {
  score: number;
  value: unknown;
}

const COUNTED = /\b(?:how many|number of|count of) (.*)/i;
const EARLIER = /\b(before|previous|would have|old|so far|until now)\b/i;
const LATER = /\b(after|afterwards|new|now|then)\b/i;

export function factsWanted(contract: { properties: Record<string, unknown> }): Fact[] {
  return Object.entries(contract.properties)
    .filter(([name]) => name !== 'refused')
    .map(([name, schema]) => factOf(name, schema as Json));
}

/** `evidence` in the order in which it was read. */
export function fillAnswer(wanted: readonly Fact[], evidence: readonly Evidence[], intent: Intent): Answer {
  const facts: Json = {};
  const missing: Fact[] = [];
  for (const fact of wanted) {
    const found = evidence.flatMap((one, at) => {
      const scored = fact.type === 'array' ? listFor(fact, one, intent) : valueFor(fact, one, intent);
      return scored === undefined
        ? []
        : [
            {
              ...scored,
              score: scored.score + fits(fact, one) + Number(one.isAnswer) + moment(fact, at, evidence.length),
            },
          ];
    });
    const [best] = found.sort((a, b) => b.score - a.score);
    if (best === undefined) missing.push(fact);
    else facts[fact.name] = best.value;
  }
  return { facts, missing };
}

/** How much of the fact's own words the tool has: "… in the analytics" is answered by the analytics. */
function fits(fact: Fact, { source }: Evidence): number {
  const words = stems(source);
  return 1.5 * likeness(fact.about, words) + 0.5 * likeness(fact.words, words);
}

/** What is asked for as it was before stands in an early answer, what it is now in a late one. */
function moment({ description, name }: Fact, at: number, count: number): number {
  const share = count < 2 ? 0 : at / (count - 1);
  const text = `${name.replaceAll('_', ' ')} ${description}`;
  if (EARLIER.test(text)) return 1 - share;
  return LATER.test(text) ? share : 0.2 * share;
}

function valueFor(fact: Fact, one: Evidence, intent: Intent): Scored | undefined {
  const counted = countIn(fact, one, intent);
  const row = rowIn(one.json, intent);
  const best = row === undefined ? undefined : bestField(fact, leavesIn(row), intent.text, one.source);
  if (counted === undefined) return best;
  return best !== undefined && best.score > counted.score ? best : counted;
}

/** Of a list the number of its entries is a fact, all pages included, where it is a list of what is counted. */
function countIn(fact: Fact, { json, source }: Evidence, intent: Intent): Scored | undefined {
  const noun = COUNTED.exec(fact.description)?.[1];
  if (noun === undefined || fact.type === 'string') return undefined;
  const items = itemsOf(json);
  const about = likeness(stems(noun).slice(0, 2), stems(source));
  if (items === undefined || about === 0) return undefined;
  const narrowed = rowsMeant(items, intent);
  const total = (json as { _pagination?: { total?: unknown } })._pagination?.total;
  const all = typeof total === 'number' ? total : items.length;
  return { score: 2 * about, value: narrowed.length < items.length ? narrowed.length : all };
}

/** The object an answer is about: itself, its only row, or the row that the intent names. */
function rowIn(json: unknown, intent: Intent): unknown {
  const items = itemsOf(json);
  if (items === undefined) return json;
  const meant = rowsMeant(items, intent);
  return items.length === 1 ? items[0] : (meantItem(items, intent) ?? (meant.length === 1 ? meant[0] : undefined));
}

function listFor(fact: Fact, { json }: Evidence, intent: Intent): Scored | undefined {
  const items = itemsOf(json);
  const rows = items === undefined ? undefined : rowsFor(fact, rowsMeant(items, intent));
  if (rows !== undefined) return rows;
  const row = items === undefined ? json : rowIn(json, intent);
  return row === undefined ? undefined : innerList(fact, row, intent);
}

function innerList(fact: Fact, row: unknown, intent: Intent): Scored | undefined {
  const flat = bestField(fact, leavesIn(row), intent.text);
  if (Array.isArray(flat?.value)) return flat;
  return Object.values((row ?? {}) as Json)
    .flatMap((value) => (itemsOf(value)?.length ? (rowsFor(fact, itemsOf(value) as Json[]) ?? []) : []))
    .sort((a, b) => b.score - a.score)[0];
}

/** Every row with the fields that were asked for; undefined when a field is in none of them. */
function rowsFor(fact: Fact, items: readonly Json[]): Scored | undefined {
  const properties = fact.items?.['properties'] as Record<string, Json> | undefined;
  const wanted =
    properties === undefined
      ? [factOf(fact.name, { ...fact.items, description: fact.description })]
      : Object.entries(properties).map(([name, schema]) => factOf(name, schema));
  let score = 0;
  const rows = items.map((item) => {
    const found = wanted.map((one) => {
      // What the intent names is the same in every row, and no fact of one.
      const best = bestField(one, leavesIn(item), '');
      score += (best?.score ?? 0) / items.length / wanted.length;
      return [one.name, best?.value] as const;
    });
    return found.some(([, value]) => value === undefined) ? undefined : Object.fromEntries(found);
  });
  if (rows.length === 0 || rows.includes(undefined)) return undefined;
  return { score, value: properties === undefined ? rows.map((row) => Object.values(row as Json)[0]) : rows };
}
