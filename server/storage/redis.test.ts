/** State that routers share through a real Redis: access, consumed ids, and permits. */
import { getEventListeners } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { RedisApprovalStore } from '../approvals/redis-approval-store.ts';
import { WriteSwitch } from '../approvals/write-switch.ts';
import { packageRoot } from '../config/config.ts';
import type { RedisAddress } from '../config/redis-address.ts';
import { fixedKeys } from '../dispatch/keyring.ts';
import { type Plan, PlanTokens } from '../dispatch/plan-token.ts';
import type { Run } from '../migration/migration-run.ts';
import { RedisRunStore } from '../migration/redis-run-store.ts';
import { createLogger } from '../telemetry/logger.ts';
import { freePort, missing, REDIS_PASSWORD, type Redis, startRedis } from '../test/support/programs.ts';
import { RedisConsumed } from './redis-consumed.ts';
import { RedisLink } from './redis-link.ts';
import { RedisPermits } from './redis-permits.ts';

const absent = missing('redis-server');
const log: string[] = [];
const logger = createLogger('debug', (line) => log.push(line));
const open: (() => void)[] = [];

afterEach(() => {
  for (const close of open.splice(0)) close();
  log.length = 0;
});

const addressOf = (redis: Redis, more: Partial<RedisAddress> = {}): RedisAddress => ({
  host: '127.0.0.1',
  port: redis.port,
  tls: false,
  database: 0,
  username: undefined,
  passwordPath: redis.passwordPath,
  ...more,
});
/** So long that a busy machine loses no answer. */
const ANSWER_MS = 10_000;
const linkTo = (redis: Redis, more: Partial<RedisAddress> = {}, answerMs = ANSWER_MS) => {
  const link = new RedisLink({ address: addressOf(redis, more), logger, answerMs });
  open.push(() => link.close());
  return link;
};

describe.skipIf(absent)('access', () => {
  test('the right password', async () => {
    await using redis = await startRedis();
    const link = linkTo(redis);
    await link.ready();
    expect(await link.run({ lua: 'return 7', keys: [], args: [] })).toBe(7);
    logger.secrets.learnIssued(...Array.from({ length: 600 }, (_, i) => `a-token-of-a-platform-${i}`));
    expect(logger.secrets.scrub(REDIS_PASSWORD), 'however many came after it').not.toContain(REDIS_PASSWORD);
  });

  test('a user of its own, by no more than it needs', async () => {
    const may =
      '+eval +info +ping +get +set +exists +time +pttl +pexpire +zadd +zcard +zrange +zremrangebyscore +select';
    await using redis = await startRedis(['user default off', `user router on >${REDIS_PASSWORD} ~svc-mcp:* ${may}`]);
    const link = linkTo(redis, { username: 'router' });
    const used = new RedisConsumed(link);
    const places = new RedisPermits(link, 1);
    open.push(() => places.close());
    await link.ready();
    expect([link.up, log.join('')]).toEqual([true, expect.stringContaining('redis.up')]);
    expect(await used.consume('a', Date.now() + 1_000)).toBe(true);
    expect(await used.isConsumed('a', 0)).toBe(true);
    expect(await places.take({ account: 'a', perSecond: 100, burst: 2 })).toBeGreaterThanOrEqual(0);
    await places.hold('a', 10);
    expect(link.up).toBe(true);
  });

  test.each([
    ['a wrong password', undefined, 'another', /the password is wrong/],
    ['an empty password file', undefined, '\n', /got nothing/],
    ['a server without a password', [], REDIS_PASSWORD, /lets everybody in/],
    ['a server started with an empty password', ['requirepass ""'], REDIS_PASSWORD, /lets everybody in/],
    [
      'a server that lets the default user in beside ours',
      ['user other on nopass ~* +@all'],
      REDIS_PASSWORD,
      /lets everybody in/,
    ],
    [
      'a server that throws away what it should remember',
      [`requirepass ${REDIS_PASSWORD}`, 'maxmemory 10mb', 'maxmemory-policy volatile-lru'],
      REDIS_PASSWORD,
      /maxmemory-policy volatile-lru/,
    ],
  ])('%s is refused at the start, without the password in any word', async (_, settings, password, why) => {
    await using redis = await startRedis(settings);
    writeFileSync(redis.passwordPath, password);
    const link = linkTo(redis);
    const error = await link.ready().then(
      () => undefined,
      (refused: Error & { code: string }) => refused,
    );
    expect(error).toMatchObject({ code: 'REDIS_REFUSED', message: expect.stringMatching(why) });
    expect(`${error?.message} ${log.join('')}`).not.toContain(REDIS_PASSWORD);
    expect(link.up).toBe(false);
  });

  test('a server that comes back open is not used again', async () => {
    await using redis = await startRedis();
    const link = linkTo(redis);
    await link.ready();
    await redis.command('CONFIG', 'SET', 'requirepass', '');
    link.reconnect('a test');
    await expect.poll(() => log.join('')).toContain('lets everybody in');
    expect(link.up).toBe(false);
    await redis.command('CONFIG', 'SET', 'requirepass', REDIS_PASSWORD);
    await expect.poll(() => link.up).toBe(true);
  });
});

