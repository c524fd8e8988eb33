import { expect, test } from 'vitest';
import { steppingClock } from '../test/support/stepping-clock.ts';
import { type Clock, RateBudget } from './rate-limit.ts';
import { SharedBucket, type SharedPermits, shareOf } from './shared-bucket.ts';

/** A giver of places every 125 ms that can be taken away. */
function givingPlaces(
  clock: Clock,
): SharedPermits & { up: boolean; cutOffSince: number; given: number[]; holds: number[] } {
  let free = 0;
  return {
    up: true,
    cutOffSince: 0,
    given: [],
    holds: [],
    mustBeUp() {
      if (!this.up) throw new Error('gone');
    },
    async take() {
      if (!this.up) throw new Error('gone');
      if (clock.now() < free) return free - clock.now();
      free = clock.now() + 125;
      this.given.push(clock.now());
      return 0;
    },
    async hold(_account: string, ms: number) {
      this.holds.push(ms);
    },
  };
}

const BUDGET = { account: 'mgmt:1', perSecond: 8, burst: 2 };
const opened = (replicas = 3) => {
  const clock = steppingClock();
  const places = givingPlaces(clock);
  const budget = new RateBudget(new SharedBucket(places, BUDGET, replicas, clock), clock);
  const takeAll = async (count: number) => {
    const times: number[] = [];
    for (let i = 0; i < count; i++) {
      await budget.take();
      times.push(clock.at);
    }
    return times;
  };
  return { clock, places, budget, takeAll };
};

test('while the others can be asked, they decide', async () => {
  const { places, budget, takeAll } = opened();
  const times = await takeAll(5);
  expect([times, places.given]).toEqual([times, times]);
  expect(times).toEqual([0, 125, 250, 375, 500]);
  expect(budget.waits).toEqual({ count: 4, sumMs: 500, maxMs: 125 });
});

test('cut off, its share begins after what the others may still give away, and with nothing saved up', async () => {
  const { clock, places, takeAll } = opened();
  await takeAll(2);
  places.up = false;
  places.cutOffSince = clock.at + 1_000;
  expect(await takeAll(3)).toEqual([1_500, 1_875, 2_250]);
});

test('after a reconnect the pool decides at once; after another cut the share starts again', async () => {
  const { clock, places, takeAll } = opened();
  places.up = false;
  await takeAll(1);
  places.up = true;
  const back = clock.at;
  expect((await takeAll(2))[0]).toBe(back);
  places.up = false;
  const lost = clock.at;
  places.cutOffSince = lost + 1_000;
  expect(await takeAll(1)).toEqual([lost + 1_375]);
});

test('a pause of the platform is told to the others and kept alone as well', async () => {
  const { clock, places, budget } = opened();
  budget.hold(5_000);
  expect(places.holds).toEqual([5_000]);
  places.up = false;
  await budget.take();
  expect(clock.at).toBe(5_000);
});

test('shares together stay within the budget in every second, however they fall', () => {
  for (let replicas = 1; replicas <= 64; replicas++)
    for (const perSecond of [1, 8, 9, 30, 100.5])
      for (const burst of [1, 2, 10]) {
        // With more routers than calls a second, one call of each at the same moment is already too many.
        if (perSecond + burst < replicas) continue;
        const share = shareOf({ perSecond, burst }, replicas);
        expect(share * replicas).toBeLessThanOrEqual(perSecond + 1e-9);
        expect(
          Math.ceil(share - 1e-9) * replicas,
          `${replicas} routers, ${perSecond}/s, burst ${burst}`,
        ).toBeLessThanOrEqual(perSecond + burst);
      }
});
