/** Ten thousand drawn writes: what the approving side receives parses back to exactly what a recording upstream gets. */
import { expect, test } from 'vitest';
import { askedAndSent } from '../test/support/asked-and-sent.ts';

/** The nightly run draws all of them. */
const EACH = process.env['NIGHTLY'] === undefined ? 600 : 5_000;

test('with the limit of a form question, what fits is sent as asked and what does not is not sent', async () => {
  const found = await askedAndSent(EACH, 8_000, 11);
  expect(found.differences).toEqual([]);
  expect(found.tooLarge).toBeGreaterThan(0);
  expect(found.tooLarge + found.compared).toBe(EACH);
});

test('with a limit of 400,000 characters every one is sent as asked', async () => {
  const found = await askedAndSent(EACH, 400_000, 12);
  expect(found.differences).toEqual([]);
  expect(found).toMatchObject({ compared: EACH, tooLarge: 0 });
  expect(found.longest).toBeGreaterThan(180_000);
});