test('each try to reach a server leaves nothing behind', async () => {
  const listening = vi.spyOn(AbortSignal.prototype, 'addEventListener');
  const address = { host: '127.0.0.1', port: await freePort(), tls: false, database: 0, username: undefined };
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-redis-'));
  const passwordPath = join(folder, 'password');
  writeFileSync(passwordPath, REDIS_PASSWORD, { mode: 0o600 });
  const link = new RedisLink({ address: { ...address, passwordPath }, logger });
  open.push(() => link.close());
  await link.ready();
  await new Promise((done) => setTimeout(done, 1_000));
  const signals = new Set(listening.mock.contexts as AbortSignal[]);
  listening.mockRestore();
  rmSync(folder, { recursive: true });
  for (const signal of signals) expect(getEventListeners(signal, 'abort').length).toBeLessThan(2);
});

describe.skipIf(absent)('an unreachable server', () => {
  test('at the start leaves the router waiting for it', async () => {
    await using redis = await startRedis();
    await redis.kill();
    const link = linkTo(redis);
    await link.ready();
    expect(link.up).toBe(false);
    await expect(link.run({ lua: 'return 1', keys: [], args: [] })).rejects.toMatchObject({ code: 'REDIS_GONE' });
    await redis.restart();
    await expect.poll(() => link.up).toBe(true);
  });

  test('in the middle is noticed, and found again', async () => {
    await using redis = await startRedis();
    const link = linkTo(redis);
    await link.ready();
    await redis.kill();
    await expect.poll(() => link.up).toBe(false);
    await redis.restart();
    await expect.poll(() => link.up).toBe(true);
  });

  test('that hangs is given up after its time, not waited for', async () => {
    await using redis = await startRedis();
    const link = linkTo(redis, {}, 200);
    await link.ready();
    redis.pause();
    const began = performance.now();
    await expect(link.run({ lua: 'return 1', keys: [], args: [] })).rejects.toMatchObject({ code: 'REDIS_GONE' });
    expect(performance.now() - began).toBeLessThan(10_000);
    expect(link.up).toBe(false);
    redis.resume();
    await expect.poll(() => link.up).toBe(true);
  });
});

