/** What an empty list says of its filters, once the list without them is known. */
import { expect, test } from 'vitest';
import { explained, withoutFlags } from './empty-list.ts';
import type { CallEnd } from './envelope.ts';

const empty = (asked: object): CallEnd => ({
  kind: 'done',
  outcome: 'success',
  result: { items: [], total: 0, _no_row_matches: { asked } },
});
const saidOf = (end: CallEnd) =>
  (end.kind === 'done' ? (end.result as { _no_row_matches?: object }) : {})._no_row_matches;

const ALERTS = [
  { id: 'a1', severity: 'CRITICAL', site: 'hq' },
  { id: 'a2', severity: 'MAJOR', site: 'depot' },
  { id: 'a3', severity: 'CRITICAL', site: 'hq' },
];

test.each([
  [{ filter: "severity eq 'critical'" }],
  [{ filter: '{"severity":{"$eq":"critical"}}' }],
  [{ filter: 'severity eq "critical"' }],
  [{ severity: 'critical' }],
])('of %j: the value is found in another case, with the values of the field', (asked) => {
  expect(saidOf(explained(empty(asked), {}, { items: ALERTS }))).toEqual({
    asked,
    rows_without_filter: 3,
    occurs_in: { severity: 2 },
    values: { severity: ['CRITICAL', 'MAJOR'] },
  });
});

test('of a field with many values those that are close are shown', () => {
  const items = Array.from({ length: 40 }, (_, at) => ({ name: `radius-${at}`, note: 'x'.repeat(80) }));
  const asked = (filter: string) => saidOf(explained(empty({ filter }), {}, { items }));
  expect(asked("name eq 'radius7' and note eq 'y'")).toMatchObject({ values: { name: ['radius-7'] } });
  expect(asked("name eq 'core'")).not.toHaveProperty('values');
});

test('a flag that asks for a count narrows nothing', () => {
  expect(saidOf(withoutFlags(empty({ calculate_count: true })))).toBeUndefined();
  expect(saidOf(withoutFlags(empty({ calculate_count: true, filter: 'x' })))).toEqual({ asked: { filter: 'x' } });
  const filtered = empty({ filter: 'x' });
  expect(withoutFlags(filtered)).toBe(filtered);
});
