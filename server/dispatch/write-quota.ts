/**
 * Writes that a principal may send to a platform in a clock hour. Each takes one of the hour's slots, and a slot is taken
 * only once over all routers that share the store, also after a restart. A write that the platform refused took its slot.
 */
import { RouterError } from '../errors.ts';
import { digest } from './canonical-json.ts';
import type { Call } from './dispatch-call.ts';
import type { SingleUse } from './single-use.ts';

const HOUR_MS = 3_600_000;

type Caller = Pick<Call, 'principal' | 'access'>;

export class WriteQuota {
  readonly #used: SingleUse;
  readonly #perHour: number | undefined;
  readonly #now: () => number;
  /** The first slot that may be free, by what it counts. Others take slots too, so it is only where to begin. */
  readonly #free = new Map<string, number>();
  #hour = 0;

  /** @param perHour of every principal; undefined for no limit but that of the principal itself. */
  constructor(used: SingleUse, perHour: number | undefined, now: () => number = Date.now) {
    this.#used = used;
    this.#perHour = perHour;
    this.#now = now;
  }

  /** Throws WRITE_QUOTA_USED_UP: nobody is asked about more writes than can be sent. */
  async mustHaveLeft(caller: Caller, platform: string, writes = 1): Promise<void> {
    const most = this.#mostOf(caller);
    if (most === undefined) return;
    const hour = this.#thisHour();
    // Slots are taken in their order, so one of them tells of all.
    if (writes <= most && !(await this.#isTaken(caller, platform, hour, most - writes))) return;
    const left = await this.#left(caller, platform, most, hour);
    throw left === 0 ? usedUp(platform, most, hour) : tooFew({ platform, most, hour, left, writes });
  }

  /** The same for writes to several platforms that somebody approves together. */
  async mustHaveLeftForAll(caller: Caller, requests: readonly { tool: { platform: string } }[]): Promise<void> {
    for (const [platform, own] of Map.groupBy(requests, ({ tool }) => tool.platform))
      await this.mustHaveLeft(caller, platform, own.length);
  }

  /** Of these, in their order, those that can be sent in this hour, up to the first that cannot. Throws WRITE_QUOTA_USED_UP for none. */
  async firstOf<R extends { tool: { platform: string } }>(
    caller: Caller,
    requests: readonly R[],
  ): Promise<readonly R[]> {
    const most = this.#mostOf(caller);
    if (most === undefined) return requests;
    const hour = this.#thisHour();
    const left = new Map<string, number>();
    for (const [at, { tool }] of requests.entries()) {
      const { platform } = tool;
      const own = left.get(platform) ?? (await this.#left(caller, platform, most, hour));
      if (own === 0 && at === 0) throw usedUp(platform, most, hour);
      if (own === 0) return requests.slice(0, at);
      left.set(platform, own - 1);
    }
    return requests;
  }

  /** Takes a slot for a write that is sent next. Throws WRITE_QUOTA_USED_UP. */
  async take(caller: Caller, platform: string): Promise<void> {
    const most = this.#mostOf(caller);
    if (most === undefined) return;
    const hour = this.#thisHour();
    const counted = JSON.stringify([caller.principal, platform]);
    for (let slot = this.#free.get(counted) ?? 0; slot < most; slot++) {
      if (!(await this.#used.consume(slotOf(caller, platform, hour, slot), endOf(hour)))) continue;
      if (hour === this.#hour) this.#free.set(counted, slot + 1);
      return;
    }
    throw usedUp(platform, most, hour);
  }

  #isTaken(caller: Caller, platform: string, hour: number, slot: number): Promise<boolean> {
    return this.#used.isConsumed(slotOf(caller, platform, hour, slot), endOf(hour));
  }

  async #left(caller: Caller, platform: string, most: number, hour: number): Promise<number> {
    let free = 0;
    for (let end = most; free < end; ) {
      const middle = Math.floor((free + end) / 2);
      if (await this.#isTaken(caller, platform, hour, middle)) free = middle + 1;
      else end = middle;
    }
    return most - free;
  }

  #thisHour(): number {
    const hour = Math.floor(this.#now() / HOUR_MS);
    if (hour !== this.#hour) this.#free.clear();
    this.#hour = hour;
    return hour;
  }

  #mostOf({ access }: Caller): number | undefined {
    const limits = [this.#perHour, access?.maxWritesPerHour].filter((limit) => limit !== undefined);
    return limits.length === 0 ? undefined : Math.min(...limits);
  }
}

const endOf = (hour: number): number => (hour + 1) * HOUR_MS;

const slotOf = ({ principal }: Caller, platform: string, hour: number, slot: number): string =>
  `write-${digest([principal, platform]).slice(0, 32)}-${hour}-${slot}`;

function usedUp(platform: string, most: number, hour: number): RouterError {
  const retry_at = new Date(endOf(hour)).toISOString();
  return new RouterError(
    'WRITE_QUOTA_USED_UP',
    `this principal may send ${most} ${most === 1 ? 'write' : 'writes'} an hour to ${platform}, and all of them are sent; the next hour begins at ${retry_at}. Nothing was sent.`,
    { details: { limit: most, retry_at } },
  );
}

interface TooFew {
  platform: string;
  most: number;
  hour: number;
  left: number;
  writes: number;
}

function tooFew({ platform, most, hour, left, writes }: TooFew): RouterError {
  const retry_at = new Date(endOf(hour)).toISOString();
  const otherwise = writes > most ? `for no hour has more than ${most}` : 'or wait until `retry_at`';
  return new RouterError(
    'WRITE_QUOTA_USED_UP',
    `this principal may send ${most} writes an hour to ${platform} and has ${left} left, and these are ${writes}; the next hour begins at ${retry_at}. Nobody was asked and nothing was sent.`,
    {
      details: { limit: most, left, retry_at },
      remedy: `ask for at most ${left} of these writes, ${otherwise}; only the operator of this router can raise the quota`,
    },
  );
}
