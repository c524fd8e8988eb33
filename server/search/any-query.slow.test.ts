/** Any query gets an answer: the whole draw, of which the quick test takes the first part. */
import { expect, test } from 'vitest';
import { reportFigures } from '../test/support/measured-figures.ts';
import { askRandomQuestions } from '../test/support/random-questions.ts';

test('a hundred thousand random questions are all answered', (context) => {
  expect(() => askRandomQuestions(100_000)).not.toThrow();
  reportFigures(context, { questions: 100_000 });
});
