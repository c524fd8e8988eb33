import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import { CredentialsStore } from './credentials.ts';

const SECRET = 'do-not-print-me-77';
const variables = { base_url: 'SOURCE_BASE_URL', client_id: 'SOURCE_CLIENT_ID', client_secret: 'SOURCE_CLIENT_SECRET' };
const mgmt = { auth: { strategy: 'oauth2-client-credentials' as const, section: 'mgmt', variables } };
let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-creds-'));
  path = join(folder, 'credentials.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

const good = (change: Record<string, string> = {}) =>
  `mgmt:\n${Object.entries({
    base_url: 'https://api.test/',
    client_id: 'me',
    client_secret: SECRET,
    workspace_id: 'w',
    ...change,
  })
    .map(([name, value]) => `  ${name}: ${value}\n`)
    .join('')}`;
const store = (overrides: Record<string, Record<string, string>> = {}) => new CredentialsStore(path, overrides);
const failure = (read: () => unknown): RouterError => {
  try {
    read();
  } catch (error) {
    if (error instanceof RouterError) return error;
    throw error;
  }
  throw new Error('expected a refusal');
};

test('a section is an account, and a trailing slash of its base URL is dropped', () => {
  writeFileSync(path, good());
  expect(store().account(mgmt)).toEqual({
    section: 'mgmt',
    baseUrl: 'https://api.test',
    origins: new Set(['https://api.test']),
    clientId: 'me',
    clientSecret: SECRET,
    apiToken: '',
    refreshToken: '',
    username: '',
    password: '',
    workspaceId: 'w',
  });
});

test('the environment overrides the file, and can stand alone', () => {
  writeFileSync(path, good());
  expect(store({ mgmt: { client_id: 'other' } }).account(mgmt).clientId).toBe('other');
  rmSync(path);
  expect(store({ mgmt: { base_url: 'http://a.test', client_id: 'a', client_secret: 'b' } }).account(mgmt).baseUrl).toBe(
    'http://a.test',
  );
});

test('a section may lack what the environment or another account gives', () => {
  writeFileSync(path, 'mgmt:\n  base_url: http://a.test\nworkspace:\n  client_id: only\n');
  expect(store({ mgmt: { client_id: 'a', client_secret: 'b' } }).account(mgmt).baseUrl).toBe('http://a.test');
  expect(store().state().loadable).toBe(true);
});

test('a missing field names itself, its file and its variable', () => {
  writeFileSync(path, good({ client_secret: '""' }));
  const error = failure(() => store().account(mgmt));
  expect(error.code).toBe('CREDENTIALS_MISSING');
  expect(error.message).toBe(`\`mgmt.client_secret\` should be set in ${path} or by SOURCE_CLIENT_SECRET, got nothing`);
});

test('a changed file is read again without a restart', () => {
  writeFileSync(path, good());
  const credentials = store();
  expect(credentials.account(mgmt).clientId).toBe('me');
  writeFileSync(path, good({ client_id: 'somebody-else' }));
  expect(credentials.account(mgmt).clientId).toBe('somebody-else');
});

test.each([
  ['broken YAML', `mgmt:\n  client_secret: "${SECRET}\n  base_url: [`],
  ['a list', `- ${SECRET}`],
  ['plain text', SECRET],
  ['a section that is text', `mgmt: ${SECRET}`],
  ['an alias of nothing', `mgmt:\n  client_secret: ${SECRET}\n  client_id: *nothing\n`],
  ['aliases of very much', `a: &a [${SECRET}]\nb: &b [${'*a,'.repeat(30)}]\nc: [${'*b,'.repeat(30)}]\n`],
  ['a key of several values', `? [${SECRET}]\n: x\n`],
  ['an unknown field', `mgmt:\n  passphrase: ${SECRET}\n`],
  ['a number for text', `mgmt:\n  client_id: 12345\n  client_secret: ${SECRET}\n`],
  [
    'a base URL with a password',
    `mgmt:\n  base_url: https://user:${SECRET}@api.test\n  client_id: a\n  client_secret: b\n`,
  ],
  ['a base URL that is no URL', `mgmt:\n  base_url: ${SECRET}\n  client_id: a\n  client_secret: b\n`],
])('%s is refused with a code, and no secret gets into the message', (_, text) => {
  writeFileSync(path, text);
  const error = failure(() => store().account(mgmt));
  expect(error.code).toBe('CREDENTIALS_INVALID');
  expect(`${error.message} ${error.remedy} ${JSON.stringify(error.details)} ${error.cause ?? ''}`).not.toContain(
    SECRET,
  );
  expect(store().state()).toEqual({
    path,
    exists: true,
    loadable: false,
    error: 'credential configuration is invalid',
  });
});

test.each([
  'http://169.254.169.254/latest',
  'https://169.254.0.1:8443',
  'http://2852039166',
  'http://0xa9.0xfe.0xa9.0xfe',
  'http://0251.0376.0251.0376',
  'http://169.254.169.254.',
  'http://[fe80::1]',
  'http://[febf:ffff::1]:80',
  'http://[::ffff:169.254.169.254]',
  'http://[64:ff9b::a9fe:a9fe]',
  'http://[2002:a9fe:a9fe::]',
  'http://[fd00:ec2::254]',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://192.0.0.192',
  'http://0.0.0.0',
  'http://[::]:8080',
  'http://metadata.platform.internal',
  'http://224.0.0.1',
])('%s, where a cloud keeps credentials of its own, is no platform', (base_url) => {
  for (const fields of [{ base_url }, { token_url: base_url }]) {
    writeFileSync(path, good(fields));
    expect(failure(() => store().account(mgmt))).toMatchObject({
      code: 'CREDENTIALS_INVALID',
      message: expect.stringMatching(
        /should be a platform's address, got a (link-local|metadata|unspecified|multicast) one/,
      ),
    });
  }
  expect(failure(() => store({ mgmt: { base_url, client_id: 'a', client_secret: 'b' } }).account(mgmt)).code).toBe(
    'CREDENTIALS_INVALID',
  );
});

test.each(['http://127.0.0.1:8080', 'http://[::1]', 'http://fake:8080', 'https://169.253.1.1', 'https://[fec0::1]'])(
  '%s may be one',
  (base_url) => {
    writeFileSync(path, good({ base_url }));
    expect(store().account(mgmt).baseUrl).toBe(base_url);
  },
);

test('what is odd about a file is not warned of past the log', async () => {
  const warned: string[] = [];
  const hear = ({ message }: Error) => warned.push(message);
  process.on('warning', hear);
  writeFileSync(path, `? [${SECRET}]\n: x\n`);
  expect(store().state().loadable).toBe(false);
  await new Promise(setImmediate);
  process.off('warning', hear);
  expect(warned).toEqual([]);
});

test('the state, for which nobody needs a token, reads the file once and not each time', () => {
  writeFileSync(path, good());
  const credentials = store();
  const before = credentials.account(mgmt);
  expect(credentials.readiness([mgmt]).loadable).toBe(true);
  expect(credentials.account(mgmt)).toBe(before);
  writeFileSync(path, 'mgmt: [not, a, section]\n');
  expect(credentials.readiness([mgmt]).loadable).toBe(false);
  writeFileSync(path, good());
  expect(credentials.account(mgmt)).not.toBe(before);
});

test('the state says when the file does not exist, and when it is back', () => {
  const credentials = store();
  expect(credentials.state()).toEqual({
    path,
    exists: false,
    loadable: false,
    error: 'credentials file does not exist',
  });
  writeFileSync(path, good());
  expect(credentials.state()).toEqual({ path, exists: true, loadable: true });
});

test.each([
  ['bearer-token', ['api_token']],
  ['api-key', ['api_token']],
  ['none', []],
] as const)('the strategy %s asks for a base URL and %j, no more', (strategy, needed) => {
  const names = { base_url: 'SVC_BOOKS_BASE_URL', api_token: 'SVC_BOOKS_API_TOKEN' };
  const books = { auth: { strategy, section: 'books', variables: names } };
  const message = failure(() =>
    store({ books: { base_url: 'http://b.test' } }).account({ ...books, auth: { ...books.auth, strategy: 'api-key' } }),
  ).message;
  expect(message).toContain('`books.api_token` should be set in');
  expect(message).toContain('or by SVC_BOOKS_API_TOKEN');
  const account = store({ books: { base_url: 'http://b.test', api_token: 'token-1' } }).account(books);
  expect(account.apiToken).toBe(needed.length > 0 ? 'token-1' : '');
});

test('a base URL of the platform file stands until the credentials file or a variable says otherwise', () => {
  const books = { base_url: 'http://file.test', auth: { strategy: 'none' as const, section: 'books', variables: {} } };
  expect(store().account(books).baseUrl).toBe('http://file.test');
  expect(store({ books: { base_url: 'http://variable.test/' } }).account(books).baseUrl).toBe('http://variable.test');
});

test('every secret of every account is told, used or not, and again when the file changes', () => {
  const held: (readonly string[])[] = [];
  writeFileSync(
    path,
    'mgmt:\n  client_secret: first-secret-1\nnac:\n  api_token: token-of-nac-1\n  client_id: not-a-secret\n',
  );
  const own = new CredentialsStore(path, { sse: { password: 'override-1' } }, (secrets) => held.push(secrets));
  expect(held).toEqual([['override-1']]);
  own.readSecrets();
  expect(held.at(-1)).toEqual(['first-secret-1', 'token-of-nac-1', 'override-1']);
  own.readSecrets();
  expect(held).toHaveLength(2);
  writeFileSync(path, 'mgmt:\n  client_secret: second-secret-22\n');
  own.readSecrets();
  expect(held.at(-1)).toEqual(['second-secret-22', 'override-1']);
  writeFileSync(path, 'mgmt: [');
  expect(() => own.readSecrets()).not.toThrow();
});

test('a file that cannot be used is told once for each state of it, without a value', () => {
  const told: string[] = [];
  const own = new CredentialsStore(path, {}, undefined, (error) => told.push((error as Error).message));
  writeFileSync(path, 'mgmt:\n  client_secret: first-secret-1\nmgmt: [');
  for (let asked = 0; asked < 3; asked++) own.readSecrets();
  expect(told).toEqual([expect.stringContaining(path)]);
  writeFileSync(path, 'mgmt:\n  client_secret: [second-secret-22]\n');
  own.readSecrets();
  expect(told).toHaveLength(2);
  writeFileSync(path, 'mgmt:\n  client_secret: third-secret-333\n');
  own.readSecrets();
  expect(told).toHaveLength(2);
  expect(told.join()).not.toContain('secret-');
});

test.skipIf(process.platform === 'win32')(
  'a pipe is refused, not waited for (not on Windows, which has none in folders)',
  () => {
    execFileSync('mkfifo', [path]);
    const error = failure(() => store().account(mgmt));
    expect([error.code, error.message]).toEqual([
      'CREDENTIALS_INVALID',
      `${path}: should be a file, got a pipe or a device`,
    ]);
  },
);
