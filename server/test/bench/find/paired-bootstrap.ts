/** How sure a difference between two engines is: the same questions drawn again and again, with a fixed seed. */

export interface Interval {
  difference: number;
  low: number;
  high: number;
}

const RESAMPLES = 2_000;
const SEED = 20_260_302;

/** Mean of a − b over pairs, with the middle 95 % of its resamples. */
export function pairedInterval(a: readonly number[], b: readonly number[], resamples = RESAMPLES): Interval {
  if (a.length !== b.length) throw new Error(`pairs should be as many on both sides, got ${a.length} and ${b.length}`);
  const differences = a.map((value, i) => value - (b[i] as number));
  const count = differences.length;
  if (count === 0) return { difference: 0, low: 0, high: 0 };
  const next = randomFrom(SEED);
  const means = Array.from({ length: resamples }, () => {
    let sum = 0;
    for (let i = 0; i < count; i++) sum += differences[Math.floor(next() * count)] as number;
    return sum / count;
  }).sort((x, y) => x - y);
  const at = (share: number) => means[Math.min(resamples - 1, Math.floor(share * resamples))] as number;
  return { difference: differences.reduce((sum, value) => sum + value, 0) / count, low: at(0.025), high: at(0.975) };
}

/** Numbers from 0 to below 1, always the same for a seed (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
