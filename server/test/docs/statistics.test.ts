/** One definition of quantile and median: type 7 of Hyndman and Fan, computed by simple-statistics and by nothing else. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { median as libraryMedian, quantile as libraryQuantile } from 'simple-statistics';
import { describe, expect, test } from 'vitest';
import * as harness from '../../../harness/statistics/stats.ts';
import * as bench from '../bench/statistics.ts';
import { PROGRAMS, root, sourceFiles } from './source-imports.ts';

/** Programs may not import from each other, and an empty sample is null in a report and NaN in a bench. */
const OWNERS = ['harness/statistics/stats.ts', 'server/test/bench/statistics.ts'];
/** Picks a step that occurs, which no mean of two need be. */
const NO_STATISTIC = ['server/interop/trend-table.ts'];

const DEFINITIONS = [
  /\bfunction\s+(?:median|quantile|percentile)(?:of|at)?\s*[<(]/i,
  /\bconst\s+(?:median|quantile|percentile)(?:of|at)?\s*(?::[^=;]+)?=\s*(?:<|\(|function\b|\w+\s*=>)[^;]*=>/i,
  /\[\s*(?:Math\.min\([^\]]*?)?Math\.(?:ceil|floor|round|trunc)\([^\]]*?\.length\s*[*/-]/,
  /\[\s*(?:Math\.min\([^\]]*?)?Math\.(?:ceil|floor|round|trunc)\(\s*(?:share|p|q|ROUNDS|rounds)\s*[*/]/,
  /\.(?:sort|toSorted)\([^;\n]*\)\s*\[(?!0\])/,
];
const defines = (text: string) => DEFINITIONS.some((definition) => definition.test(text));

describe.each([
  ['the library', { median: libraryMedian, quantile: libraryQuantile }],
  ['the harness', harness],
  ['the benches', bench],
])('%s', (_, { median, quantile }) => {
  test.each([
    // quantile(c(1, 2, 3, 4), p, type = 7) and so on in R
    [
      [1, 2, 3, 4],
      [0, 0.25, 0.5, 0.75, 0.95, 1],
      [1, 1.75, 2.5, 3.25, 3.85, 4],
    ],
    [
      [7, 1, 3, 10, 4],
      [0.25, 0.5, 0.95],
      [3, 4, 9.4],
    ],
    [[5], [0, 0.5, 0.99], [5, 5, 5]],
  ])('quantiles of %j', (values, shares, expected) => {
    for (const [at, p] of shares.entries()) expect(quantile([...values], p)).toBeCloseTo(expected[at]!, 12);
  });

  test('a median is the mean of the middle two', () => {
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([9, 1, 2])).toBe(2);
  });
});

test('an empty sample has none', () => {
  expect([harness.quantile([], 0.5), harness.median([])]).toEqual([null, null]);
  expect([bench.quantile([], 0.5), bench.median([])]).toEqual([Number.NaN, Number.NaN]);
});

test('no other file defines one or picks an order statistic by hand', () => {
  const files = PROGRAMS.flatMap((program) => sourceFiles(program)).filter(
    (file) => !OWNERS.includes(file) && file !== 'server/test/docs/statistics.test.ts',
  );
  expect(files.filter((file) => defines(readFileSync(join(root, file), 'utf8')))).toEqual(NO_STATISTIC);
});

test.each([
  'const median = (values: number[]): number =>\n  values.toSorted((a, b) => a - b)[0] ?? 0;',
  'export const quantile = (values: readonly number[], q: number): number => 0;',
  'function percentileOf(values: number[]) {',
  'const at = (share: number) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))];',
  'const at = (share: number) => means[Math.min(resamples - 1, Math.floor(share * resamples))];',
  'ms: durations[Math.floor(ROUNDS / 2)] ?? 0,',
  'return samples.sort((a, b) => a - b)[3] as number;',
])('such a definition is found: %s', (text) => {
  expect(defines(text)).toBe(true);
});
