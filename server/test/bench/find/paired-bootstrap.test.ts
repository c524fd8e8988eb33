import { expect, test } from 'vitest';
import { pairedInterval } from './paired-bootstrap.ts';

test('a difference that is the same everywhere has no width', () => {
  expect(pairedInterval([1, 1, 1], [0, 0, 0])).toEqual({ difference: 1, low: 1, high: 1 });
});

test('pairs count, not the order of values', () => {
  const interval = pairedInterval([1, 0, 1, 0], [0, 1, 0, 1]);
  expect(interval.difference).toBe(0);
  expect(interval.low).toBeLessThan(0);
  expect(interval.high).toBeGreaterThan(0);
});

test('the width is that of the normal approximation for many pairs', () => {
  const a = Array.from({ length: 400 }, (_, i) => (i % 4 === 0 ? 1 : 0));
  const { difference, low, high } = pairedInterval(
    a,
    a.map(() => 0),
  );
  expect(difference).toBe(0.25);
  const half = 1.96 * Math.sqrt((0.25 * 0.75) / 400);
  expect(Math.abs(low - (0.25 - half))).toBeLessThan(0.01);
  expect(Math.abs(high - low - 2 * half)).toBeLessThan(0.01);
});

test('the same pairs give the same interval', () => {
  const a = [1, 0, 1, 1, 0, 1];
  const b = [0, 0, 1, 0, 1, 0];
  expect(pairedInterval(a, b)).toEqual(pairedInterval(a, b));
});

test('sides of unequal length are refused', () => {
  expect(() => pairedInterval([1], [])).toThrow('as many on both sides, got 1 and 0');
});
