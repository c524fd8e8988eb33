import { expect, test } from 'vitest';
import { didYouMean, nearest } from './nearest.ts';

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
