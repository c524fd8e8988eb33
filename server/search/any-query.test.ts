/** Any query gets an answer. `any-query.slow.test.ts` asks a hundred thousand, and the longest. */
import { expect, test } from 'vitest';
import { askRandomQuestions, finderOver } from '../test/support/random-questions.ts';

test('the first three thousand of the random questions are all answered', () => {
  expect(() => askRandomQuestions(3_000)).not.toThrow();
});

test('questions leave nothing behind: the same one gets the same answer', () => {
  const finder = finderOver(500);
  const ask = (query: string) => finder.find({ query, topK: 10 }).hits.map(({ id, score }) => [id, score]);
  const before = ask('delete the firewall rule');
  for (const query of ['list sites', 'reboot switch 3', '', 'client of the network', 'certificate?']) ask(query);
  expect(ask('delete the firewall rule')).toEqual(before);
});
