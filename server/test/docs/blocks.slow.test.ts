/** Runs the commands of the pages in a copy of the repository. The nightly run has those that take minutes. */
import { expect, test } from 'vitest';
import { typeAll } from './run-blocks.ts';

test('every short command of the pages ends as it should', async () => {
  const typed = await typeAll((_, { when }) => when === 'change');
  expect(typed.length).toBeGreaterThan(5);
  expect(typed.filter(({ wrong }) => wrong !== undefined)).toEqual([]);
});
