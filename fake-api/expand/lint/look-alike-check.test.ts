import { expect, test } from 'vitest';
import { jaccard, nearPairs } from './look-alike-check.ts';

/** Sets of words that repeat often, drawn by a fixed rule. */
function sets(count: number): Set<string>[] {
  let state = 7;
  const next = (below: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % below;
  };
  return Array.from({ length: count }, () => new Set(Array.from({ length: 4 + next(9) }, () => `w${next(14)}`)));
}

test('finds exactly the pairs that comparing all with all finds', () => {
  const drawn = sets(220);
  for (const least of [0.5, 0.75, 0.8, 1]) {
    const expected: unknown[] = [];
    for (let left = 0; left < drawn.length; left += 1) {
      for (let right = left + 1; right < drawn.length; right += 1) {
        const overlap = jaccard(drawn[left]!, drawn[right]!);
        if (overlap >= least) expected.push({ left, right, overlap });
      }
    }
    expect(expected.length).toBeGreaterThan(0);
    expect(nearPairs(drawn, least)).toEqual(expected);
  }
});
