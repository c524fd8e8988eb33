/** Approvals in the Redis that routers share: one key each, which expires by itself, and a sorted set of the ids by that time. */
import type { RedisLink } from '../storage/redis-link.ts';
import { isApprovalId } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';

const IDS = 'svc-mcp:approvals';

const CREATE = `
if not redis.call('set', KEYS[1], ARGV[1], 'NX', 'PX', ARGV[2]) then return 0 end
redis.call('zadd', KEYS[2], ARGV[3], ARGV[4])
return 1`;

const READ = `return redis.call('get', KEYS[1])`;

const REPLACE = `
if redis.call('get', KEYS[1]) ~= ARGV[5] then return 0 end
redis.call('set', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('zadd', KEYS[2], ARGV[3], ARGV[4])
return 1`;

const LIST = `return redis.call('zrange', KEYS[1], 0, -1)`;

const PRUNE = `return redis.call('zremrangebyscore', KEYS[1], '-inf', ARGV[1])`;

export class RedisApprovalStore implements ApprovalStore {
  readonly #link: RedisLink;
  readonly #now: () => number;

  constructor(link: RedisLink, now: () => number = Date.now) {
    this.#link = link;
    this.#now = now;
  }

  async create(id: string, text: string, keptUntil: number): Promise<boolean> {
    return this.#write(CREATE, id, [text, this.#keptMs(keptUntil), keptUntil, id]);
  }

  async read(id: string): Promise<string | undefined> {
    const text = await this.#link.run({ lua: READ, keys: [keyOf(id)], args: [] });
    return typeof text === 'string' ? text : undefined;
  }

  async replace(id: string, before: string, after: string, keptUntil: number): Promise<boolean> {
    return this.#write(REPLACE, id, [after, this.#keptMs(keptUntil), keptUntil, id, before]);
  }

  async ids(): Promise<string[]> {
    return ((await this.#link.run({ lua: LIST, keys: [IDS], args: [] })) as string[]).filter(isApprovalId);
  }

  async prune(): Promise<void> {
    await this.#link.run({ lua: PRUNE, keys: [IDS], args: [this.#now()] });
  }

  async #write(lua: string, id: string, args: readonly (string | number)[]): Promise<boolean> {
    return (await this.#link.run({ lua, keys: [keyOf(id), IDS], args })) === 1;
  }

  #keptMs(keptUntil: number): number {
    return Math.max(1, Math.ceil(keptUntil - this.#now()));
  }
}

function keyOf(id: string): string {
  if (!isApprovalId(id)) throw new TypeError('an id of an approval is 43 characters of base64url');
  return `svc-mcp:approval:${id}`;
}
