/** Facts that are lists: every meant row with the fields that the contract asks for. */
import type { Aliases } from './aliases.ts';
import type { Asked, Choice } from './asked.ts';
import type { Evidence } from './discovery.ts';
import { bestField, type Fact, factOf, fieldsFor, leavesIn } from './fact-fields.ts';
import { itemsOf } from './items.ts';
import { type Need, namedBy } from './needs.ts';
import type { Json } from './operation.ts';
import { hasState, rowsMeant, stateWords, withoutExamples } from './row-choice.ts';

type Found = Omit<Choice, 'fact'>;

export function listFor(asked: Asked, from: Evidence, aliases: Aliases): Found[] {
  const rows = itemsOf(from.json);
  if (rows === undefined) return inside(asked, from.json as Json, from, aliases);
  const meant = meantOf(asked, rows, from, aliases);
  const one = meant.rows.length === 1 || meant.score > 2 ? meant.rows[0] : undefined;
  return [
    ...rowsFor(asked.fact, meant.rows, meant.score, 'rows'),
    ...(one === undefined ? [] : inside(asked, one, from, aliases)),
  ];
}

/** A row counts for more the more of the clause it explains. */
function meantOf({ fact, need }: Asked, rows: readonly Json[], from: Evidence, aliases: Aliases) {
  const text = `${need.text} ${statesElsewhere(need)} ${withoutExamples(fact.description)}`;
  const meant = rowsMeant(rows, text, namedBy(need), aliases);
  const own = need.mentions.filter(
    ({ value, kind, secret }) => kind !== 'number' && !secret && need.text.includes(value),
  );
  const found = `${from.asked} ${[...meant.explained].join(' ')} ${JSON.stringify(meant.rows[0] ?? '')}`.toLowerCase();
  const missed = own.filter(({ value }) => !found.includes(value.toLowerCase())).length;
  return {
    rows: meant.rows,
    score:
      statesHeld(rows, text) +
      (meant.score > 0 ? 1 : 0) +
      (own.length === 0 ? 0 : missed === own.length ? -3 : 1.5 * (1 - missed / own.length)),
  };
}

/** States that only another part of the intent says. */
const statesElsewhere = ({ text, whole }: Need): string =>
  stateWords(text).length > 0 ? '' : stateWords(whole.text).join(' ');

/** A list that knows the states that are asked for is the one that is meant. */
function statesHeld(rows: readonly Json[], text: string): number {
  const said = stateWords(text);
  if (said.length === 0) return 0;
  return said.some((state) => rows.some((row) => hasState(row, state))) ? 1.5 : -3;
}

function inside(asked: Asked, object: Json, from: Evidence, aliases: Aliases): Found[] {
  const flat = fieldsFor(asked.fact, leavesIn(object), '', from.source).filter(({ value }) => Array.isArray(value));
  const lists = Object.entries(object ?? {}).flatMap(([name, value]) => {
    const rows = itemsOf(value);
    if (rows === undefined || rows.length === 0) return [];
    const meant = rowsMeant(rows, withoutExamples(asked.fact.description), namedBy(asked.need), aliases);
    return rowsFor(asked.fact, meant.rows, 0.5, name);
  });
  return [
    ...flat.slice(0, 2).map(({ score, value, leaf }) => ({
      score: score + ((value as unknown[]).length > 0 ? 1.5 : -2),
      value,
      place: leaf.path.join('.'),
    })),
    ...lists,
  ];
}

/** Every row with the fields that were asked for; nothing when a field is in none of them. */
function rowsFor(fact: Fact, rows: readonly Json[], bonus: number, place: string): Found[] {
  const properties = fact.items?.['properties'] as Record<string, Json> | undefined;
  const wanted =
    properties === undefined
      ? [factOf(fact.name, { ...fact.items, description: fact.description })]
      : Object.entries(properties).map(([name, schema]) => factOf(name, schema));
  const fields = fieldsOf(wanted, rows);
  if (rows.length === 0 || fields === undefined) return [];
  const values = rows.map((row) => wanted.map((one) => valueAt(one, row, fields.paths.get(one.name) ?? '')));
  if (values.some((row) => row.includes(undefined))) return [];
  // One word of one row is no list.
  const lonely = properties === undefined && rows.length === 1 ? 2.5 : 0;
  const value =
    properties === undefined
      ? [...new Set(values.map(([only]) => only))]
      : values.map((row) => Object.fromEntries(wanted.map((one, i) => [one.name, row[i]])));
  return [{ score: fields.score + bonus - lonely, value, place }];
}

/** The same field for a fact in every row, and for no two facts. */
function fieldsOf(
  wanted: readonly Fact[],
  rows: readonly Json[],
): { paths: Map<string, string>; score: number } | undefined {
  const sums = new Map<string, Map<string, number>>();
  for (const row of rows.slice(0, 20)) {
    const leaves = leavesIn(row);
    for (const fact of wanted) {
      const own = sums.get(fact.name) ?? new Map<string, number>();
      for (const { score, leaf } of fieldsFor(fact, leaves, ''))
        own.set(leaf.path.join('.'), (own.get(leaf.path.join('.')) ?? 0) + score / Math.min(rows.length, 20));
      sums.set(fact.name, own);
    }
  }
  const pairs = [...sums].flatMap(([name, own]) => [...own].map(([path, score]) => ({ name, path, score })));
  const paths = new Map<string, string>();
  const scores: number[] = [];
  for (const { name, path, score } of pairs.sort((a, b) => b.score - a.score)) {
    if (paths.has(name) || [...paths.values()].includes(path)) continue;
    paths.set(name, path);
    scores.push(score);
  }
  if (wanted.some(({ name }) => !paths.has(name))) return undefined;
  return { paths, score: scores.reduce((sum, one) => sum + one, 0) / scores.length };
}

function valueAt(fact: Fact, row: Json, path: string): unknown {
  const leaves = leavesIn(row).filter((leaf) => leaf.path.join('.') === path);
  return bestField({ ...fact }, leaves, '')?.value ?? leaves[0]?.value;
}
