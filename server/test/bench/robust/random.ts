/** Seeded random numbers for benches and tests: the same seed makes the same messages on every machine. */
import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus';
import { skipN } from 'pure-rand/utils/skipN';

/** The first numbers of neighbouring seeds are alike. */
const SKIPPED = 20;

export class Random {
  readonly #generator;

  constructor(seed: number) {
    this.#generator = xoroshiro128plus(seed);
    skipN(this.#generator, SKIPPED);
  }

  /** A whole number from 0 up to, not including, the limit. */
  below(limit: number): number {
    return uniformInt(this.#generator, 0, limit - 1);
  }

  of<T>(values: readonly T[]): T {
    return values[this.below(values.length)] as T;
  }

  chance(percent: number): boolean {
    return this.below(100) < percent;
  }
}
