/** The same properties over more exports than every change can wait for. */
import { test } from 'vitest';
import { noSecretIsPlanned, nothingThrows, plannedTwice } from '../test/migration/plan-properties.ts';

test('1,000 exports planned twice, shuffled and with their keys spelled otherwise: the plans are the same bytes', () => {
  plannedTwice(1_000);
});

test('5,000 damaged exports: nothing is thrown', () => {
  nothingThrows(5_000);
});

test('no secret of 300 exports is in their plans, in any spelling', () => {
  noSecretIsPlanned(300);
});
