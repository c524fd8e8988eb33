/** Both places where runs are kept, held to the same table; then what is special about files. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { RedisLink } from '../storage/redis-link.ts';
import { createLogger } from '../telemetry/logger.ts';
import { planFor } from '../test/migration/exports.ts';
import { leaveLock } from '../test/support/left-lock.ts';
import { missing, type Redis, startRedis } from '../test/support/programs.ts';
import { FileRunStore } from './file-run-store.ts';
import { isRunId, newRun, type Run } from './migration-run.ts';
import { RedisRunStore } from './redis-run-store.ts';
import type { HoldTimes, RunStore } from './run-store.ts';

const absent = missing('redis-server');
const run = (runId: string): Run =>
  newRun({
    runId,
    target: { target: 'new', scope_id: 's', persona: 'CAMPUS_AP' },
    policy: 'fail',
    candidates: planFor({ vlans: [{ id: 1 }] }).candidates.new,
    secretsOf: () => [],
    now: '2026-01-01T00:00:00.000Z',
  });
const keep = (store: RunStore, kept: Run) => store.hold(kept.run_id, (held) => held.write(kept));
/** A holder that never reports, as one that hangs: long enough for what a slow machine does before that. */
const HANGING: HoldTimes = { heldMs: 2_000, reportMs: 1e8 };
const later = () => new Promise((resolve) => setTimeout(resolve, HANGING.heldMs + 200));

let folder: string;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'svc-mcp-runs-')), 'runs');
});
afterEach(() => rmSync(join(folder, '..'), { recursive: true, force: true }));

let redis: Redis | undefined;
const links: RedisLink[] = [];
beforeAll(async () => {
  if (absent === undefined) redis = await startRedis();
});
afterEach(() => {
  for (const link of links.splice(0)) link.close();
});
afterAll(() => redis?.[Symbol.asyncDispose]());

/** By how much the clock of the routers goes ahead of the real one, in ms. */
let ahead = 0;
const now = () => performance.now() + ahead;

/** A router of its own each time, over the same runs. */
interface Place {
  open: (times?: HoldTimes) => Promise<RunStore>;
  /** Advances the clock of the holder. */
  pass: (id: string, ms: number) => Promise<void>;
  /** For how long it is held if nothing more is heard of its holder, in ms. */
  left: (id: string, heldMs: number) => Promise<number>;
  /** Puts text where a run is expected. */
  spoil: (id: string, text: string) => Promise<void>;
}

const FILES: Place = {
  open: async (times) => new FileRunStore(folder, times),
  pass: async (id, ms) => {
    const lock = join(folder, `${id}.json.lock`);
    utimesSync(lock, new Date(), new Date(statSync(lock).mtimeMs - ms));
  },
  left: async (id, heldMs) => heldMs - (Date.now() - statSync(join(folder, `${id}.json.lock`)).mtimeMs),
  spoil: async (id, text) => {
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `${id}.json`), text);
  },
};
const REDIS: Place = {
  open: async (times) => {
    const address = { host: '127.0.0.1', port: redis!.port, tls: false, database: 0, username: undefined };
    const link = new RedisLink({
      address: { ...address, passwordPath: redis!.passwordPath },
      logger: createLogger('silent'),
      answerMs: 5_000,
    });
    links.push(link);
    await link.ready();
    return new RedisRunStore(link, times, now);
  },
  pass: async (id, ms) => {
    ahead += ms;
    await redis!.command('PEXPIRE', `svc-mcp:run-held:${id}`, String((await REDIS.left(id, 0)) - ms));
  },
  left: async (id) => Number((await redis!.command('PTTL', `svc-mcp:run-held:${id}`)).replace(/[^-\d]/g, '')),
  spoil: async (id, text) => {
    await redis!.command('SET', `svc-mcp:run:${id}`, text);
    await redis!.command('ZADD', 'svc-mcp:runs', '0', id);
  },
};
const PLACES = [['files', FILES] as const, ...(absent === undefined ? [['Redis', REDIS] as const] : [])];

