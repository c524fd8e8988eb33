import { expect, test } from 'vitest';
import { ledgerEntry } from '../test/sample-recording.ts';
import { hadBody, hashOf, isBody, statedBody } from './recorded-body.ts';
import type { Message } from './recording.ts';

const WRITE = { method: 'PATCH', path: '/wlans/guest' };
const call = (body: unknown): Message[] => [
  { n: 1, kind: 'call', tool: 'do', sent: { name: 't', arguments: { body } }, received: [], isError: false },
];
const sent = (body: unknown) => ledgerEntry({ ...WRITE, bodyHash: hashOf(body) });

test('the order of members does not matter, their values do', () => {
  const stated = statedBody({ a: 1, b: { c: [1, 2] } });
  expect(hadBody(sent({ b: { c: [1, 2] }, a: 1 }), stated, [])).toBe(true);
  expect(hadBody(sent({ b: { c: [2, 1] }, a: 1 }), stated, [])).toBe(false);
  expect(hadBody(sent({ a: 1, b: { c: [1, 2] }, d: null }), stated, [])).toBe(false);
});

test('a free text may be any or absent, and nothing else may differ', () => {
  const stated = statedBody({ status: 'Disabled', note: { free: 'text' } });
  for (const [body, had] of [
    [{ status: 'Disabled' }, true],
    [{ status: 'Disabled', note: 'lost in the canteen' }, true],
    [{ status: 'Disabled', note: 7 }, false],
    [{ status: 'Known', note: 'x' }, false],
    [{ status: 'Disabled', note: 'x', more: 1 }, false],
  ] as const)
    expect(hadBody(sent(body), stated, call(body)), JSON.stringify(body)).toBe(had);
});

test('what no message holds cannot be the stated body where texts are free', () => {
  expect(hadBody(sent({ note: 'x' }), statedBody({ note: { free: 'text' } }), call({ note: 'y' }))).toBe(false);
});

test('no body is as right as an empty one, where an empty one is stated', () => {
  const none = ledgerEntry({ ...WRITE, bodyHash: null });
  expect(hadBody(none, statedBody({}), [])).toBe(true);
  expect(hadBody(none, statedBody({ a: 1 }), [])).toBe(false);
  expect(isBody({ note: { free: 'text' } }, {})).toBe(true);
});
