import { expect, test } from 'vitest';
import { RandomIds } from './random-ids.ts';

test('ids have the length that was asked for, and none comes twice, also beyond one draw of random bytes', () => {
  const ids = new RandomIds();
  const drawn = Array.from({ length: 3_000 }, (_, n) => ids.next(n % 3 === 0 ? 16 : 8));
  expect(drawn.filter((id, n) => !new RegExp(`^[0-9a-f]{${n % 3 === 0 ? 32 : 16}}$`).test(id))).toEqual([]);
  expect(new Set(drawn).size).toBe(3_000);
  // Nor is one within another, as it would be if bytes were used twice.
  const all = drawn.join('|');
  expect(drawn.filter((id) => all.split(id).length > 2)).toEqual([]);
});
