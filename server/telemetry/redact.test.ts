import { describe, expect, test } from 'vitest';
import { createLogger, errorFields } from './logger.ts';
import { isSecretName, MASK, redact, redactText } from './redact.ts';

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
  ])('%s is not', (name) => {
    expect(isSecretName(name)).toBe(false);
  });
});

test('what holds no secret comes back as the very same object', () => {
  const value = { a: [1, 'text', { name: 'x' }], token: '' };
  expect(redact(value)).toBe(value);
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
