/** Numbers from numbers. Nothing here reads a file, a clock or an unseeded random source. */
import { mean as simpleMean, median as simpleMedian, quantile as simpleQuantile } from 'simple-statistics';

export const mean = (values: readonly number[]): number | null =>
  values.length === 0 ? null : simpleMean(values as number[]);

/** Type 7 of Hyndman and Fan: linear interpolation between order statistics, the default of R and NumPy. */
export const quantile = (values: readonly number[], p: number): number | null =>
  values.length === 0 ? null : simpleQuantile(values as number[], p);

export const median = (values: readonly number[]): number | null =>
  values.length === 0 ? null : simpleMedian(values as number[]);
export const p95 = (values: readonly number[]): number | null => quantile(values, 0.95);

/** First and third quartile; their distance is the inter-quartile range. */
export function quartiles(values: readonly number[]): [low: number, high: number] | null {
  return values.length === 0 ? null : [quantile(values, 0.25)!, quantile(values, 0.75)!];
}

/**
 * The chance that k tries drawn without replacement from n all succeed, when s of the n did: C(s,k)/C(n,k). Nothing
 * when fewer than k were made.
 */
export function passPower(successes: number, n: number, k: number): number | null {
  if (n < k) return null;
  let chance = 1;
  for (let i = 0; i < k; i++) chance *= Math.max(0, successes - i) / (n - i);
  return chance;
}

/** After 0 events in n tries the true rate is below 3/n with 95 % confidence. */
export function ruleOfThree(n: number): number | null {
  return n === 0 ? null : Math.min(1, 3 / n);
}

/** Splitmix32, by which the names and ids of stored runs were drawn: its sequence never changes. All else draws with pure-rand. */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x9e3779b9) >>> 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    mixed ^= mixed >>> 15;
    return (mixed >>> 0) / 2 ** 32;
  };
}

/** 32-bit FNV-1a: turns a name and a seed into the start of a sequence of its own. */
export function seedFor(seed: number, ...parts: string[]): number {
  let hash = 0x811c9dc5 ^ seed;
  for (const char of parts.join('\u0000')) {
    hash ^= char.codePointAt(0) ?? 0;
    hash = Math.imul(hash, 0x01000193);
  }
  return hash >>> 0;
}