describe.each(PLACES)('runs in %s', (_, place) => {
  beforeEach(() => redis?.command('FLUSHALL'));

  test('are read by every router as one of them wrote them', async () => {
    const [one, two] = [await place.open(), await place.open()];
    await keep(one, run('b'));
    await keep(one, run('a'));
    expect(await two.read('a')).toEqual(run('a'));
    expect(await two.read('c')).toBeUndefined();
    expect((await two.list()).map(({ run_id }) => run_id)).toEqual(['a', 'b']);
  });

  test('a name that is none is refused before anything is looked for', async () => {
    const store = await place.open();
    for (const id of ['', '../a', 'a/b', 'a..b']) {
      await expect(store.read(id)).rejects.toMatchObject({ code: 'MIGRATION_RUN_ID' });
      await expect(store.hold(id, async () => 'in')).rejects.toMatchObject({ code: 'MIGRATION_RUN_ID' });
    }
  });

  test('malformed ones are listed, never crash', async () => {
    const spoiled = [
      ['{', 'it is not JSON'],
      ['null', 'it is no run of version 1'],
      ['{"schema_version": 2}', 'it is no run of version 1'],
      ['{"schema_version": 1, "run_id": "b"}', 'it holds a run of another name'],
      ['{"schema_version": 1, "run_id": "bad-4", "candidates": [null], "target": {}}', 'it is not a whole run'],
    ] as const;
    const store = await place.open();
    for (const [at, [text]] of spoiled.entries()) await place.spoil(`bad-${at}`, text);
    await keep(store, run('good'));
    expect(await store.list()).toEqual([
      ...spoiled.map(([, problem], at) => ({ run_id: `bad-${at}`, problem })),
      { run_id: 'good', run: run('good') },
    ]);
    for (const at of spoiled.keys())
      await expect(store.read(`bad-${at}`)).rejects.toMatchObject({ code: 'MIGRATION_RUN_DAMAGED' });
  });

  test('too large a run is not stored, and the stored run stays', async () => {
    const store = await place.open();
    await keep(store, run('a'));
    const large = { ...run('a'), status: 'x'.repeat(9 * 1024 * 1024) as 'pending' };
    await expect(keep(store, large)).rejects.toMatchObject({ code: 'MIGRATION_RUN_TOO_LARGE' });
    expect(await store.read('a')).toEqual(run('a'));
  });

  test('a second router is refused while the first is at work, and let in afterwards', async () => {
    const [one, two] = [await place.open(), await place.open()];
    await one.hold('a', async () => {
      await expect(two.hold('a', async () => 'in')).rejects.toMatchObject({ code: 'MIGRATION_RUN_BUSY' });
      expect(await two.hold('b', async () => 'in')).toBe('in');
    });
    expect(await two.hold('a', async () => 'in')).toBe('in');
    await expect(one.hold('a', () => Promise.reject(new Error('x')))).rejects.toThrow('x');
    expect(await two.hold('a', async () => 'in')).toBe('in');
  });

  test('of many that try at once one is let in', async () => {
    const stores = await Promise.all(Array.from({ length: 6 }, () => place.open()));
    const all = stores.map((store) =>
      store.hold('a', later).then(
        () => 'in',
        (error) => error.code as string,
      ),
    );
    expect((await Promise.all(all)).sort()).toEqual([...Array(5).fill('MIGRATION_RUN_BUSY'), 'in']);
  });

  test('a holder that reports counts as alive for as long as the work takes', async () => {
    const often: HoldTimes = { heldMs: 60_000, reportMs: 10 };
    const [one, two] = [await place.open(often), await place.open(often)];
    await one.hold('a', async (held) => {
      for (let passed = 0; passed < 2 * often.heldMs; passed += 40_000) {
        await place.pass('a', 40_000);
        // Only a report of the holder gives the time back.
        while ((await place.left('a', often.heldMs)) < 40_000) await new Promise((resolve) => setTimeout(resolve, 5));
        await expect(two.hold('a', async () => 'in')).rejects.toMatchObject({ code: 'MIGRATION_RUN_BUSY' });
      }
      held.mustHold();
      await held.write(run('a'));
    });
    expect(await two.read('a')).toEqual(run('a'));
  });

  test('a holder that hung is refused when it comes back, and the writes of its successor stay', async () => {
    const [one, two] = [await place.open(HANGING), await place.open(HANGING)];
    const newer = { ...run('a'), updated_at: 'later' };
    await one.hold('a', async (held) => {
      await held.write(run('a'));
      await later();
      await two.hold('a', async (next) => {
        await next.write(newer);
        expect(held.mustHold).toThrow(expect.objectContaining({ code: 'MIGRATION_RUN_LOST' }));
        await expect(held.write(run('a'))).rejects.toMatchObject({ code: 'MIGRATION_RUN_LOST' });
      });
      // Also when nobody holds it any more: the number it was held by is an old one.
      await expect(held.write(run('a'))).rejects.toMatchObject({ code: 'MIGRATION_RUN_LOST' });
    });
    expect(await two.read('a')).toEqual(newer);
    expect(await two.hold('a', async () => 'in')).toBe('in');
  });
});

