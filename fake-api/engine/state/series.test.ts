import { describe, expect, it } from 'vitest';
import { bucketsOf, type Window, windowOf } from './series.ts';

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