describe.skipIf(absent)('what was used', () => {
  const plan: Plan = { tool: 't', arguments: [], principal: 'local', access: [], catalog: 'c', account: null };
  const keys = fixedKeys(Buffer.alloc(32, 1));
  const tokensOf = async (redis: Redis) => {
    const link = linkTo(redis);
    const tokens = new PlanTokens(keys, new RedisConsumed(link));
    await link.ready();
    return { link, tokens };
  };

  test('is used once, however many routers try at once', async () => {
    await using redis = await startRedis();
    const [a, b, c] = [await tokensOf(redis), await tokensOf(redis), await tokensOf(redis)] as const;
    for (let round = 0; round < 20; round++) {
      const token = a.tokens.issue(plan);
      const check = await b.tokens.check(token, plan);
      if (!check.ok) throw new Error(check.reason);
      const won = await Promise.all(Array.from({ length: 30 }, (_, i) => [a, b, c][i % 3]!.tokens.consume(check)));
      expect(won.filter(Boolean)).toHaveLength(1);
      expect(await c.tokens.check(token, plan)).toEqual({ ok: false, reason: 'it was already used', used: true });
    }
  });

  test('is removed when its token has expired', async () => {
    await using redis = await startRedis();
    const link = linkTo(redis);
    const used = new RedisConsumed(link);
    await link.ready();
    await used.consume('abc', Date.now() + 5_000);
    const left = Number((await redis.command('PTTL', 'svc-mcp:used:abc')).slice(1));
    expect(left).toBeGreaterThan(3_600_000);
    expect(left).toBeLessThanOrEqual(3_605_000);
  });

  test('before the server was started again is refused, not applied: it may have lost its last second', async () => {
    await using redis = await startRedis();
    const { link, tokens } = await tokensOf(redis);
    const token = tokens.issue(plan);
    const check = await tokens.check(token, plan);
    if (!check.ok) throw new Error(check.reason);
    expect(await tokens.consume(check)).toBe(true);
    await redis.kill();
    await expect(tokens.check(token, plan)).rejects.toMatchObject({ code: 'REDIS_GONE' });
    await redis.restart();
    await expect.poll(() => link.up).toBe(true);
    expect(await tokens.check(token, plan)).toMatchObject({ ok: false });
    expect(await tokens.check(tokens.issue(plan), plan)).toMatchObject({ ok: true });
  });

  test('in a memory that somebody emptied is refused, and the next token works', async () => {
    await using redis = await startRedis();
    const { link, tokens } = await tokensOf(redis);
    const token = tokens.issue(plan);
    const check = await tokens.check(token, plan);
    if (!check.ok) throw new Error(check.reason);
    await tokens.consume(check);
    await redis.command('FLUSHALL');
    await expect(tokens.consume(check)).rejects.toMatchObject({ code: 'REDIS_GONE' });
    await expect.poll(() => link.up).toBe(true);
    const next = await tokens.check(tokens.issue(plan), plan);
    expect(next.ok && (await tokens.consume(next))).toBe(true);
  });
});

