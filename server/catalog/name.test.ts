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

test('a name that is too long loses words from its middle, verb and object stay', () => {
  const long = named('getTheVeryLongAndWindingNameOfAnOperationThatNobodyShouldEverHaveToTypeByHand');
  expect(long?.length).toBeLessThanOrEqual(NAME_LIMIT);
  expect(long).toMatch(/^mgmt_get_.*_hand$/);
});

test.each([
  ['an inner parameter repeats the noun before it', null, 'DELETE', '/merchants/{merchantId}/splitConfigurations/{splitConfigurationId}', 'mgmt_delete_merchants_split_configurations_id'],
  ['fillers go first', 'replaceTheListOfTheAllowedOriginsForTheCredentialsOfTheMerchant', 'PUT', '/x', 'mgmt_replace_list_allowed_origins_credentials_merchant'],
  ['the object stands before a preposition', 'listProjectDeploymentStatusesHistoryForTheAuthenticatedUserWithPagination', 'GET', '/x', 'mgmt_list_project_history_authenticated_user_pagination'],
  ['then what nearly every operation has', 'readAdmissionRegistrationApiV1NamespacedValidatingPolicyBinding', 'GET', '/x', 'mgmt_read_admission_registration_validating_policy_binding'],
])('%s', (_, operationId, method, path, name) => {
  expect(named(operationId, method, path)).toBe(name);
}); // biome-ignore format: one case a line

test('a name is the same whatever other operations there are', () => {
  const long = { platform: 'mgmt', operationId: null, method: 'GET', path: '/companies/{companyId}/apiCredentials/{apiCredentialId}/allowedOrigins/{originId}' };
  const other = { platform: 'mgmt', operationId: 'x', method: 'GET', path: '/companies/{companyId}/apiCredentials' };
  expect(nameOperations([long, other])[0]).toBe(nameOperations([long])[0]);
}); // biome-ignore format: one operation a line

test('two long names that lose their differences end in a digest, with verb and object before it', () => {
  const path = (word: string) => `/alpha/${word}/${'intermediate/'.repeat(5)}things`;
  const names = nameOperations(
    ['one', 'two'].map((word) => ({ platform: 'mgmt', operationId: null, method: 'GET', path: path(`${word}${'x'.repeat(30)}`) })),
  );
  for (const name of names) expect(name).toMatch(/^mgmt_get_.*things_[0-9a-f]{8}$/);
  expect(new Set(names).size).toBe(2);
}); // biome-ignore format: one operation a line

test.each([
  ['获取用户列表', 'mgmt_huo_qu_yong_hu_lie_biao'],
  ['получитьУстройства', 'mgmt_poluchit_ustroystva'],
  ['デバイス一覧', 'mgmt_debaisu_yi_lan'],
  ['gerätLöschen', 'mgmt_gerat_loschen'],
])('letters of other scripts become Latin ones: %s', (operationId, name) => {
  expect(named(operationId)).toBe(name);
});

test('a name that a tool of the router bears already gets the ending too', () => {
  const operation = { platform: 'lookup', operationId: 'api', method: 'GET', path: '/api' };
  expect(nameOperations([operation], new Set(['lookup_api']))[0]).toMatch(/^lookup_api_[0-9a-f]{8}$/);
  expect(nameOperations([operation])).toEqual(['lookup_api']);
});
