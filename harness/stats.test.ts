import { describe, expect, test } from 'vitest';
import {
  interquartileRange,
  mean,
  median,
  p95,
  quantile,
  ruleOfThree,
  seededRandom,
  seedFor,
  wilson,
} from './stats.ts';

describe('statistics', () => {
  test('of nothing are nothing, not zero', () => {
    expect([mean([]), median([]), p95([]), interquartileRange([]), wilson(0, 0), ruleOfThree(0)]).toEqual([
      null,
      null,
      null,
      null,
      null,
      null,
    ]);
  });

  test('quantiles interpolate as R type 7 does', () => {
    // quantile(c(7, 1, 3, 10, 4), c(.25, .5, .95)) in R gives 3, 4, 9.4
    const values = [7, 1, 3, 10, 4];
    expect(quantile(values, 0.25)).toBe(3);
    expect(median(values)).toBe(4);
    expect(p95(values)).toBeCloseTo(9.4);
    expect(interquartileRange(values)).toBe(4);
    expect(values).toEqual([7, 1, 3, 10, 4]);
  });

  test("Wilson's interval matches published values", () => {
    // 8 of 10: 0.490–0.943 (Newcombe 1998, method 3)
    const [low, high] = wilson(8, 10)!;
    expect(low).toBeCloseTo(0.4902, 3);
    expect(high).toBeCloseTo(0.9433, 3);
    expect(wilson(0, 10)![0]).toBe(0);
    expect(wilson(10, 10)![1]).toBeCloseTo(1, 12);
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
});
