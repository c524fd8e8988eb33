/** Outbound budget of one platform account: so many calls a second with a small burst, fair between principals. */
import { FairQueue, NOBODY, type Waiter } from '../principals/fair-queue.ts';

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

/** A place in the queue would come too late for the caller; none was taken. */
export class TooLong extends Error {
  readonly waitMs: number;

  constructor(waitMs: number) {
    super(`a place is free in ${Math.ceil(waitMs)} ms`);
    this.waitMs = waitMs;
  }
}

interface Waiting {
  since: number;
  /** Lets the caller go, with how long it waited. */
  go: (waitedMs: number) => void;
}

/** Where the places come from. */
export interface Bucket {
  /** Between two places when callers queue; 0 = there are as many as anybody wants. */
  readonly intervalMs: number;
  /** 0 when a place was taken, else the milliseconds until there may be one. */
  take: () => number | Promise<number>;
  /** The same without taking one, as far as it is known. */
  waitMs: () => number;
  /** No place for anybody before this pause is over. */
  hold: (ms: number) => void;
}

/** A token bucket in this process. */
export class LocalBucket implements Bucket {
  readonly intervalMs: number;
  readonly #toleranceMs: number;
  readonly #clock: Clock;
  /** When the bucket would be full again; the whole state of a token bucket. */
  #fullAt = 0;
  #heldUntil = 0;

  /** `perSecond` 0 switches the budget off. */
  constructor(perSecond: number, burst: number, clock: Clock = systemClock) {
    this.intervalMs = perSecond > 0 ? 1000 / perSecond : 0;
    this.#toleranceMs = this.intervalMs * (burst - 1);
    this.#clock = clock;
  }

  take(): number {
    const wait = this.waitMs();
    if (wait <= 0) this.#fullAt = Math.max(this.#fullAt, this.#clock.now()) + this.intervalMs;
    return Math.max(0, wait);
  }

  waitMs(): number {
    return Math.max(this.#fullAt - this.#toleranceMs, this.#heldUntil) - this.#clock.now();
  }

  hold(ms: number): void {
    this.#heldUntil = Math.max(this.#heldUntil, this.#clock.now() + ms);
  }

  /** As if every place up to then had been taken just then. */
  emptyAt(time: number): void {
    this.#fullAt = Math.max(this.#fullAt, time + this.intervalMs + this.#toleranceMs);
  }
}

export class RateBudget {
  readonly waits: Waits = { count: 0, sumMs: 0, maxMs: 0 };
  readonly #bucket: Bucket;
  readonly #clock: Clock;
  readonly #queue = new FairQueue<Waiting>();
  #draining = false;

  constructor(bucket: Bucket, clock: Clock = systemClock) {
    this.#bucket = bucket;
    this.#clock = clock;
  }

  /**
   * Waits for a place and says for how many milliseconds; refuses with TooLong when that is more than `mostMs`. `waiting`
   * hears beforehand how long it will probably be.
   */
  async take(
    signal?: AbortSignal,
    mostMs = Number.POSITIVE_INFINITY,
    waiting?: (probablyMs: number) => void,
    waiter: Waiter = NOBODY,
  ): Promise<number> {
    if (signal?.aborted) throw signal.reason;
    const since = this.#clock.now();
    const ahead = this.#queue.ahead(waiter);
    const isFree = this.#queue.size === 0;
    const waitMs = isFree ? await this.#bucket.take() : this.#bucket.waitMs() + ahead * this.#bucket.intervalMs;
    if (isFree && waitMs <= 0) return 0;
    if (waitMs > mostMs) throw new TooLong(waitMs);
    waiting?.(Math.max(0, waitMs));
    return this.#queued(since, signal, waiter);
  }

  /** The platform asked for a pause: nothing passes before it is over, not even a call that has a permit. */
  hold(ms: number): void {
    this.#bucket.hold(ms);
  }

  #queued(since: number, signal: AbortSignal | undefined, waiter: Waiter): Promise<number> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = {
        since,
        go: (waitedMs) => {
          signal?.removeEventListener('abort', leave);
          resolve(waitedMs);
        },
      };
      const leave = () => {
        this.#queue.remove(waiting);
        reject(signal?.reason);
      };
      if (signal?.aborted) return leave();
      signal?.addEventListener('abort', leave, { once: true });
      this.#queue.add(waiting, waiter);
      void this.#drain();
    });
  }

  /** A place is given when it is due and not before, so a process that was busy for a second does not catch up. */
  async #drain(): Promise<void> {
    if (this.#draining) return;
    this.#draining = true;
    while (this.#queue.size > 0) {
      // Timers may fire up to a millisecond early, so the wait is looked at again afterwards.
      const waitMs = Math.ceil(await this.#bucket.take());
      if (waitMs > 0) await this.#clock.sleep(waitMs);
      else this.#letGo(this.#clock.now());
    }
    this.#draining = false;
  }

  #letGo(now: number): void {
    const waiting = this.#queue.next();
    // The caller left while its permit was taken.
    if (waiting === undefined) return;
    const waitedMs = now - waiting.since;
    this.waits.count += 1;
    this.waits.sumMs += waitedMs;
    this.waits.maxMs = Math.max(this.waits.maxMs, waitedMs);
    waiting.go(waitedMs);
  }
}
