import { describe, expect, test } from 'vitest';
import { countSigns, holm, signTest } from './paired.ts';

describe('the exact sign test', () => {
  test.each([
    // Two-sided binomial tables at one half, e.g. Siegel and Castellan 1988, table D (one tail, doubled)
    [0, 5, 0.0625],
    [0, 6, 0.03125],
    [1, 9, 22 / 1024],
    [2, 10, 2 * 0.019287109375],
    [3, 17, 2 * 0.0012884140014648438],
    [5, 5, 1],
    [0, 0, 1],
  ])('%i against %i', (better, worse, p) => {
    expect(signTest(better, worse)).toBeCloseTo(p, 10);
    expect(signTest(worse, better)).toBeCloseTo(p, 10);
  });

  test("is McNemar's on discordant pairs", () => {
    // Agresti 2002, table 10.1: 86 and 150 discordant, z² = 17.36; R: binom.test(86, 236)$p.value = 3.716e-05
    expect(signTest(86, 150)).toBeCloseTo(3.716e-5, 8);
  });

  test('stays a probability for thousands of pairs', () => {
    expect(signTest(2_000, 2_000)).toBe(1);
    expect(signTest(0, 4_000)).toBe(0);
  });
});

test("Holm's adjustment matches p.adjust of R", () => {
  // p.adjust(c(0.01, 0.04, 0.03, 0.005), 'holm') = 0.03 0.06 0.06 0.02
  const adjusted = holm([0.01, 0.04, 0.03, 0.005]);
  for (const [i, p] of [0.03, 0.06, 0.06, 0.02].entries()) expect(adjusted[i]).toBeCloseTo(p, 12);
  expect(holm([0.6, 0.9])).toEqual([1, 1]);
  expect(holm([])).toEqual([]);
});

test('signs follow which way is better', () => {
  const pairs = [
    [1, 2],
    [2, 1],
    [3, 3],
    [1, 5],
  ] as const;
  expect(countSigns(pairs, true)).toEqual({ better: 2, worse: 1, same: 1 });
  expect(countSigns(pairs, false)).toEqual({ better: 1, worse: 2, same: 1 });
});
