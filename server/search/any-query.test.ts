/** Any query gets an answer within its time limit. `any-query.slow.test.ts` asks a hundred thousand. */
import { expect, test } from 'vitest';
import { reportFigures } from '../test/support/measured-figures.ts';
import { askRandomQuestions, finderOver } from '../test/support/random-questions.ts';

test('the first three thousand of the random questions are all answered', () => {
  expect(() => askRandomQuestions(3_000)).not.toThrow();
});

/** Milliseconds, of all megabytes so far. */
let longest = 0;

test.each([
  ['one letter', 'a'],
  ['words', 'restart the switch please '],
  ['sentences', 'Is it. '],
  ['quotes', '"x" '],
  ['an address without end', 'aa:bb:'],
  ['a name without end', 'ap-'],
  ['digits', '1.'],
  ['capitals', 'aB'],
  ['another script', '設'],
])('a megabyte of %s is answered in 50 ms', (_, piece) => {
  const finder = finderOver(500);
  const query = piece.repeat(Math.ceil(1_000_000 / piece.length));
  finder.find({ query: 'warm up', topK: 10 });
  const best = Math.min(
    ...Array.from({ length: 3 }, () => {
      const from = performance.now();
      finder.find({ query, topK: 10 });
      return performance.now() - from;
    }),
  );
  longest = Math.max(longest, best);
  expect(best).toBeLessThan(50);
});

test('questions leave nothing behind: the same one gets the same answer', (context) => {
  reportFigures(context, { longest });
  const finder = finderOver(500);
  const ask = (query: string) => finder.find({ query, topK: 10 }).hits.map(({ id, score }) => [id, score]);
  const before = ask('delete the firewall rule');
  for (const query of ['list sites', 'reboot switch 3', '', 'client of the network', 'certificate?']) ask(query);
  expect(ask('delete the firewall rule')).toEqual(before);
});
