/** A write that was approved once is sent once, also where the clock of the machine jumps. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { RedisConsumed } from '../storage/redis-consumed.ts';
import type { RedisLink } from '../storage/redis-link.ts';
import { dispatchTestbed } from '../test/support/dispatch-testbed.ts';
import { MemorySingleUse } from './single-use.ts';

// By the real clock: what passes of it in a test is nothing beside the jumps.
const NOW = Date.now();
const HOUR = 3_600_000;
const UPDATE = 'mgmt_update_auth_server';
const PATCH = { name: 'radius-1', body: { 'auth-port': 1912 } };
beforeEach(() => vi.useFakeTimers({ toFake: ['Date'], now: NOW }));
afterEach(() => vi.useRealTimers());

test('a clock that jumps hours ahead and back makes no used plan token good again', async () => {
  await using b = await dispatchTestbed();
  const apply = await b.previewed(UPDATE, PATCH);
  await apply();
  vi.setSystemTime(NOW + 3 * HOUR);
  await (await b.previewed(UPDATE, PATCH))();
  vi.setSystemTime(NOW + 10_000);
  expect(await apply()).toMatchObject({ kind: 'refused', refusal: { code: 'confirmation_required' } });
  expect(b.upstream.writes).toHaveLength(2);
});

test('the same in memory', async () => {
  const used = new MemorySingleUse();
  await used.consume('one', NOW + 300_000);
  vi.setSystemTime(NOW + 3 * HOUR);
  await used.consume('two', NOW + 4 * HOUR);
  vi.setSystemTime(NOW + 10_000);
  expect(await used.consume('one', NOW + 300_000)).toBe(false);
});

test('Redis is told to keep an id that was issued by a clock ahead as long as it would count by the right one', async () => {
  const keptMs: unknown[] = [];
  const run = async ({ args }: { args: readonly unknown[] }) => {
    keptMs.push(args[1]);
    return 1;
  };
  const link = { run, onGreeting: (greet: (with_: typeof run) => Promise<void>) => void greet(run) };
  const used = new RedisConsumed(link as unknown as RedisLink);
  await vi.waitFor(() => expect(used.id).toBe('1'));
  vi.setSystemTime(NOW + 3 * HOUR);
  await used.consume('one', NOW + 3 * HOUR + 300_000);
  expect(keptMs.at(-1)).toBeGreaterThanOrEqual(3 * HOUR + 300_000);
});
