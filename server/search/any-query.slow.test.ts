/** Any query gets an answer within its time limit; of the questions drawn the quick test takes the first part. */
import { expect, test } from 'vitest';
import { reportFigures } from '../test/support/measured-figures.ts';
import { askRandomQuestions, finderOver } from '../test/support/random-questions.ts';

test('a hundred thousand random questions are all answered', (context) => {
  expect(() => askRandomQuestions(100_000)).not.toThrow();
  reportFigures(context, { questions: 100_000 });
});

/** Milliseconds, of all megabytes so far. */
let longest = 0;

test.for([
  ['one letter', 'a'],
  ['words', 'restart the switch please '],
  ['sentences', 'Is it. '],
  ['quotes', '"x" '],
  ['an address without end', 'aa:bb:'],
  ['a name without end', 'ap-'],
  ['digits', '1.'],
  ['capitals', 'aB'],
  ['another script', '設'],
] as const)('a megabyte of %s is answered in 50 ms', ([, piece], context) => {
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
  reportFigures(context, { longest });
  expect(best).toBeLessThan(50);
});
