import { describe, expect, test } from 'vitest';
import { mean, median, p95, passPower, quantile, quartiles, ruleOfThree, seededRandom, seedFor } from './stats.ts';

describe('statistics', () => {
  test('of nothing are nothing, not zero', () => {
    expect([mean([]), median([]), p95([]), quartiles([]), ruleOfThree(0)]).toEqual([null, null, null, null, null]);
  });

  test('quantiles interpolate as R type 7 does', () => {
    // quantile(c(7, 1, 3, 10, 4), c(.25, .5, .95)) in R gives 3, 4, 9.4
    const values = [7, 1, 3, 10, 4];
    expect(quantile(values, 0.25)).toBe(3);
    expect(median(values)).toBe(4);
    expect(p95(values)).toBeCloseTo(9.4);
    expect(quartiles(values)).toEqual([3, 7]);
    expect(values).toEqual([7, 1, 3, 10, 4]);
  });

  test('pass^k is C(s,k)/C(n,k), as its authors define it', () => {
    // Yao et al. 2024 (tau-bench), section 5: an unbiased estimate of k successes in a row
    expect(passPower(3, 4, 1)).toBe(0.75);
    expect(passPower(3, 4, 2)).toBeCloseTo(3 / 6);
    expect(passPower(4, 8, 4)).toBeCloseTo(1 / 70);
    expect(passPower(5, 5, 5)).toBe(1);
    expect(passPower(2, 5, 3)).toBe(0);
    expect(passPower(4, 4, 5)).toBeNull();
  });

  test('zero of n is bounded by three over n', () => {
    expect(ruleOfThree(60)).toBeCloseTo(0.05);
    expect(ruleOfThree(2)).toBe(1);
  });

  test('the same seed gives the same sequence, another seed another', () => {
    const draw = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
    expect(draw(7)).toEqual(draw(7));
    expect(draw(7)).not.toEqual(draw(8));
    const many = Array.from({ length: 4_000 }, seededRandom(1));
    expect(mean(many)).toBeCloseTo(0.5, 1);
    expect(seedFor(1, 'a', 'b')).not.toBe(seedFor(1, 'ab'));
  });

  test('seeds and sequences are those of their authors, so that they never change', () => {
    // FNV-1a of "a" is 0xe40c292c (Fowler, Noll and Vo's test vectors); splitmix32 from seed 1.
    expect(seedFor(0, 'a')).toBe(0xe40c292c);
    expect(seedFor(0, 'foobar')).toBe(0xbf9cf968);
    const next = seededRandom(1);
    expect([next(), next(), next()].map((share) => share * 2 ** 32)).toEqual([1580013426, 350525680, 3524174333]);
  });
});
