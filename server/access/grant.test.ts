import { expect, test } from 'vitest';
import { type Grant, issueGrant, spendGrant } from './grant.ts';

const request = { platform: 'mgmt', method: 'PATCH', path: '/sites/1', account: 'mgmt:1' };
const grant = (): Grant => issueGrant({ ...request, capability: 'write' });

test('a grant is good once, for its own request', () => {
  const issued = grant();
  expect(spendGrant(issued, request)).toBe(true);
  expect(spendGrant(issued, request)).toBe(false);
});

test.each([
  ['another path', { ...request, path: '/sites/2' }],
  ['another method', { ...request, method: 'DELETE' }],
  ['another platform', { ...request, platform: 'nac' }],
  ['another account', { ...request, account: 'mgmt:2' }],
])('a grant is no good for %s, and is gone after the attempt', (_, other) => {
  const issued = grant();
  expect(spendGrant(issued, other)).toBe(false);
  expect(spendGrant(issued, request)).toBe(false);
});

test('a look-alike is not a grant', () => {
  expect(spendGrant({ ...request, capability: 'write' }, request)).toBe(false);
  expect(spendGrant({ ...grant() }, request)).toBe(false);
  expect(spendGrant(undefined, request)).toBe(false);
});
