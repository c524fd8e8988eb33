/**
 * Runs in the Redis that routers share. A run is held for a while under a number that only grows: every write brings the
 * number it holds the run by, and Redis refuses one that is no longer the latest, in the same step in which it would write.
 */
import type { RedisLink } from '../storage/redis-link.ts';
import type { Run } from './migration-run.ts';
import {
  busy,
  type HeldRun,
  type HoldTimes,
  type ListedRun,
  listed,
  lost,
  mustBeRunId,
  type RunStore,
  textOf,
  wholeRun,
} from './run-store.ts';

/** How long a run waits for a router that does not report. A router that ended looks like a slow one. */
const REDIS_TIMES: HoldTimes = { heldMs: 10_000, reportMs: 2_000 };

const NAMES = 'svc-mcp:runs';
const runKey = (id: string) => `svc-mcp:run:${id}`;
const holdKey = (id: string) => `svc-mcp:run-held:${id}`;
const numberKey = (id: string) => `svc-mcp:run-number:${id}`;

const READ = `return redis.call('get', KEYS[1])`;

const LIST = `return redis.call('zrange', KEYS[1], 0, -1)`;

const TAKE = `
if redis.call('exists', KEYS[1]) == 1 then return 0 end
local number = tonumber(redis.call('get', KEYS[2]) or '0') + 1
redis.call('set', KEYS[2], number)
redis.call('set', KEYS[1], number, 'PX', ARGV[1])
return number`;

const HELD = `
if redis.call('get', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('pexpire', KEYS[1], ARGV[2])`;

const REPORT = `${HELD}
return 1`;

const WRITE = `${HELD}
redis.call('set', KEYS[2], ARGV[4])
redis.call('zadd', KEYS[3], 0, ARGV[3])
return 1`;

const GIVE_BACK = `
if redis.call('get', KEYS[1]) == ARGV[1] then redis.call('pexpire', KEYS[1], 0) end
return 1`;

export class RedisRunStore implements RunStore {
  readonly #link: RedisLink;
  readonly #times: HoldTimes;
  readonly #now: () => number;

  constructor(link: RedisLink, times = REDIS_TIMES, now = () => performance.now()) {
    this.#link = link;
    this.#times = times;
    this.#now = now;
  }

  async read(id: string): Promise<Run | undefined> {
    mustBeRunId(id);
    const text = await this.#text(id);
    return text === undefined ? undefined : wholeRun(text, id);
  }

  async list(): Promise<ListedRun[]> {
    const names = (await this.#link.run({ lua: LIST, keys: [NAMES], args: [] })) as string[];
    const runs: ListedRun[] = [];
    for (const name of names) {
      const text = await this.#text(name);
      runs.push(text === undefined ? { run_id: name, problem: 'it is gone' } : listed(name, text));
    }
    return runs;
  }

  async hold<T>(id: string, work: (held: HeldRun) => Promise<T>): Promise<T> {
    mustBeRunId(id);
    const { heldMs, reportMs } = this.#times;
    let until = this.#now() + heldMs;
    const take = { lua: TAKE, keys: [holdKey(id), numberKey(id)], args: [heldMs] };
    const number = Number(await this.#link.run(take));
    if (number === 0) throw busy(id);
    /** By the clock of this router, from before Redis was asked: never longer than Redis keeps it. */
    const ask = async (lua: string, keys: readonly string[] = [], args: readonly string[] = []) => {
      const asked = this.#now();
      const script = { lua, keys: [holdKey(id), ...keys], args: [number, heldMs, ...args] };
      if ((await this.#link.run(script)) === 1) until = asked + heldMs;
      else {
        until = 0;
        throw lost(id);
      }
    };
    const report = setInterval(() => void ask(REPORT).catch(() => undefined), reportMs).unref();
    try {
      return await work({
        mustHold: () => {
          if (this.#now() >= until) throw lost(id);
        },
        write: async (run) => ask(WRITE, [runKey(id), NAMES], [id, textOf(run)]),
      });
    } finally {
      clearInterval(report);
      // Without an answer it ends by itself.
      await this.#link.run({ lua: GIVE_BACK, keys: [holdKey(id)], args: [number] }).catch(() => undefined);
    }
  }

  async #text(id: string): Promise<string | undefined> {
    const text = await this.#link.run({ lua: READ, keys: [runKey(id)], args: [] });
    return typeof text === 'string' ? text : undefined;
  }
}
