/** Numbers from numbers. Nothing here reads a file, a clock or an unseeded random source. */

export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** Linear interpolation between closest ranks, as R type 7 and NumPy's default do. */
export function quantile(values: readonly number[], p: number): number | null {
  if (values.length === 0) return null;
  const sorted = [...values].sort((a, b) => a - b);
  const rank = p * (sorted.length - 1);
  const low = Math.floor(rank);
  const a = sorted[low] ?? 0;
  const b = sorted[Math.min(low + 1, sorted.length - 1)] ?? a;
  return a + (b - a) * (rank - low);
}

export const median = (values: readonly number[]): number | null => quantile(values, 0.5);
export const p95 = (values: readonly number[]): number | null => quantile(values, 0.95);

export function interquartileRange(values: readonly number[]): number | null {
  const [low, high] = [quantile(values, 0.25), quantile(values, 0.75)];
  return low === null || high === null ? null : high - low;
}

/** Wilson's 95 % interval of a fraction: honest for small n, where the textbook interval is not. */
export function wilson(successes: number, n: number): [low: number, high: number] | null {
  if (n === 0) return null;
  const z = 1.959963984540054;
  const p = successes / n;
  const centre = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const half = (z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))) / (1 + (z * z) / n);
  return [Math.max(0, centre - half), Math.min(1, centre + half)];
}

/** After 0 events in n tries the true rate is below 3/n with 95 % confidence. */
export function ruleOfThree(n: number): number | null {
  return n === 0 ? null : Math.min(1, 3 / n);
}

/** A small seeded generator (splitmix32): the same seed gives the same sequence on every machine. */
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
