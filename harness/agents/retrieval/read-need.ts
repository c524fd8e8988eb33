/** Reads for one part of the intent until its facts are found: the best tools first, then those that the facts' own words find. */
import type { Fact } from './fact-fields.ts';
import { fill } from './fill.ts';
import { wordsOf } from './name-words.ts';
import type { Need } from './needs.ts';
import { type Descriptor, statedOperation } from './operation.ts';
import { type Reading, readTool } from './read-tool.ts';
import { withoutExamples } from './row-choice.ts';
import { alike, stems } from './word-likeness.ts';

/** Tools that are tried after each search. */
const TRIED = 3;

/** The intent's own words count for more than those of the contract. */
const OWN_WORDS = 1.8;

/** Tools that were found so far, with how well their places in all searches speak for them. */
type Pool = Map<string, { hit: Descriptor; found: number }>;

/** Searches for the need in several wordings, and reads the best of what all of them found until nothing is missing. */
export async function readNeed(
  reading: Reading,
  isFound: (fact: Fact) => boolean,
  budget: () => number,
): Promise<void> {
  const { tools, need } = reading;
  const isOver = () => budget() <= 0 || (need.facts.length > 0 && need.facts.every(isFound));
  const pool: Pool = new Map();
  const tried = new Set<string>();
  for (const [at, query] of [...queriesFor(need)].entries()) {
    const asked = query(isFound);
    if (asked === undefined) continue;
    if (isOver()) return;
    pooled(pool, await tools.search(asked, { platform: need.platform, capability: 'read' }), at === 0 ? OWN_WORDS : 1);
    if (at > 0 || need.facts.length === 0) await tryBest(reading, pool, tried, isOver);
  }
  // What is left of the budget goes to what was found and not yet tried.
  while (!isOver() && tried.size < pool.size) await tryBest(reading, pool, tried, isOver);
}

function pooled(pool: Pool, hits: readonly Descriptor[], weight: number): void {
  for (const [rank, hit] of hits.filter(({ read_only }) => read_only).entries()) {
    const before = pool.get(hit.name);
    const known = before?.hit.sibling === true ? hit : (before?.hit ?? hit);
    pool.set(hit.name, { hit: known, found: (before?.found ?? 0) + weight / (2 + rank) });
  }
}

async function tryBest(reading: Reading, pool: Pool, tried: Set<string>, isOver: () => boolean): Promise<void> {
  const left = [...pool.values()].filter(({ hit }) => !tried.has(hit.name));
  const best = left
    .map(({ hit, found }) => ({ hit, cost: costOf(hit, reading.need) - 4 * found }))
    .sort((a, b) => a.cost - b.cost);
  for (const { hit } of best.slice(0, TRIED)) {
    if (isOver()) return;
    tried.add(hit.name);
    await readTool(reading, hit, isOver);
  }
}

type Query = (isFound: (fact: Fact) => boolean) => string | undefined;

/** The clause as it stands, all facts in the words of the contract, what they are facts of, and each one that is missing. */
function* queriesFor(need: Need): Generator<Query> {
  yield () => withoutValues(need.text, need);
  yield () => (need.facts.length === 0 ? undefined : need.facts.map((fact) => wordsFor(fact, need)).join('; '));
  for (const thing of thingsOf(need.facts)) yield () => `get ${thing}`;
  for (const fact of need.facts.length > 1 ? need.facts : [])
    yield (isFound) => (isFound(fact) ? undefined : wordsFor(fact, need));
}

const wordsFor = ({ name, description }: Fact, need: Need): string =>
  `${name.replaceAll('_', ' ')}: ${withoutValues(withoutExamples(description), need)}`;

/** "… of the access point": an access point. */
export const thingsOf = (facts: readonly Fact[]): string[] => [
  ...new Set(facts.flatMap(({ description }) => OF_THING.exec(description)?.[1] ?? [])),
];

const OF_THING =
  /\bof (?:the |its |an? |that )*([a-z][a-z -]*?)(?= (?:that|which|who|in|at|of|to|on|through|from|according|with|under|as)\b|[,.]|$)/i;

/** Addresses and keys say nothing about which tool is meant. */
const withoutValues = (text: string, { mentions }: Need): string =>
  mentions
    .filter(({ kind }) => ['mac', 'identifier', 'moment', 'ip', 'quoted'].includes(kind))
    .reduce((left, { value }) => left.replaceAll(value, ' '), text)
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Whether the intent has the arguments, what the name says beyond the intent, and whether it is of the right thing. */
function costOf(hit: Descriptor, need: Need): number {
  const spoken = [...need.words, ...need.facts.flatMap(({ about, words }) => [...about, ...words])].flatMap(stems);
  const names = nameWords(hit.name).flatMap(stems);
  const extra = names.filter((word) => !spoken.some((one) => alike(one, word) > 0)).length;
  const things = thingsOf(need.facts).map((thing) => stems(thing).at(-1) ?? '');
  const isOfThing = things.some((thing) => names.some((word) => alike(word, thing) >= 0.6));
  return extra * 0.35 + callCost(hit, need) - (isOfThing ? 0.7 : 0);
}

function callCost(hit: Descriptor, need: Need): number {
  const operation = statedOperation(hit);
  if (operation === undefined) return 0;
  const { missing, used } = fill(operation, need);
  // A search asks with a body what a list tells without.
  if (operation.hasBody) return 1.5;
  if (missing.length > 0)
    return Object.values(hit.siblings ?? {}).some((required) => required.length === 0) ? 0.3 : 1.5;
  return used.size > 0 ? -1.5 : 0;
}

const VERBS = new Set(['get', 'list', 'search', 'find', 'read', 'show', 'count', 'describe']);

/** Words of a tool's name but its first, which says where it is from, and its verb. */
const nameWords = (name: string): string[] =>
  wordsOf(name)
    .slice(1)
    .filter((word) => !VERBS.has(word));
