import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { steppingClock } from '../test/support/stepping-clock.ts';
import { type Clock, LocalBucket, RateBudget, systemClock } from './rate-limit.ts';

const budgetOf = (perSecond: number, burst: number, clock: Clock = systemClock) =>
  new RateBudget(new LocalBucket(perSecond, burst, clock), clock);

test('the burst passes at once, then calls come at the rate', async () => {
  const clock = steppingClock();
  const budget = budgetOf(8, 2, clock);
  const times: number[] = [];
  for (let i = 0; i < 20; i++) {
    await budget.take();
    times.push(clock.at);
  }
  expect(times.slice(0, 2)).toEqual([0, 0]);
  expect(times[2]).toBe(125);
  for (const from of times) {
    const inOneSecond = times.filter((time) => time >= from && time < from + 1000).length;
    expect(inOneSecond, 'never above rate + burst in any second').toBeLessThanOrEqual(10);
  }
});

test('waits are counted, summed and the longest is kept', async () => {
  const clock = steppingClock();
  const budget = budgetOf(10, 1, clock);
  for (let i = 0; i < 3; i++) await budget.take();
  expect(budget.waits).toEqual({ count: 2, sumMs: 200, maxMs: 100 });
});

test('waiting callers keep their order and none is let through twice', async () => {
  const budget = budgetOf(200, 1);
  const order: number[] = [];
  await Promise.all([1, 2, 3, 4].map((n) => budget.take().then(() => order.push(n))));
  expect(order).toEqual([1, 2, 3, 4]);
});

test('rate 0 is no budget', async () => {
  const clock = steppingClock();
  const budget = budgetOf(0, 2, clock);
  for (let i = 0; i < 100; i++) await budget.take();
  expect(clock.at).toBe(0);
  expect(budget.waits.count).toBe(0);
});

test('a cancelled wait ends at once', async () => {
  const budget = budgetOf(0.1, 1);
  await budget.take();
  const stop = new AbortController();
  const waiting = budget.take(stop.signal);
  stop.abort(new Error('enough'));
  await expect(waiting).rejects.toThrow('enough');
});

describe('beside 400 queued calls of another principal', () => {
  const PER_SECOND = 8;
  const INTERVAL_MS = 1000 / PER_SECOND;
  const HEAVY = { principal: 'heavy' };
  const LIGHT = { principal: 'light' };

  /** Single reads at drawn moments, in the time of a clock that nothing else moves. */
  async function singleReads(pauses: readonly number[]) {
    const clock = steppingClock();
    const budget = budgetOf(PER_SECOND, 2, clock);
    let others = 0;
    const flood = Array.from({ length: 400 }, () =>
      budget.take(undefined, undefined, undefined, HEAVY).then(() => {
        others += 1;
      }),
    );
    const waits: number[] = [];
    for (const pause of pauses) {
      const from = others;
      while (others < Math.min(from + pause, 400)) await Promise.resolve();
      waits.push(await budget.take(undefined, undefined, undefined, LIGHT));
    }
    const queued = others < 400;
    await Promise.all(flood);
    return { waits, queued };
  }

  test('no single read waits longer than two permit intervals', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(12), { minLength: 30, maxLength: 30 }), async (pauses) => {
        const { waits, queued } = await singleReads(pauses);
        expect(queued).toBe(true);
        expect(Math.max(...waits)).toBeLessThanOrEqual(2 * INTERVAL_MS);
      }),
      { numRuns: 50 },
    );
  });
});
