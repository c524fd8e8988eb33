/** Fills the answer contract from what was read: each fact from the field that fits it best, and no field twice. */
import type { Aliases } from './aliases.ts';
import type { Asked, Choice } from './asked.ts';
import type { Evidence } from './discovery.ts';
import { type Fact, factOf, fieldsFor, type Leaf, leavesIn } from './fact-fields.ts';
import { itemsOf } from './items.ts';
import { listFor } from './list-facts.ts';
import { type Need, namedBy } from './needs.ts';
import type { Json } from './operation.ts';
import { extremeOf, rowsMeant, withoutExamples } from './row-choice.ts';
import { alike, likeness, stems } from './word-likeness.ts';

export interface Answer {
  facts: Json;
  /** How much speaks for each fact that was found. */
  scores: Record<string, number>;
}

const SHARED = 1.5;
const LATER = /\b(now|then|afterwards|after|new)\b/i;
export const EARLIER = /\b(before|previous|previously|would have|old|so far|until now)\b/i;

export function factsWanted(contract: { properties: Record<string, unknown> }): Fact[] {
  return Object.entries(contract.properties)
    .filter(([name]) => name !== 'refused')
    .map(([name, schema]) => factOf(name, schema as Json));
}

/** `evidence` in the order in which it was read. */
export function fillAnswer(asked: readonly Asked[], evidence: readonly Evidence[], aliases: Aliases): Answer {
  const choices = choicesFor(asked, evidence, aliases);
  const facts: Json = {};
  const scores: Record<string, number> = {};
  const taken = new Set<string>();
  for (;;) {
    const [best] = choices
      .filter(({ fact }) => !(fact.name in facts))
      .map((choice) => ({ ...choice, score: choice.score - (taken.has(choice.place) ? SHARED : 0) }))
      .sort((a, b) => b.score - a.score);
    if (best === undefined) return { facts, scores };
    facts[best.fact.name] = best.value;
    scores[best.fact.name] = best.score;
    taken.add(best.place);
  }
}

export const choicesFor = (asked: readonly Asked[], evidence: readonly Evidence[], aliases: Aliases): Choice[] => {
  const changed = evidence.some(({ when }) => when === 'change');
  return asked.flatMap((one) => evidence.flatMap((from, at) => choicesIn(one, from, at, aliases, changed)));
};

function choicesIn(asked: Asked, from: Evidence, at: number, aliases: Aliases, changed: boolean): Choice[] {
  const { fact } = asked;
  const bonus = fits(asked, from) + moment(asked, from, changed);
  const found = fact.type === 'array' ? listFor(asked, from, aliases) : valuesFor(asked, from, aliases);
  return found.map((one) => ({ ...one, fact, score: one.score + bonus, place: `${at} ${one.place}` }));
}

/** What the first place in a search by the intent's own words is worth. */
const CREDIT = 1.5;

/** How well the tool suits the fact: it is of the platform, and has words of the fact and of its clause. */
function fits({ fact, need, platform }: Asked, from: Evidence): number {
  const words = stems(from.source);
  const where = platform === undefined || from.platform === undefined ? 0 : platform === from.platform ? 1.5 : -4;
  return (
    where +
    CREDIT * Math.min(1, from.credit.points) +
    1.2 * likeness(fact.about, words) +
    0.5 * likeness(fact.words, words) +
    0.8 * likeness(contentOf(need), words)
  );
}

const contentOf = ({ words }: Need): string[] => words.flatMap((word) => stems(word)).filter((word) => word.length > 3);

/** What is asked for as it was before stands in an answer from before the change, all else in the latest. */
function moment({ fact }: Asked, { when }: Evidence, changed: boolean): number {
  const isEarlier = EARLIER.test(`${fact.name.replaceAll('_', ' ')} ${fact.description}`);
  if (isEarlier) return when === 'before' ? 1.5 : -4;
  const isLater = LATER.test(`${fact.name.replaceAll('_', ' ')} ${fact.description}`);
  return when === 'before' ? (isLater && changed ? -2 : 0) : 0.7;
}

function valuesFor(asked: Asked, from: Evidence, aliases: Aliases): Omit<Choice, 'fact'>[] {
  const counted = countIn(asked, from, aliases);
  return [
    ...(counted === undefined ? [] : [counted]),
    ...objectsIn(asked, from, aliases).flatMap((one) => fieldChoices(asked, from, one)),
  ];
}

interface Candidate {
  leaves: Leaf[];
  /** What speaks for this object. */
  score: number;
  place: string;
}

/** What speaks for an object that the clause names; a change is about it by what it was asked for. */
const ABOUT = 1.5;

/** The object that an answer is about, its meant row, and the meant rows of the lists inside it. */
function objectsIn({ fact, need }: Asked, from: Evidence, aliases: Aliases): Candidate[] {
  const rows = itemsOf(from.json);
  const context = { text: `${need.text} ${withoutExamples(fact.description)}`, need, aliases };
  if (rows !== undefined) return chosen(rows, context, from.asked, 0);
  const object = (from.json ?? {}) as Json;
  const inner = Object.entries(object).flatMap(([name, value]) =>
    (itemsOf(value)?.length ?? 0) === 0
      ? []
      : chosen(itemsOf(value) ?? [], context, from.asked, 1).map((one) => within(name, one)),
  );
  return [
    {
      leaves: leavesIn(object),
      score: Math.max(about(need, `${from.asked} ${JSON.stringify(object)}`), from.when === 'change' ? ABOUT : -9),
      place: '',
    },
    ...inner,
  ];
}

/** A series of samples is not what something is now. */
const SERIES = /^(samples|series|points|history|buckets)$/i;

