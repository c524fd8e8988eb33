import { expect, test } from 'vitest';
import { Random } from './random.ts';

const drawn = (seed: number, count: number, limit = 1_000_000) => {
  const random = new Random(seed);
  return Array.from({ length: count }, () => random.below(limit));
};

test('numbers are spread over their range and do not depend on anything but the seed', () => {
  const numbers = drawn(1, 10_000);
  expect(numbers.every((number) => Number.isInteger(number) && number >= 0 && number < 1_000_000)).toBe(true);
  expect(Math.abs(numbers.reduce((sum, number) => sum + number, 0) / 1e10 - 0.5)).toBeLessThan(0.01);
  expect(drawn(1, 3)).toEqual(numbers.slice(0, 3));
});

test('neighbouring seeds begin apart', () => {
  const first = Array.from({ length: 1_000 }, (_, seed) => drawn(seed, 1, 2)[0]);
  const alike = first.filter((number, seed) => number === first[seed + 1]).length;
  expect(Math.abs(alike - 500)).toBeLessThan(80);
});
