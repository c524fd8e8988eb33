/** Writes of an hour: never more than the quota, over several routers, restarts and calls at one moment. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { FileSingleUse, MemorySingleUse, type SingleUse } from './single-use.ts';
import { WriteQuota } from './write-quota.ts';

const NOON = Date.parse('2026-11-24T12:00Z');
const ADA = { principal: 'ada' };
let now: number;
let folder: string;
beforeEach(() => {
  now = NOON + 1_800_000;
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-quota-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const stores: [string, () => SingleUse][] = [
  ['in memory', () => new MemorySingleUse(() => now)],
  ['in files', () => new FileSingleUse(folder, () => now)],
];
const usedUp = { code: 'WRITE_QUOTA_USED_UP', details: { limit: 7, retry_at: '2026-11-24T13:00:00.000Z' } };

describe.each(stores)('%s', (_, open) => {
  test('of fifty writes at one moment by two routers, and of one after a restart, only the quota is sent', async () => {
    const store = open();
    const routers = [new WriteQuota(store, 7, () => now), new WriteQuota(store, 7, () => now)];
    const tries = Array.from({ length: 50 }, (_, i) => (routers[i % 2] as WriteQuota).take(ADA, 'mgmt'));
    const ends = await Promise.allSettled(tries);
    expect(ends.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
    const again = new WriteQuota(store, 7, () => now);
    await expect(again.take(ADA, 'mgmt')).rejects.toMatchObject(usedUp);
    await expect(again.mustHaveLeft(ADA, 'mgmt')).rejects.toMatchObject(usedUp);
    now = NOON + 3_599_999;
    await expect(again.take(ADA, 'mgmt')).rejects.toMatchObject(usedUp);
    now = NOON + 3_600_000;
    await again.mustHaveLeft(ADA, 'mgmt');
    for (let i = 0; i < 7; i++) await again.take(ADA, 'mgmt');
    await expect(again.take(ADA, 'mgmt')).rejects.toMatchObject({ details: { retry_at: '2026-11-24T14:00:00.000Z' } });
  });

  test('several writes at once are refused with the number that is left', async () => {
    const quota = new WriteQuota(open(), 7, () => now);
    await quota.mustHaveLeft(ADA, 'mgmt', 7);
    for (let sent = 0; sent < 7; sent++) {
      const left = 7 - sent;
      await quota.mustHaveLeft(ADA, 'mgmt', left);
      for (const writes of [left + 1, 50])
        await expect(quota.mustHaveLeft(ADA, 'mgmt', writes)).rejects.toMatchObject({
          code: 'WRITE_QUOTA_USED_UP',
          message: expect.stringContaining(`has ${left} left, and these are ${writes};`),
          details: { limit: 7, left },
        });
      await quota.take(ADA, 'mgmt');
    }
    await expect(quota.mustHaveLeft(ADA, 'mgmt', 2)).rejects.toMatchObject(usedUp);
  });

  test('of writes that go on another time, as many as are left of each platform', async () => {
    const quota = new WriteQuota(open(), 2, () => now);
    const to = (...platforms: string[]) => platforms.map((platform) => ({ tool: { platform } }));
    const firstOf = async (...platforms: string[]) => (await quota.firstOf(ADA, to(...platforms))).length;
    expect(await firstOf('mgmt', 'nac', 'mgmt', 'nac')).toBe(4);
    expect(await firstOf('mgmt', 'nac', 'mgmt', 'mgmt', 'nac')).toBe(3);
    await quota.take(ADA, 'mgmt');
    expect(await firstOf('mgmt', 'nac', 'mgmt', 'nac')).toBe(2);
    await quota.take(ADA, 'mgmt');
    expect(await firstOf('nac', 'mgmt')).toBe(1);
    await expect(firstOf('mgmt', 'nac')).rejects.toMatchObject({ code: 'WRITE_QUOTA_USED_UP' });
    expect(await firstOf()).toBe(0);
  });

  test('more writes than an hour has are not told to wait for one', async () => {
    const quota = new WriteQuota(open(), 2, () => now);
    await quota.take(ADA, 'mgmt');
    const remedyFor = (writes: number) =>
      quota.mustHaveLeft(ADA, 'mgmt', writes).catch((error: { remedy: string }) => error.remedy);
    expect(await remedyFor(2)).toMatch(/^ask for at most 1 of these writes, or wait until `retry_at`;/);
    expect(await remedyFor(3)).toMatch(/^ask for at most 1 of these writes, for no hour has more than 2;/);
  });

  test('each principal and each platform is counted by itself, and the smaller limit counts', async () => {
    const quota = new WriteQuota(open(), 2, () => now);
    const cut = { principal: 'cut', access: { maxWritesPerHour: 1 } };
    await quota.take(cut, 'mgmt');
    await expect(quota.take(cut, 'mgmt')).rejects.toMatchObject({ details: { limit: 1 } });
    await quota.take(cut, 'nac');
    await quota.take(ADA, 'mgmt');
    await quota.take({ ...ADA, access: { maxWritesPerHour: 9 } }, 'mgmt');
    await expect(quota.mustHaveLeft(ADA, 'mgmt')).rejects.toMatchObject({ details: { limit: 2 } });
  });
});

test('a limit that was lowered within the hour counts what is sent already; without one nothing is counted', async () => {
  const store = new MemorySingleUse(() => now);
  const before = new WriteQuota(store, 5, () => now);
  for (let i = 0; i < 3; i++) await before.take(ADA, 'mgmt');
  await expect(new WriteQuota(store, 2, () => now).mustHaveLeft(ADA, 'mgmt')).rejects.toMatchObject({
    code: 'WRITE_QUOTA_USED_UP',
  });
  const unlimited = new WriteQuota(store, undefined, () => now);
  for (let i = 0; i < 100; i++) await unlimited.take(ADA, 'mgmt');
  await unlimited.mustHaveLeft(ADA, 'mgmt');
});
