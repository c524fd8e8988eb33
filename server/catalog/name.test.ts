import { expect, test } from 'vitest';
import { NAME_LIMIT, nameOperations, snake } from './name.ts';

const named = (operationId: string | null, method = 'GET', path = '/x') =>
  nameOperations([{ platform: 'mgmt', operationId, method, path }])[0];

test('an operationId becomes the platform and its words', () => {
  expect(named('getAuthServer')).toBe('mgmt_get_auth_server');
  expect(named('listIPv6ACLRules')).toBe('mgmt_list_ipv6_acl_rules');
  expect(named('repos/list-for-org')).toBe('mgmt_repos_list_for_org');
  expect(snake('getAPStats')).toBe('get_ap_stats');
});

test('without an operationId the method and the path name the tool', () => {
  expect(named(null, 'GET', '/access-points/{serial}')).toBe('mgmt_get_access_points_serial');
});

test('a platform is not said twice', () => {
  expect(named('mgmtListSites')).toBe('mgmt_list_sites');
});

test('two operations that want one name both end in a digest of their own, in any order', () => {
  const a = { platform: 'mgmt', operationId: 'listThings', method: 'GET', path: '/a' };
  const b = { platform: 'mgmt', operationId: 'list_things', method: 'GET', path: '/b' };
  const [first, second] = nameOperations([a, b]);
  expect(first).toMatch(/^mgmt_list_things_[0-9a-f]{8}$/);
  expect(second).toMatch(/^mgmt_list_things_[0-9a-f]{8}$/);
  expect(first).not.toBe(second);
  expect(nameOperations([b, a])).toEqual([second, first]);
});

test('no name is longer than the limit', () => {
  const long = named('getTheVeryLongAndWindingNameOfAnOperationThatNobodyShouldEverHaveToTypeByHand');
  expect(long?.length).toBeLessThanOrEqual(NAME_LIMIT);
  expect(long).toMatch(/_[0-9a-f]{8}$/);
});

test('a name that a tool of the router bears already gets the ending too', () => {
  const operation = { platform: 'lookup', operationId: 'api', method: 'GET', path: '/api' };
  expect(nameOperations([operation], new Set(['lookup_api']))[0]).toMatch(/^lookup_api_[0-9a-f]{8}$/);
  expect(nameOperations([operation])).toEqual(['lookup_api']);
});
