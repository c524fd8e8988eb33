/** Outbound budget of one platform account: so many calls a second with a small burst, first come first served. */

export interface Waits {
  count: number;
  sumMs: number;
  maxMs: number;
}

export interface Clock {
  now: () => number;
  sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

export const systemClock: Clock = {
  now: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', stop);
        resolve();
      }, ms);
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

export class RateBudget {
  readonly waits: Waits = { count: 0, sumMs: 0, maxMs: 0 };
  readonly #intervalMs: number;
  readonly #toleranceMs: number;
  readonly #clock: Clock;
  /** When the bucket would be full again; the whole state of a token bucket. */
  #fullAt = 0;

  /** `perSecond` 0 switches the budget off. */
  constructor(perSecond: number, burst: number, clock: Clock = systemClock) {
    this.#intervalMs = perSecond > 0 ? 1000 / perSecond : 0;
    this.#toleranceMs = this.#intervalMs * (burst - 1);
    this.#clock = clock;
  }

  async take(signal?: AbortSignal): Promise<void> {
    if (this.#intervalMs === 0) return;
    const now = this.#clock.now();
    const from = Math.max(this.#fullAt, now);
    // The place is taken before waiting, so callers that wait keep their order.
    this.#fullAt = from + this.#intervalMs;
    // Timers may fire up to a millisecond early; rounding up keeps the promise "never above rate + burst in a second".
    const waitMs = Math.ceil(from - this.#toleranceMs - now);
    if (waitMs <= 0) return;
    this.waits.count += 1;
    this.waits.sumMs += waitMs;
    this.waits.maxMs = Math.max(this.waits.maxMs, waitMs);
    await this.#clock.sleep(waitMs, signal);
  }
}