const within = (name: string, { leaves, score, place }: Candidate): Candidate => ({
  leaves: leaves.map((leaf) => ({ ...leaf, path: [name, ...leaf.path] })),
  score: score - (SERIES.test(name) ? 1.5 : 0),
  place: `${name} ${place}`,
});

function chosen(
  rows: readonly Json[],
  { text, need, aliases }: { text: string; need: Need; aliases: Aliases },
  asked: string,
  depth: number,
): Candidate[] {
  const meant = rowsMeant(rows, text, namedBy(need), aliases);
  const extreme = meant.rows.length === 1 ? meant.rows[0] : extremeOf(meant.rows, text);
  const row = extreme ?? agreed(meant.rows);
  if (row === undefined) return [];
  const found = JSON.stringify(row) + asked + [...meant.explained].join(' ');
  const score = about(need, found) - (meant.score > 0 || extreme !== undefined ? 0 : 1);
  const nested =
    depth > 0
      ? []
      : Object.entries(row).flatMap(([name, value]) =>
          (itemsOf(value)?.length ?? 0) === 0
            ? []
            : chosen(itemsOf(value) ?? [], { text, need, aliases }, found, 1).map((one) => within(name, one)),
        );
  return [{ leaves: leavesIn(row), score, place: `row ${rows.indexOf(row)}` }, ...nested];
}

/** What all rows have in common can be told of any of them. */
function agreed(rows: readonly Json[]): Json | undefined {
  const [first] = rows;
  if (first === undefined) return undefined;
  const common = Object.entries(first).filter(([name, value]) =>
    rows.every((row) => JSON.stringify(row[name]) === JSON.stringify(value)),
  );
  return common.length === 0 ? undefined : Object.fromEntries(common);
}

/** An answer about what the clause names speaks louder than one about something else. */
function about(need: Need, answer: string): number {
  const folded = answer.toLowerCase();
  const named = namedBy(need).filter(({ kind, secret }) => kind !== 'number' && kind !== 'moment' && !secret);
  if (named.length === 0) return 0;
  const isOwn = named.some(({ value }) => need.text.includes(value));
  const found = named.filter(({ value }) => folded.includes(JSON.stringify(value).slice(1, -1).toLowerCase())).length;
  if (found === 0) return isOwn ? -3 : -1.5;
  return ABOUT * (isOwn ? found / named.length : 1) + (isOwn ? namedElsewhere(need, named, folded) : 0);
}

/** What another part of the intent names may be what this one is about as well. */
function namedElsewhere({ whole }: Need, own: Need['mentions'], folded: string): number {
  const known = new Set(own.map(({ value }) => value));
  const others = whole.mentions.filter(
    ({ value, kind, secret }) => STRONG_NAMES.has(kind) && !secret && !known.has(value),
  );
  return others.some(({ value }) => folded.includes(JSON.stringify(value).slice(1, -1).toLowerCase())) ? 0.7 : 0;
}

const STRONG_NAMES: ReadonlySet<string> = new Set(['mac', 'identifier', 'name', 'ip']);

function fieldChoices({ fact, need }: Asked, from: Evidence, object: Candidate): Omit<Choice, 'fact'>[] {
  return fieldsFor(fact, object.leaves, need.text, from.source, need.whole.text)
    .slice(0, 4)
    .map(({ score, value, leaf }) => ({
      // What the intent asks for is not what was there before.
      score:
        score +
        object.score -
        (EARLIER.test(fact.description) && need.whole.text.includes(String(value)) ? 2 : 0) -
        (from.when === 'change' && isTarget(need, value) ? 3 : 0),
      value,
      place: `${object.place} ${leaf.path.join('.')}`,
    }));
}

/** An address at which a test is aimed comes back in its result; nobody asks for what he said himself. */
const isTarget = ({ whole }: Need, value: unknown): boolean =>
  whole.mentions.some((one) => (one.kind === 'ip' || one.kind === 'mac') && one.value === value);

const COUNTED = /\b(?:how many|number of|count of) (?:its |those |the )*(.*)/i;

/** Of a list the number of its entries is a fact, all pages included, where it is a list of what is counted. */
function countIn({ fact, need }: Asked, from: Evidence, aliases: Aliases): Omit<Choice, 'fact'> | undefined {
  const noun = COUNTED.exec(fact.description)?.[1];
  const rows = itemsOf(from.json);
  if (noun === undefined || rows === undefined || (fact.type !== 'integer' && fact.type !== 'number')) return undefined;
  const counted = stems(noun.split(/\b(?:that|which|who|of|at|in|with|on|from)\b/)[0] ?? noun);
  const likes = likeness(counted, stems(from.source));
  const listed = stems(from.source.split(' ')[0]?.replace(/_by_.*$/, '') ?? '').at(-1) ?? '';
  if (
    likes < 0.4 ||
    !counted.some((word) => alike(word, listed) > 0) ||
    /_no_row_matches/.test(JSON.stringify(from.json).slice(0, 400))
  )
    return undefined;
  const meant = rowsMeant(rows, `${need.text} ${withoutExamples(fact.description)}`, namedBy(need), aliases);
  const total = (from.json as { _pagination?: { total?: unknown } })._pagination?.total;
  const all = typeof total === 'number' ? total : rows.length;
  const value = meant.score > 0 && meant.rows.length < rows.length ? meant.rows.length : all;
  const found = [...meant.explained].join(' ') + from.asked + JSON.stringify(meant.rows[0] ?? '');
  const own = about(need, found);
  return { score: 1 + 2.5 * likes + (own < 0 ? 2 * own : own), value, place: 'count' };
}