describe.skipIf(absent)('places of a budget', () => {
  const budget = { account: 'mgmt:1', perSecond: 40, burst: 4 };
  const placesOf = async (redis: Redis, replicas: number) => {
    const link = linkTo(redis);
    const places = new RedisPermits(link, replicas);
    open.push(() => places.close());
    await link.ready();
    return { link, places };
  };
  /** Between these two moments a place was given. */
  interface Taken {
    asked: number;
    told: number;
  }
  /** Takes as fast as it can until the time is over. */
  const taking = async (places: RedisPermits, ms: number): Promise<Taken[]> => {
    const taken: Taken[] = [];
    const end = performance.now() + ms;
    while (performance.now() < end) {
      const asked = performance.now();
      const wait = await places.take(budget);
      if (wait === 0) taken.push({ asked, told: performance.now() });
      else await new Promise((resolve) => setTimeout(resolve, wait));
    }
    return taken;
  };
  /** Those that surely were given within one second: a busy machine hears of many late, and all at once. */
  const mostInASecond = (taken: Taken[]) =>
    Math.max(
      ...taken.map(({ asked: from }) => taken.filter(({ asked, told }) => asked >= from && told < from + 1_000).length),
    );

  test('three routers together get the rate, and never more than rate and burst in a second', async () => {
    await using redis = await startRedis();
    const three = [await placesOf(redis, 3), await placesOf(redis, 3), await placesOf(redis, 3)];
    const taken = (await Promise.all(three.map(({ places }) => taking(places, 3_000)))).flat();
    expect(mostInASecond(taken)).toBeLessThanOrEqual(44);
    expect(taken.length).toBeGreaterThan(60);
  });

  test('routers pool the shares of those who are there: what one is cut off with is left to it', async () => {
    await using redis = await startRedis();
    const [a, b] = [await placesOf(redis, 4), await placesOf(redis, 4)];
    const taken = (await Promise.all([a, b].map(({ places }) => taking(places, 2_000)))).flat();
    expect(mostInASecond(taken)).toBeLessThanOrEqual(24);
    expect(taken.length).toBeGreaterThan(30);
    // After the one that was cut off its share may go on, and not before.
    b.places.close();
    b.link.close();
    expect(b.places.cutOffSince).toBeGreaterThan(performance.now());
    await new Promise((resolve) => setTimeout(resolve, 1_100));
    expect(mostInASecond(await taking(a.places, 1_500))).toBeLessThanOrEqual(14);
  });

  const HELD_MS = 20_000;
  test('a pause that one router was asked for holds for all', async () => {
    await using redis = await startRedis();
    const [a, b] = [await placesOf(redis, 2), await placesOf(redis, 2)];
    const asked = performance.now();
    await a.places.hold(budget.account, HELD_MS);
    const wait = await b.places.take(budget);
    expect(wait).toBeLessThanOrEqual(HELD_MS);
    expect(wait).toBeGreaterThan(HELD_MS - (performance.now() - asked) - 1);
  });

  test('a router that has just joined starts with an empty bucket', async () => {
    await using redis = await startRedis();
    const { places } = await placesOf(redis, 1);
    // One call in a quarter of an hour: however busy the machine is, no place comes in between.
    expect(await places.take({ ...budget, perSecond: 0.001 })).toBeGreaterThan(0);
  });
});

test.skipIf(absent)('keys expire by themselves, but for those that the page of replicas names', async () => {
  await using redis = await startRedis();
  const link = linkTo(redis);
  const used = new RedisConsumed(link);
  const places = new RedisPermits(link, 1);
  open.push(() => places.close());
  await link.ready();
  await used.consume('a', Date.now() + 60_000);
  await places.take({ account: 'a', perSecond: 100, burst: 2 });
  await places.hold('a', 60_000);
  await new RedisApprovalStore(link).create('a'.repeat(43), 'sealed', Date.now() + 60_000);
  const path = join(dirname(redis.passwordPath), 'write-switch.json');
  await new WriteSwitch({ path, redis: link }).change({ writes: 'stopped', by: 'ada', where: 'terminal', reason: '' });
  await new RedisRunStore(link).hold('run_a', (held) => held.write({ run_id: 'run_a' } as Run));
  const lua = `
local kept = {}
for _, key in ipairs(redis.call('keys', '*')) do if redis.call('pttl', key) == -1 then kept[#kept + 1] = key end end
return kept`;
  const kept = (await link.run({ lua, keys: [], args: [] })) as string[];
  // The set of approvals is emptied as they end; page and code name the others.
  expect(kept.sort()).toEqual([
    'svc-mcp:approvals',
    'svc-mcp:memory',
    'svc-mcp:run-number:run_a',
    'svc-mcp:run:run_a',
    'svc-mcp:runs',
    'svc-mcp:write-switch',
  ]);
  const page = readFileSync(join(packageRoot, 'docs', 'replicas.md'), 'utf8');
  expect(page.replaceAll(/\s+/g, ' ')).toContain(
    'Keys expire by themselves, except migration runs, the switch that stops all writes, the ids of approvals, which are removed as they end, and the id of the run of the server.',
  );
});
