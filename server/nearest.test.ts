import { expect, test } from 'vitest';
import { didYouMean, isKin, isSlipOf, nearest } from './nearest.ts';

test.each([
  ['ssId', ['ssid', 'limit'], ['ssid']],
  ['serial', ['serialNumber', 'siteId', 'limit'], ['serialNumber']],
  ['auth_port', ['auth-port', 'acct-port', 'name'], ['auth-port']],
  ['authport', ['auth-port', 'limit'], ['auth-port']],
  ['group_name', ['groupName', 'group', 'name'], ['groupName']],
  ['groupId', ['group', 'groupName', 'name'], ['group', 'groupName']],
  ['RADSEC', ['RADIUS', 'LDAP', 'TACACS'], ['RADIUS']],
  ['colour', ['limit', 'offset'], []],
  ['', ['limit'], []],
])('%j of %j', (wanted, names, close) => {
  expect(nearest(wanted, names)).toEqual(close);
});

test('a refusal ends with the nearest name, or with nothing', () => {
  expect(didYouMean('mgmtt', ['mgmt', 'sdwan'])).toBe('; did you mean "mgmt"?');
  expect(didYouMean('toaster', ['mgmt', 'sdwan'])).toBe('');
});

test.each([
  ['site', 'filter', false, false],
  ['status', 'start', false, false],
  ['sort', 'port', false, true],
  ['serail', 'serial', false, true],
  ['serial', 'serialNumber', true, false],
  ['siteID', 'site_id', true, true],
  ['group_name', 'name', true, false],
])('%j is kin of %j: %s, and a slip of it: %s', (wanted, name, kin, slip) => {
  expect([isKin(wanted, name), isSlipOf(wanted, name)]).toEqual([kin, slip]);
});
