import type { Account } from '../config/credentials.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { nameOf } from './account-binding.ts';
import { type Bucket, type Clock, LocalBucket, RateBudget, type Waits } from './rate-limit.ts';
import { SharedBucket, type SharedPermits, shareOf } from './shared-bucket.ts';

export interface RateOptions {
  ratePerSecond: number;
  /** Routers that use the same accounts, this one included. */
  replicas?: number;
  /** Gives out the places of all of them; without it each keeps to its share. */
  places?: SharedPermits;
}

/** The budget of every account that was used, made at its first use. */
export class RateBudgets {
  readonly #options: RateOptions;
  readonly #clock: Clock;
  readonly #known = new Map<string, RateBudget>();

  constructor(options: RateOptions, clock: Clock) {
    this.#options = options;
    this.#clock = clock;
  }

  of(account: Account, platform: PlatformDefinition): RateBudget {
    const known = this.#known.get(account.section);
    if (known) return known;
    const budget = new RateBudget(this.#bucket(account, platform.rate.burst), this.#clock);
    this.#known.set(account.section, budget);
    return budget;
  }

  #bucket(account: Account, burst: number): Bucket {
    const { ratePerSecond: perSecond, replicas = 1, places } = this.#options;
    if (perSecond > 0 && places)
      return new SharedBucket(places, { account: nameOf(account), perSecond, burst }, replicas, this.#clock);
    return perSecond > 0 && replicas > 1
      ? new LocalBucket(shareOf({ perSecond, burst }, replicas), 1, this.#clock)
      : new LocalBucket(perSecond, burst, this.#clock);
  }

  /** Waits of all accounts together, for metrics. */
  waits(): Waits {
    const all = [...this.#known.values()].map((budget) => budget.waits);
    return {
      count: all.reduce((sum, waits) => sum + waits.count, 0),
      sumMs: all.reduce((sum, waits) => sum + waits.sumMs, 0),
      maxMs: Math.max(0, ...all.map((waits) => waits.maxMs)),
    };
  }
}
