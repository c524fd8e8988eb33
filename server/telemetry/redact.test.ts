import { describe, expect, test } from 'vitest';
import { createLogger, errorFields } from './logger.ts';
import { holdsMask, isSecretName, MASK, redact, redactText } from './redact.ts';

describe('names', () => {
  test.each([
    'password',
    'userPassword',
    'admin-password',
    'client_secret',
    'sharedSecret',
    'shared-secret',
    'psk',
    'wpaPsk',
    'passphrase',
    'wpa_passphrase',
    'apiKey',
    'api_key',
    'private-key',
    'preSharedKey',
    'access_token',
    'token',
    'Authorization',
    'cookie',
    'credentials',
    'community_string',
    'snmpCommunity',
    'snmp-community-name',
    'snmp_v2c_community',
    'readCommunity',
    'rw_community',
    'hexkey',
  ])('%s is a secret', (name) => {
    expect(isSecretName(name)).toBe(true);
  });

  test.each([
    'key',
    'keyAttribute',
    'primary_key',
    'page_token',
    'nextToken',
    'plan_token',
    'passwordPolicyName',
    'secretary',
    'auth',
    'mac-auth',
    'tokenLifetime',
    'name',
    'author',
    'community',
    'bgp_community',
    'extended_community',
    'community_list',
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

test('what holds no secret comes back as the very same object', () => {
  const value = { a: [1, 'text', { name: 'x' }], token: '' };
  expect(redact(value)).toBe(value);
});

test('a community of SNMP is masked by what it stands in, one of BGP is not', () => {
  const routes = { community: '65000:100', communities: [{ name: 'a' }] };
  expect(redact({ snmp: { community: 'public-7', location: 'hq' }, routes })).toEqual({
    snmp: { community: '******', location: 'hq' },
    routes,
  });
  expect(redact({ snmpServers: [{ community: 'public-7', port: 161 }] })).toEqual({
    snmpServers: [{ community: '******', port: 161 }],
  });
});

test('secret fields are masked at any depth, presence stays visible, the rest is untouched', () => {
  const value = {
    a: [{ psk: 'x', n: 1 }],
    password: '',
    token: null,
    nested: { client_secret: 'y', 'shared-secret-config': { value: 'z' } },
    pin: 1234,
  };
  expect(redact(value)).toEqual({
    a: [{ psk: MASK, n: 1 }],
    password: '',
    token: null,
    nested: { client_secret: MASK, 'shared-secret-config': { value: 'z' } },
    pin: MASK,
  });
  expect(redact(value, new Set(['shared-secret-config']))).toMatchObject({ nested: { 'shared-secret-config': MASK } });
});

test.each([
  ['sent Bearer abcdefgh12345', `sent Bearer ${MASK}`],
  ['Basic dXNlcjpwYXNz=', `Basic ${MASK}`],
  ['client_secret=s3cr3tvalue&x=1', `client_secret=${MASK}`],
  ['{"password": "hunter22"}', `{"password": "${MASK}"}`],
  ["psk: 'two words', next", `psk: '${MASK}', next`],
  ['hexkey=00112233aa&y', `hexkey=${MASK}&y`],
  ['a bearer of good news', 'a bearer of good news'],
])('in text: %s', (text, masked) => {
  expect(redactText(text).startsWith(masked)).toBe(true);
});

test.each([
  'the token endpoint answers 200',
  'Basic authentication is not supported by this access point',
  'bearer authorization is required for every request',
  'token lifetime=3600 seconds, renewed every 900',
  'a basic 802.11ax/be deployment with 6 radios',
  'Basic configuration: VLAN 20 on port 1/1/24',
  'the token introspection endpoint of the identity provider',
  'basic WPA3-Personal and WPA2-Personal networks',
  'Bearer token-authentication failed for the site',
  'token refreshed, token expired. token revocation',
  'basic subscription, basic troubleshooting, basic connectivity.',
  'a token-bucket policer; token RFC7519-based; token accessToken',
  'basic GUARANTEED bandwidth, basic multicast/broadcast filter',
])('ordinary wording stays: %s', (sentence) => {
  expect(redactText(sentence)).toBe(sentence);
});

test.each([
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
  '3f2a91c0-1b2c-4d5e-8f90-0123456789ab',
  'ab12-cd34-ef56-gh78',
  'dXNlcjpwYXNz',
  'c2VjcmV0LXRva2Vu',
  'GCMJFAKZCLWQTRNBVXPO',
  'abcdefghijklmnopqrstuvwx',
  '123456789012',
  'hunter2x9Q',
])('a credential after its scheme is masked: %s', (credential) => {
  for (const scheme of ['Bearer', 'basic', 'token'])
    expect(redactText(`sent ${scheme} ${credential} to it`)).toBe(`sent ${scheme} ${MASK} to it`);
});

test('in a header whatever follows the scheme is masked, words too', () => {
  expect(redactText('"Authorization": "Bearer correcthorse"')).toBe(`"Authorization": "Bearer ${MASK}"`);
});

test('a value of any depth and 250,000 secret fields is masked within seconds', () => {
  const deep = JSON.parse(`${'['.repeat(100_000)}${']'.repeat(100_000)}`);
  const began = performance.now();
  expect(JSON.stringify(redact(deep))).toContain(MASK);
  const names = Array.from({ length: 250_000 }, (_, at) => [`k${at}_password`, 'hunter22']);
  const shown = redact(Object.fromEntries(names)) as Record<string, string>;
  expect(Object.values(shown).every((value) => value === MASK)).toBe(true);
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(isSecretName(`${'x'.repeat(100_000)}_password`)).toBe(true);
});

describe('the log', () => {
  test('is one JSON line per event, from its level up, without secrets', () => {
    const lines: string[] = [];
    const logger = createLogger('info', (line) => lines.push(line));
    logger.debug('quiet');
    logger.warn('loud', { password: 'hunter22', text: 'Bearer abcdefgh12345', n: 1 });
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? '')).toEqual({
      at: expect.any(String),
      level: 'warn',
      event: 'loud',
      password: MASK,
      text: `Bearer ${MASK}`,
      n: 1,
    });
  });

  test('silent is silent', () => {
    const lines: string[] = [];
    createLogger('silent', (line) => lines.push(line)).error('x');
    expect(lines).toEqual([]);
  });

  test('an error is its name, message and cause', () => {
    expect(errorFields(new TypeError('no token=abcdefgh', { cause: new Error('why') }))).toEqual({
      error: 'TypeError',
      message: 'no token=abcdefgh',
      cause: 'why',
    });
    expect(errorFields('text')).toEqual({ error: 'text' });
  });
});

test.each([
  ['a secret', '******', true],
  ['a secret in a header', 'Authorization: Bearer ******', true],
  ['a secret in a text', 'snmp: community-string=******, location hq', true],
  ['one of two secrets', 'password: ****** of "hunter22"', true],
  ['nothing', 'WPA2', false],
  ['a row of a banner', '*******', false],
  ['a banner', '****** no access ******\npassword: hunter22', false],
])('whether the mask stands in a text for %s', (_, text, isMasked) => {
  expect(holdsMask(text)).toBe(isMasked);
});
