/** The same properties over as many exports as are claimed. */
import { test } from 'vitest';
import { noSecretIsPlanned, nothingThrows, plannedTwice } from './testing/plan-properties.ts';

test('1,000 exports planned twice, shuffled and with their keys spelled otherwise: the plans are the same bytes', () => {
  plannedTwice(1_000);
});

test('100,000 damaged exports: nothing is thrown', { timeout: 600_000 }, () => {
  nothingThrows(100_000);
});

test('no secret of 1,000 exports is in their plans, in any spelling', { timeout: 600_000 }, () => {
  noSecretIsPlanned(1_000);
});
