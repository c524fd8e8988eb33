/** The write switch: one change holds for every router that shares the store, and outlives each of them, and Redis. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { RedisLink } from '../storage/redis-link.ts';
import { createLogger } from '../telemetry/logger.ts';
import { missing, startRedis } from '../test/support/programs.ts';
import { WriteSwitch } from './write-switch.ts';

const closing: (() => void | Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
const folder = () => {
  const made = mkdtempSync(join(tmpdir(), 'write-switch-'));
  closing.push(() => rmSync(made, { recursive: true }));
  return made;
};
const STOP = { writes: 'stopped', by: 'ada', where: 'console', reason: 'incident' } as const;
const ALLOW = { ...STOP, writes: 'allowed' } as const;
const KEY = 'svc-mcp:write-switch';
const stopped = { code: 'WRITES_STOPPED' };

describe('over files', () => {
  test('holds for another router at once and after a restart, until it is lifted', async () => {
    const path = join(folder(), 'write-switch.json');
    const [one, other] = [new WriteSwitch({ path }), new WriteSwitch({ path })];
    await one.mustAllow();
    await one.change(STOP);
    await expect(other.mustAllow()).rejects.toMatchObject(stopped);
    await expect(new WriteSwitch({ path }).mustAllow()).rejects.toMatchObject(stopped);
    await other.change(ALLOW);
    await one.mustAllow();
  });

  test('keeps and records as much of a reason as an approval does', async () => {
    const recorded: string[] = [];
    const record = ({ reason }: { reason: string }) => void recorded.push(reason);
    const writes = new WriteSwitch({ path: join(folder(), 'write-switch.json'), record });
    const { reason } = await writes.change({ ...STOP, reason: ` incident 12 ${'x'.repeat(70_000)}` });
    expect(reason).toMatch(/^incident 12 x{488}$/);
    expect([recorded, (await writes.state())?.reason]).toEqual([[reason], reason]);
  });

  test('that cannot be read stops the writes', async () => {
    const path = join(folder(), 'write-switch.json');
    writeFileSync(path, '{');
    await expect(new WriteSwitch({ path }).mustAllow()).rejects.toMatchObject(stopped);
  });

  test('stops also where that cannot be recorded, and is lifted only where it can', async () => {
    const path = join(folder(), 'write-switch.json');
    const unrecorded = new WriteSwitch({
      path,
      record: () => {
        throw new Error('disk full');
      },
    });
    await expect(unrecorded.change(STOP)).rejects.toThrow('disk full');
    await expect(unrecorded.mustAllow()).rejects.toMatchObject(stopped);
    await expect(unrecorded.change(ALLOW)).rejects.toThrow('disk full');
    await expect(unrecorded.mustAllow()).rejects.toMatchObject(stopped);
  });
});

interface Router {
  path: string;
  redis: RedisLink;
  writes: WriteSwitch;
}

describe.skipIf(missing('redis-server'))('over Redis', () => {
  const routers = async () => {
    const server = await startRedis();
    closing.push(() => server[Symbol.asyncDispose]());
    const router = async (): Promise<Router> => {
      const redis = new RedisLink({
        address: {
          host: '127.0.0.1',
          port: server.port,
          tls: false,
          database: 0,
          username: undefined,
          passwordPath: server.passwordPath,
        },
        logger: createLogger('silent'),
        answerMs: 2_000,
      });
      closing.push(() => redis.close());
      await redis.ready();
      const path = join(folder(), 'write-switch.json');
      return { path, redis, writes: new WriteSwitch({ path, redis }) };
    };
    return { server, one: await router(), other: await router() };
  };

  test('holds for a router with another folder, and outlives a Redis that forgot it', async () => {
    const { server, one, other } = await routers();
    await one.writes.change(STOP);
    await expect(other.writes.mustAllow()).rejects.toMatchObject(stopped);
    await server.restart();
    // Both notice that it was gone, each in its own time, and find it again.
    for (const { redis } of [one, other])
      await expect.poll(() => redis.run({ lua: 'return 1', keys: [], args: [] }).catch(String)).toBe(1);
    await expect(other.writes.mustAllow()).rejects.toMatchObject(stopped);
    await one.writes.change(ALLOW);
    await other.writes.mustAllow();
  });

  test.each([
    ['allows writes', async ({ writes }: Router) => void (await writes.change(ALLOW))],
    ['was never told of the switch', async () => undefined],
    [
      'lost the stop',
      async ({ writes, redis }: Router) => {
        await writes.change(STOP);
        await redis.run({ lua: `return redis.call('del', KEYS[1])`, keys: [KEY], args: [] });
      },
    ],
  ])(
    'a file that cannot be read stops the writes where Redis %s, until an operator resumes them',
    async (_, before) => {
      const { one, other } = await routers();
      await before(one);
      for (const torn of ['', '{']) {
        writeFileSync(one.path, torn);
        await expect(one.writes.mustAllow()).rejects.toMatchObject(stopped);
        expect(readFileSync(one.path, 'utf8')).toBe(torn);
      }
      await one.writes.change(ALLOW);
      await one.writes.mustAllow();
      await other.writes.mustAllow();
    },
  );

  test('a Redis that came back with what it held earlier does not resume the writes', async () => {
    const { one, other } = await routers();
    const earlier = JSON.stringify(await one.writes.change(ALLOW));
    await one.writes.change(STOP);
    await one.redis.run({ lua: `return redis.call('set', KEYS[1], ARGV[1])`, keys: [KEY], args: [earlier] });
    for (const { writes } of [one, other]) await expect(writes.mustAllow()).rejects.toMatchObject(stopped);
  });

  test('what is kept in Redis and cannot be read stops the writes, until an operator resumes them', async () => {
    const { one, other } = await routers();
    await one.writes.change(ALLOW);
    await one.redis.run({ lua: `return redis.call('set', KEYS[1], '{')`, keys: [KEY], args: [] });
    for (const { writes } of [one, other]) await expect(writes.mustAllow()).rejects.toMatchObject(stopped);
    await one.writes.change(ALLOW);
    await other.writes.mustAllow();
  });

  test.each([
    ['cannot be recorded', (path: string) => path, 'disk full'],
    ['cannot be kept in its own folder either', (path: string) => join(path, 'no-folder'), 'cannot be kept'],
  ])('a stop that %s reaches the routers with other folders', async (_, placed, first) => {
    const { one, other } = await routers();
    writeFileSync(one.path, JSON.stringify({ number: 1, writes: 'allowed', by: 'ada', at: 0 }));
    const record = () => {
      throw new Error('disk full');
    };
    const unrecorded = new WriteSwitch({ path: placed(one.path), redis: one.redis, record });
    await expect(unrecorded.change(STOP)).rejects.toThrow(first);
    await expect(other.writes.mustAllow()).rejects.toMatchObject(stopped);
  });

  test('a Redis that does not answer lets nothing pass', async () => {
    const { server, one } = await routers();
    server.pause();
    await expect(one.writes.mustAllow()).rejects.toMatchObject({ code: 'REDIS_GONE' });
    server.resume();
  });
});
