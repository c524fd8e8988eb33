import { describe, expect, it } from 'vitest';
import { freshState, shippedInstallation } from '../../test/full-installation.ts';
import { isoSeconds } from './clock.ts';
import { dayTimeMs, hasDayTimes } from './day-times.ts';

const DAY = 86_400_000;
const days = Array.from({ length: 60 }, (_, at) => at + 1);

describe('a moment in whole days from the clock', () => {
  it('has a time of day of its own, and a more distant one stays more distant', () => {
    const moments = days.map((day) => -day * DAY + dayTimeMs('ago', day * DAY));
    expect(moments).toEqual(moments.toSorted((left, right) => right - left));
    expect(new Set(moments.map((ms) => isoSeconds(ms + 100 * DAY).slice(11))).size).toBeGreaterThan(55);
    expect(moments.every((ms) => ms < 0)).toBe(true);
  });

  it('that lies ahead is at a quarter of an hour, and hours or minutes stay as they are', () => {
    expect(days.every((day) => dayTimeMs('ahead', day * DAY) % 900_000 === 0)).toBe(true);
    expect([dayTimeMs('ago', 3_600_000), dayTimeMs('ago', DAY + 60_000)]).toEqual([0, 0]);
  });

  it('keeps the time of the clock where its row has another moment near by', () => {
    expect(hasDayTimes({ start: { ago: 'P2D' }, end: { ago: 'P1DT23H' } })).toBe(false);
    expect(hasDayTimes({ start: { ahead: 'P2D' }, end: { ahead: 'P2DT4H' } })).toBe(false);
    expect(hasDayTimes({ made: { ago: 'P9D' }, used: { ago: 'PT4M' }, ends: { ahead: 'P2D' } })).toBe(true);
  });
});

it('objects of the management cloud were not all made at the minute of the clock', async () => {
  const state = freshState(await shippedInstallation(['mgmt']), 'mgmt');
  const times = ['vlans', 'roles', 'ntp', 'policies', 'auth-servers'].flatMap((resource) =>
    Array.from(state.rows('mgmt', resource).all(), ({ value }) =>
      String((value['metadata'] as Record<string, unknown> | undefined)?.['created-at']).slice(11),
    ),
  );
  expect(times.length).toBeGreaterThan(10);
  expect(new Set(times).size).toBeGreaterThan(times.length / 2);
});
