/** The test for leaks by time, on times that are given. */
import { expect, test } from 'vitest';
import { Random } from './random.ts';
import { welchT } from './welch.ts';

const random = new Random(7);
const times = (count: number, more: number) => Array.from({ length: count }, () => 100 + more + random.below(50));

test('Welch’s t of two small sets is what it is by hand, and the slowest tenth does not count', () => {
  expect(welchT([1, 2, 3, 4, 900], [2, 4, 6, 8, 10])).toBeCloseTo(-2.2514, 3);
});

test('no difference stays small, one of a fiftieth does not, and its sign says which is slower', () => {
  expect(Math.abs(welchT(times(20_000, 0), times(20_000, 0)))).toBeLessThan(4.5);
  expect(welchT(times(40_000, 2), times(20_000, 0))).toBeGreaterThan(4.5);
  expect(welchT(times(20_000, 0), times(40_000, 2))).toBeLessThan(-4.5);
});
