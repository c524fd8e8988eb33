/**
 * Consumed ids in Redis: one key per id, set only if it is absent, with the expiry of the id.
 *
 * The memory has an id that changes with every start of the Redis server, because a server that was killed may have
 * lost its last second. A token is bound to the id it was issued under. So the router refuses a token that the server
 * may have forgotten, instead of applying it again.
 */
import { randomBytes } from 'node:crypto';
import type { RedisLink } from './redis-link.ts';
import { gone } from './redis-reply.ts';
import { steadyNow } from './steady-clock.ts';

const MEMORY = 'svc-mcp:memory';
const used = (id: string) => `svc-mcp:used:${id}`;
/** Clocks of replicas differ: what expired is kept a while longer. */
const CLOCK_SKEW_MS = 3_600_000;

const OPEN_MEMORY = `
local run = string.match(redis.call('info', 'server'), 'run_id:(%x+)')
local id = redis.call('get', KEYS[1])
if not id or string.sub(id, 1, #run) ~= run then
  id = run .. ':' .. ARGV[1]
  redis.call('set', KEYS[1], id)
end
return id`;

const SPEND = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return -1 end
if redis.call('set', KEYS[2], '', 'NX', 'PX', ARGV[2]) then return 1 end
return 0`;

const IS_USED = `return redis.call('exists', KEYS[1])`;

export class RedisConsumed {
  readonly #link: RedisLink;
  readonly #now: () => number;
  #id: string | undefined;

  constructor(link: RedisLink, now: () => number = steadyNow) {
    this.#link = link;
    this.#now = now;
    link.onGreeting(async (run) => {
      this.#id = String(await run({ lua: OPEN_MEMORY, keys: [MEMORY], args: [randomBytes(9).toString('base64url')] }));
    });
  }

  /** Of the memory that this router knows; without one nothing can be bound to it. */
  get id(): string {
    if (this.#id === undefined) throw gone();
    return this.#id;
  }

  /** True for the first caller only, over all routers; REDIS_GONE when nobody can tell. */
  async consume(id: string, expiresAt: number): Promise<boolean> {
    const keptMs = Math.max(1, Math.ceil(expiresAt - this.#now() + CLOCK_SKEW_MS));
    const answer = await this.#link.run({ lua: SPEND, keys: [MEMORY, used(id)], args: [this.id, keptMs] });
    // Emptied while we were connected: what it knew is gone, and with it everything that was issued before.
    if (answer === -1) {
      this.#link.reconnect('the memory of consumed ids was emptied');
      throw gone();
    }
    return answer === 1;
  }

  async isConsumed(id: string, _expiresAt: number): Promise<boolean> {
    return (await this.#link.run({ lua: IS_USED, keys: [used(id)], args: [] })) === 1;
  }
}
