import { describe, expect, it } from 'vitest';
import { bucketsOf, INTERVAL_MS, type SeriesHabit, sampleAt, type Window, windowOf } from './series.ts';

const NOW = Date.parse('2026-03-02T09:00:00Z');
const asked = (query: Record<string, string>) => windowOf(query, NOW, '1h') as Window;
const at = (ms: number | undefined) => new Date(ms ?? Number.NaN).toISOString();

describe('the window of a series', () => {
  it('ends at the present when a later end is asked for', () => {
    const buckets = bucketsOf(asked({ start: '2026-03-02T06:00:00Z', end: '2026-03-02T12:00:00Z' }));
    expect(buckets.map(at)).toEqual(['06', '07', '08'].map((hour) => `2026-03-02T${hour}:00:00.000Z`));
  });

  it('has no sample when all of it is to come', () => {
    expect(bucketsOf(asked({ start: '2026-03-03T06:00:00Z', end: '2026-03-03T12:00:00Z' }))).toEqual([]);
  });

  it('that begins long ago has the latest samples, and walks through no others', () => {
    const buckets = bucketsOf(asked({ start: '0001-01-01T00:00:00Z', interval: '5m' }));
    expect([buckets.length, at(buckets.at(-1))]).toEqual([1000, '2026-03-02T08:55:00.000Z']);
  });
});

describe('a sample', () => {
  const HOUR_MS = 3_600_000;
  const sampled = (name: string, value: number, habit: SeriesHabit & { at: string }) =>
    sampleAt(name, { type: 'integer', minimum: 0 }, ['place', name], Date.parse(habit.at), {
      now: { value, ms: NOW },
      stepMs: HOUR_MS,
      ...habit,
    });
  const [night, noon] = ['2026-02-26T02:00:00Z', '2026-02-26T13:00:00Z'];

  it.each([
    ['observed', ['band', 'clients', 'count']],
    ['wireless', ['connected', 'count']],
    ['saturatedRadios', ['airtime']],
    ['disturbances', ['events']],
    ['totalWatts', ['watts']],
    ['open', ['sessions']],
  ])('of %s in a trend of %s is lower at night than at noon', (name, trend) => {
    expect(sampled(name, 100, { at: night, trend })).toBeLessThan(0.75 * sampled(name, 100, { at: noon, trend }));
  });

  it('of a day is about all of it: less at the weekend, and on Monday what it is now', () => {
    const day = (at: string) =>
      sampled('dayVolume', 1000, { at, stepMs: INTERVAL_MS['1d'] as number, trend: ['volume'] });
    expect(day('2026-02-28T00:00:00Z')).toBeLessThan(0.7 * day('2026-02-27T00:00:00Z'));
    expect(Math.abs(day('2026-03-02T00:00:00Z') - 1000)).toBeLessThan(100);
  });

  it('of what is owned never falls, and a limit stays as it was set', () => {
    const days = Array.from({ length: 30 }, (_, at) => new Date(NOW - (30 - at) * 24 * HOUR_MS).toISOString());
    const used = days.map((at) => sampled('used', 54, { at, trend: ['usage'] }));
    expect(used).toEqual(used.toSorted((left, right) => left - right));
    expect(new Set(days.map((at) => sampled('limit', 100, { at })))).toEqual(new Set([100]));
  });
});
