/**
 * Permits of the rate budget of a platform account, which Redis gives to all routers together: a token bucket by the
 * clock of Redis, so the clocks of the routers do not matter.
 *
 * A router that is cut off continues with its own share of the budget, and no other router can distinguish it from one
 * that ended. So the pool has only the shares of routers that reported within the last second. Together they never
 * exceed the budget, whichever router is cut off.
 */
import type { RedisLink } from './redis-link.ts';
import { gone } from './redis-reply.ts';

export interface Budget {
  /** Of a platform account, the same for every router. */
  account: string;
  perSecond: number;
  burst: number;
}

const HERE = 'svc-mcp:here';
const JOINED = 'svc-mcp:joined';
const PRESENT_MS = 1_000;
const REPORT_EVERY_MS = 250;

/** Reports this router as present and counts those who are. Somebody new takes no place that its share just used. */
const REPORT = `
local t = redis.call('time')
local now = t[1] * 1000 + t[2] / 1000
redis.call('zremrangebyscore', KEYS[1], '-inf', string.format('%.3f', now))
if redis.call('zadd', KEYS[1], string.format('%.3f', now + ARGV[2]), ARGV[1]) == 1 then
  redis.call('set', KEYS[2], string.format('%.3f', now), 'PX', 600000)
end
redis.call('pexpire', KEYS[1], 60000)
local here = redis.call('zcard', KEYS[1])`;

const TAKE = `${REPORT}
local every, burst, replicas = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5])
if here < replicas then every = every * replicas / here end
local joined = tonumber(redis.call('get', KEYS[2]) or '0')
local full = math.max(tonumber(redis.call('get', KEYS[3]) or '0'), joined + every * burst)
local held = redis.call('pttl', KEYS[4])
local wait = math.max(full - every * (burst - 1) - now, held)
if wait > 0 then return math.ceil(wait) end
full = math.max(full, now) + every
redis.call('set', KEYS[3], string.format('%.3f', full), 'PX', math.ceil(full - now) + 1000)
return 0`;

const HOLD = `
if redis.call('pttl', KEYS[1]) < tonumber(ARGV[1]) then redis.call('set', KEYS[1], '', 'PX', ARGV[1]) end
return 1`;

export class RedisPermits {
  readonly #link: RedisLink;
  readonly #replicas: number;
  readonly #report: NodeJS.Timeout;
  #lastReport = Number.NEGATIVE_INFINITY;

  constructor(link: RedisLink, replicas: number) {
    this.#link = link;
    this.#replicas = replicas;
    link.onGreeting(async (run) => {
      await run(this.#reporting(REPORT_ONLY));
      this.#lastReport = performance.now();
    });
    // An idle router is present too, or its share would lie idle with it.
    this.#report = setInterval(() => {
      if (link.up) void this.#run(this.#reporting(REPORT_ONLY)).catch(() => undefined);
    }, REPORT_EVERY_MS).unref();
  }

  get up(): boolean {
    return this.#link.up;
  }

  mustBeUp(): void {
    if (!this.#link.up) throw gone();
  }

  /** From when on (`performance.now()`) this router may use its own share: the others count it no longer. */
  get cutOffSince(): number {
    return this.#lastReport + PRESENT_MS;
  }

  /** 0 when a place was taken, else the milliseconds until one may be free; REDIS_GONE when nobody can tell. */
  async take({ account, perSecond, burst }: Budget): Promise<number> {
    const script = this.#reporting(TAKE);
    return Number(
      await this.#run({
        ...script,
        keys: [...script.keys, `svc-mcp:budget:${account}`, `svc-mcp:hold:${account}`],
        args: [...script.args, 1000 / perSecond, burst, this.#replicas],
      }),
    );
  }

  /** The platform asked for a pause: nobody gets a place before it is over. */
  async hold(account: string, ms: number): Promise<void> {
    if (ms < 1) return;
    await this.#link.run({ lua: HOLD, keys: [`svc-mcp:hold:${account}`], args: [Math.ceil(ms)] });
  }

  close(): void {
    clearInterval(this.#report);
  }

  #reporting(lua: string) {
    return { lua, keys: [HERE, JOINED], args: [this.#link.self, PRESENT_MS] };
  }

  async #run(script: Parameters<RedisLink['run']>[0]): Promise<unknown> {
    if (!this.#link.up) throw gone();
    try {
      return await this.#link.run(script);
    } finally {
      // A report without an answer may have arrived all the same.
      this.#lastReport = performance.now();
    }
  }
}

const REPORT_ONLY = `${REPORT}
return here`;
