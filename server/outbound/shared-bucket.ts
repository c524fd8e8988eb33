/** Places that several routers take from one account together; alone with its share when it is cut off from the others. */
import { type Bucket, type Clock, LocalBucket, systemClock } from './rate-limit.ts';

/** Who gives out places to all routers. */
export interface SharedPermits {
  /** Can it be asked at all? */
  readonly up: boolean;
  /** By the clock of `performance.now()`: from then on the others leave this router's share to it. */
  readonly cutOffSince: number;
  take: (budget: AccountBudget) => Promise<number>;
  /** Throws a coded error when it cannot be asked now. */
  mustBeUp: () => void;
  hold: (account: string, ms: number) => Promise<void>;
}

export interface AccountBudget {
  /** The same text in every router that uses this account. */
  account: string;
  perSecond: number;
  burst: number;
}

/**
 * One router's share of a budget, by its rate alone: shares have no burst, or the bursts of all would come on top. Where
 * rounding up to whole calls a second would break the budget of all together, the share is smaller.
 */
export function shareOf({ perSecond, burst }: Pick<AccountBudget, 'perSecond' | 'burst'>, replicas: number): number {
  const whole = Math.floor((perSecond + burst) / replicas);
  return Math.min(perSecond / replicas, Math.max(1, whole));
}

export class SharedBucket implements Bucket {
  readonly intervalMs: number;
  readonly #places: SharedPermits;
  readonly #budget: AccountBudget;
  readonly #share: LocalBucket;
  readonly #clock: Clock;
  #freeAt = 0;
  #pooled = true;

  constructor(places: SharedPermits, budget: AccountBudget, replicas: number, clock: Clock = systemClock) {
    this.#places = places;
    this.#budget = budget;
    this.#clock = clock;
    this.#share = new LocalBucket(shareOf(budget, replicas), 1, clock);
    this.intervalMs = 1000 / budget.perSecond;
  }

  async take(): Promise<number> {
    if (this.#places.up) {
      const wait = await this.#places.take(this.#budget).catch(() => undefined);
      if (wait !== undefined) {
        this.#pooled = true;
        this.#freeAt = this.#clock.now() + wait;
        return wait;
      }
    }
    return this.#takeOfShare();
  }

  /** Permits that other routers may still give out of this share expire first. Then the share starts empty. */
  #takeOfShare(): number {
    if (this.#pooled) this.#share.emptyAt(this.#places.cutOffSince);
    this.#pooled = false;
    return this.#share.take();
  }

  waitMs(): number {
    return this.#freeAt - this.#clock.now();
  }

  hold(ms: number): void {
    this.#share.hold(ms);
    void this.#places.hold(this.#budget.account, ms).catch(() => undefined);
  }
}
