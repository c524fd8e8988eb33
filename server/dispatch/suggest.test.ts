/** Compares suggestions and their cost with a plain implementation of the definition. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { suggest } from './suggest.ts';

const NAMES = readFileSync(join(import.meta.dirname, '..', 'catalog', 'tools.lock'), 'utf8')
  .split('\n')
  .map((line) => line.split(' ')[0] ?? '')
  .filter((name) => /^[a-z]\w+$/.test(name));
const anybody = () => true;

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, change));
    }
    row = next;
  }
  return row[b.length] as number;
}

/** The best of: the weight of the words in common of that of all words, and letters kept of those that differ, at most three slips. */
function plainly(wanted: string, names: readonly string[]): string[] {
  const target = wanted.slice(0, 80).toLowerCase();
  const wordsOf = (name: string) => [...new Set(name.split(/[^a-z0-9]+/).filter((word) => word !== ''))];
  const having = Map.groupBy(names.flatMap(wordsOf), (word) => word);
  const weigh = (words: string[]) =>
    words.reduce(
      (sum, word) => sum + Math.round(1_000 * Math.log2(1 + names.length / (having.get(word)?.length ?? 1))),
      0,
    );
  const words = wordsOf(target);
  const scored = names.map((name) => {
    const own = wordsOf(name);
    const shared = own.filter((word) => words.includes(word));
    const all = [...new Set([...own, ...words])];
    const lettersOf = (some: string[]) => some.filter((word) => !shared.includes(word)).join('').length;
    const slips = distance(name, target);
    const kept = slips <= 3 ? 1 - slips / Math.max(1, lettersOf(own), lettersOf(words)) : 0;
    return { name, score: Math.max(weigh(shared) / Math.max(1, weigh(all)), kept) };
  });
  return scored
    .filter(({ score }) => score >= 0.5)
    .sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name);
}

const few = NAMES.filter((_, at) => at % 40 === 0);
const slip = fc.record({
  at: fc.nat(80),
  kind: fc.constantFrom('cut', 'put', 'change'),
  letter: fc.string({ maxLength: 1 }),
});
const slipped = fc.tuple(fc.constantFrom(...few), fc.array(slip, { maxLength: 5 })).map(([name, slips]) =>
  slips.reduce((text, { at, kind, letter }) => {
    const place = at % (text.length + 1);
    return text.slice(0, place) + (kind === 'cut' ? '' : letter) + text.slice(place + (kind === 'put' ? 0 : 1));
  }, name),
);

test('is what the plain way suggests, of names with slips, of words in another order, of anything', () => {
  const shuffled = fc
    .constantFrom(...few)
    .chain((name) => fc.shuffledSubarray(name.split('_'), { minLength: 1 }))
    .map((words) => words.join('_'));
  fc.assert(
    fc.property(fc.oneof(slipped, slipped, shuffled, fc.string({ maxLength: 100 })), (wanted) => {
      expect(suggest(wanted, few, anybody)).toEqual(plainly(wanted, few));
    }),
    { numRuns: 400, seed: 11 },
  );
});

test('a name of words that most names have is like none of them for these words', () => {
  const found = suggest('mgmt_list_vlans', NAMES, anybody);
  expect(found).not.toContain('mgmt_list_aps');
  expect(found).not.toContain('mgmt_list_vrfs');
  expect(found.some((name) => name.includes('vlan'))).toBe(true);
});

test('a name that may not be shown makes room for the next', () => {
  const [first, second] = suggest('mgmt_get_auth_servr', NAMES, anybody);
  expect(first).toBe('mgmt_get_auth_server');
  expect(suggest('mgmt_get_auth_servr', NAMES, (name) => name !== first)[0]).toBe(second);
});

test('a made-up name costs a small part of comparing it with every tool', () => {
  const made = Array.from({ length: 12 }, (_, n) => `mgmt_made_up_${n}_${(n * 7919) % 997}`);
  const cost = (way: (name: string) => unknown) => {
    const before = process.cpuUsage();
    for (const name of made) way(name);
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  suggest('warm', NAMES, anybody);
  expect(cost((name) => suggest(name, NAMES, anybody))).toBeLessThan(cost((name) => plainly(name, NAMES)) / 10);
});
