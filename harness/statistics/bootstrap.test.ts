import { describe, expect, test } from 'vitest';
import { bootstrapMeans } from './bootstrap.ts';

/** Efron and Tibshirani 1993, table 2.1: survival of the treated mice; the bootstrap's standard error is 23.36 (table 2.2). */
const MICE = [94, 197, 16, 38, 99, 141, 23];
const single = MICE.map((value) => [[value]]);

describe('the clustered bootstrap', () => {
  test('of independent values agrees with the published standard error', () => {
    const [interval] = bootstrapMeans(single, 1, 20_000);
    const [low, high] = interval!;
    // 95 % of a bell curve around 86.86 is 41.1 to 132.6; the percentile interval leans with the data.
    expect((high - low) / (2 * 1.96)).toBeCloseTo(23.36, -0.5);
    expect(low).toBeGreaterThan(41);
    expect(low).toBeLessThan(48);
    expect(high).toBeGreaterThan(131);
    expect(high).toBeLessThan(139);
  });

  test('does not grow surer by repeating runs of the same scenario', () => {
    const repeated = MICE.map((value) => [Array.from({ length: 50 }, () => value)]);
    expect(bootstrapMeans(repeated, 1)).toEqual(bootstrapMeans(single, 1));
    const naive = MICE.flatMap((value) => Array.from({ length: 50 }, () => [[value]]));
    const width = ([low, high]: [number, number]) => high - low;
    expect(width(bootstrapMeans(naive, 1)[0]!)).toBeLessThan(width(bootstrapMeans(single, 1)[0]!) / 4);
  });

  test('weighs a scenario by its runs', () => {
    const [interval] = bootstrapMeans([[[0, 0, 0]], [[1]]], 3, 8_000);
    expect(interval).toEqual([0, 1]);
  });

  test('gives the same interval for the same seed and another for another', () => {
    expect(bootstrapMeans(single, 5)).toEqual(bootstrapMeans(single, 5));
    expect(bootstrapMeans(single, 5)).not.toEqual(bootstrapMeans(single, 6));
  });

  test('shares its draws between measures, and skips one that has no values', () => {
    const two = MICE.map((value) => [[value], [2 * value], []]);
    const [one, twice, none] = bootstrapMeans(two, 1);
    expect(twice).toEqual(one!.map((bound) => 2 * bound));
    expect(none).toBeNull();
  });

  test('says nothing about fewer than two clusters', () => {
    expect(bootstrapMeans([[[1, 2, 3]]], 1)).toEqual([null]);
    expect(bootstrapMeans([], 1)).toEqual([]);
  });
});