describe.skipIf(absent)('an unreachable Redis', () => {
  test('in the middle: the write is refused, and so is the next one after it came back with nothing', async () => {
    const store = await REDIS.open();
    await store.hold('a', async (held) => {
      await held.write(run('a'));
      await redis!.kill();
      await expect(held.write(run('a'))).rejects.toMatchObject({ code: 'REDIS_GONE' });
      await redis!.restart();
      const again = await REDIS.open();
      expect(await again.read('a')).toBeUndefined();
      for (let code = 'REDIS_GONE'; code === 'REDIS_GONE'; await new Promise((resolve) => setTimeout(resolve, 20)))
        code = await held.write(run('a')).then(
          () => 'written',
          (error) => error.code as string,
        );
      await expect(held.write(run('a'))).rejects.toMatchObject({ code: 'MIGRATION_RUN_LOST' });
    });
  });
});

describe('files', () => {
  const store = () => new FileRunStore(folder);

  test('a run is one file of mode 0600, and nothing is left beside it', async () => {
    await keep(store(), run('one'));
    expect(readdirSync(folder)).toEqual(['one.json']);
    expect(statSync(join(folder, 'one.json')).mode & 0o777).toBe(0o600);
  });
  test('no folder is no run', async () => expect(await store().list()).toEqual([]));

  // No process has a number above the system's limit.
  test.each([
    ['a process that is gone', (lock: string) => leaveLock(lock, { pid: 4_194_999 })],
    ['an earlier process of our own number', (lock: string) => leaveLock(lock, { pid: process.pid })],
    ['nobody', (lock: string) => writeFileSync(lock, 'x')],
  ])('the lock of %s does not hold', async (_, leave) => {
    mkdirSync(folder);
    leave(join(folder, 'one.json.lock'));
    expect(await store().hold('one', async () => 'in')).toBe('in');
    expect(readdirSync(folder)).toEqual([]);
  });
  test('a write whose lock was taken over while the disk stood still overwrites nothing', async () => {
    const kept = run('one');
    const successor = { ...kept, updated_at: '2026-01-02T00:00:00.000Z' };
    await keep(store(), kept);
    const disk = process.getBuiltinModule('node:fs');
    const { fsyncSync } = disk;
    const restore = () => {
      disk.fsyncSync = fsyncSync;
      syncBuiltinESMExports();
    };
    let taken: Promise<void> | undefined;
    disk.fsyncSync = () => {
      restore();
      rmSync(join(folder, `${kept.run_id}.json.lock`));
      taken = keep(store(), successor);
    };
    syncBuiltinESMExports();
    await expect(keep(store(), kept)).rejects.toMatchObject({ code: 'MIGRATION_RUN_LOST' });
    restore();
    await taken;
    expect(await store().read(kept.run_id)).toMatchObject({ updated_at: successor.updated_at });
  });

  test('the lock of another machine holds while it is reported, and no longer', async () => {
    mkdirSync(folder);
    const lock = join(folder, 'one.json.lock');
    leaveLock(lock, { pidNamespace: 'elsewhere', pid: 4_194_999 });
    await expect(store().hold('one', async () => 'in')).rejects.toMatchObject({ code: 'MIGRATION_RUN_BUSY' });
    utimesSync(lock, new Date(), new Date(Date.now() - 31_000));
    expect(await store().hold('one', async () => 'in')).toBe('in');
  });
  test('a file at the path of the folder is reported', async () => {
    writeFileSync(folder, '');
    await expect(keep(store(), run('one'))).rejects.toMatchObject({ code: 'MIGRATION_STORE_UNAVAILABLE' });
    expect(readFileSync(folder, 'utf8')).toBe('');
  });
});

test.each(['a', 'A-1_b.c', 'x'.repeat(64)])('%s is a run_id', (id) => expect(isRunId(id)).toBe(true));
test.each(['', '.a', '-a', '../a', 'a..b', 'a/b', 'x'.repeat(65), 'a b', 'a\n'])('%j is none', (id) =>
  expect(isRunId(id)).toBe(false),
);
