/** Reads for one part of the intent until its facts are found: the best tools first, then those that the facts' own words find. */

import type { Toolbox } from './discovery.ts';
import type { Fact } from './fact-fields.ts';
import { fill } from './fill.ts';
import { wordsOf } from './name-words.ts';
import { queriesFor, subjectNounsOf, withoutValues, wordsFor } from './need-queries.ts';
import type { Need } from './needs.ts';
import { type Descriptor, statedOperation } from './operation.ts';
import { type Reading, readTool } from './read-tool.ts';
import { alike, stems } from './word-likeness.ts';

/** Tools that are tried after each search. */
const TRIED = 3;

/** So many searches are made before anything is read. */
const SEARCHED = 2;

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
  const isSpent = () => budget() <= 0;
  const pool: Pool = new Map();
  const tried = new Set<string>();
  const tryNext = () => tryBest(reading, pool, tried, tried.size === 0 ? isSpent : isOver);
  for (const [at, query] of [...queriesFor(need)].entries()) {
    const asked = query(isFound);
    if (asked === undefined) continue;
    if (isOver()) return;
    pooled(
      tools,
      pool,
      await tools.search(asked, { platform: need.platform, capability: 'read' }),
      at === 0 ? OWN_WORDS : 1,
    );
    // What is found first may be the wrong view of the same thing: a few are read before one is trusted.
    if (at >= SEARCHED || need.facts.length === 0) await tryNext();
  }
  await tryNext();
  await searchElsewhere(reading, pool, isOver);
  // What is left of the budget goes to what was found and not yet tried.
  while (!isOver() && tried.size < pool.size) await tryBest(reading, pool, tried, isOver);
}

/** A platform that another part named may not be that of this one. */
async function searchElsewhere({ tools, need }: Reading, pool: Pool, isOver: () => boolean): Promise<void> {
  if (need.platform === undefined || need.isPlatformNamed || isOver()) return;
  if (need.facts.some(({ description }) => tools.platforms.namedIn(description) !== undefined)) return;
  for (const query of [withoutValues(need.text, need), need.facts.map((fact) => wordsFor(fact, need)).join('; ')])
    if (query !== '') pooled(tools, pool, await tools.search(query, { capability: 'read' }), 1);
}

function pooled({ creditOf }: Toolbox, pool: Pool, hits: readonly Descriptor[], weight: number): void {
  for (const [rank, hit] of hits.filter(({ read_only }) => read_only).entries()) {
    const before = pool.get(hit.name);
    const known = before?.hit.sibling === true ? hit : (before?.hit ?? hit);
    const credit = creditOf(hit.name);
    credit.points = Math.max(credit.points, weight / (2 + rank));
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

/** Whether the intent has the arguments, what the name says beyond the intent, and whether it is of the right thing. */
function costOf(hit: Descriptor, need: Need): number {
  const spoken = [...need.words, ...need.facts.flatMap(({ about, words }) => [...about, ...words])].flatMap(stems);
  const names = nameWords(hit.name).flatMap(stems);
  const extra = names.filter((word) => !spoken.some((one) => alike(one, word) > 0)).length;
  const subjects = subjectNounsOf(need.facts).map((thing) => stems(thing).at(-1) ?? '');
  const isOfThing = subjects.some((thing) => names.some((word) => alike(word, thing) >= 0.6));
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
  if (used.size === 0) return 0;
  // A key of a form of its own says what the value is the key of.
  const isTyped = operation.inputs.some(
    ({ required, schema }) =>
      required && typeof schema['pattern'] === 'string' && !/^\^\[A-Z0-9\]/.test(schema['pattern']),
  );
  return isTyped ? -2.2 : -1.5;
}

const VERBS = new Set(['get', 'list', 'search', 'find', 'read', 'show', 'count', 'describe']);

/** Words of a tool's name but its first, which says where it is from, and its verb. */
const nameWords = (name: string): string[] =>
  wordsOf(name)
    .slice(1)
    .filter((word) => !VERBS.has(word));
