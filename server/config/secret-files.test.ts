/** Secrets as files (specification, section 5): what is read, what wins, what refuses the start. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { loadConfig, packageRoot } from './config.ts';
import { readPlatformFiles } from './platform-file.ts';
import { isSecretName, isSecretShaped } from './secret-files.ts';

const cwd = mkdtempSync(join(tmpdir(), 'svc-mcp-secret-files-'));
afterAll(() => rmSync(cwd, { recursive: true, force: true }));
const file = (name: string, text: string) => {
  writeFileSync(join(cwd, name), text, { mode: 0o600 });
  return name;
};
const HTTP = { MCP_TRANSPORT: 'streamable-http', SVC_MCP_CONFIG_DIR: join(cwd, 'user') };
const load = (env: Record<string, string>) => loadConfig({ env: { ...HTTP, ...env }, cwd });
const bearer = file('bearer', 'bearer-of-a-file-on-this-disk\n');

describe('a secret file', () => {
  test('fills its variable, without the end of its line', () => {
    expect(load({ MCP_HTTP_BEARER_TOKEN_FILE: bearer }).http.bearerToken).toBe('bearer-of-a-file-on-this-disk');
  });

  test('fills every secret of an account', () => {
    const platforms = readPlatformFiles(join(packageRoot, 'server/platforms'));
    const secrets = platforms.flatMap(({ auth }) =>
      [...Object.entries(auth.variables), ...Object.entries(auth.own ?? {})]
        .filter(([field]) => ['client_secret', 'api_token', 'password'].includes(field))
        .map(([field, variable]) => ({ section: auth.section, field, variable })),
    );
    expect(secrets.length).toBeGreaterThanOrEqual(10);
    for (const { section, field, variable } of secrets) {
      const env = { [`${variable}_FILE`]: file(`${section}_${field}`, `value of ${section} ${field}`) };
      expect(load(env).credentialOverrides[section]?.[field], variable).toBe(`value of ${section} ${field}`);
    }
  });

  test('is found below the home folder, as the path of any other setting', () => {
    const below = relative(homedir(), join(cwd, bearer));
    expect(load({ MCP_HTTP_BEARER_TOKEN_FILE: `~/${below}` }).http.bearerToken).toBe('bearer-of-a-file-on-this-disk');
  });

  test('loses against a value that is set', () => {
    const env = { MCP_HTTP_BEARER_TOKEN_FILE: bearer, MCP_HTTP_BEARER_TOKEN: 'set-by-hand-in-the-environment' };
    expect(load(env).http.bearerToken).toBe('set-by-hand-in-the-environment');
  });

  test('may be named in .env, and taken back by an empty name in the environment', () => {
    writeFileSync(join(cwd, '.env'), `MCP_HTTP_BEARER_TOKEN_FILE=${bearer}\n`);
    expect(load({}).http.bearerToken).toBe('bearer-of-a-file-on-this-disk');
    expect(load({ MCP_HTTP_BEARER_TOKEN_FILE: '' }).http.bearerToken).toBeUndefined();
    rmSync(join(cwd, '.env'));
  });

  test.each([
    [
      'beside an empty value',
      { MCP_HTTP_BEARER_TOKEN: '', MCP_HTTP_BEARER_TOKEN_FILE: bearer },
      /or not be set at all/,
    ],
    ['that is not there', { MCP_HTTP_BEARER_TOKEN_FILE: 'nowhere' }, /should name a file that can be read.*ENOENT/],
    ['that is a folder', { SOURCE_CLIENT_SECRET_FILE: '.' }, /EISDIR/],
    ['that is empty', { SOURCE_CLIENT_SECRET_FILE: file('empty', '\n') }, /a file with one line/],
    ['of two lines', { SOURCE_CLIENT_SECRET_FILE: file('two', 'a-secret\nb-secret\n') }, /a file with one line/],
  ])('%s refuses the start and repeats no content', (_, env, message) => {
    expect(() => load(env as unknown as Record<string, string>)).toThrow(message);
    expect(() => load(env as unknown as Record<string, string>)).not.toThrow(/a-secret|b-secret|bearer-of/);
  });

  test('for anything but a secret is not read, and that is said', () => {
    const config = load({ CREDS_PATH_FILE: bearer, MCP_HOST_FILE: bearer, SSL_CERT_FILE: '/nowhere' });
    expect(config.http.host).toBe('127.0.0.1');
    expect(config.warnings).toEqual(['MCP_HOST_FILE is not read: only secrets come as files']);
  });
});

test('the workspace uses the client of the management cloud, until it is given one of its own', () => {
  const both = { SOURCE_CLIENT_ID: 'shared', SVC_WORKSPACE_CLIENT_ID: 'own' };
  expect(load({ SOURCE_CLIENT_ID: 'shared' }).credentialOverrides).toEqual({
    mgmt: { client_id: 'shared' },
    workspace: { client_id: 'shared' },
  });
  expect(load(both).credentialOverrides).toEqual({ mgmt: { client_id: 'shared' }, workspace: { client_id: 'own' } });
});

test.each([
  ['MCP_HTTP_BEARER_TOKEN', true],
  ['TARGET_CLIENT_SECRET', true],
  ['SVC_NAC_CLIENT_SECRET', true],
  ['SOURCE_CLIENT_ID', false],
  ['PGPASSWORD', false],
])('%s comes as a file: %s', (name, secret) => expect(isSecretName(name)).toBe(secret));

test.each([
  ['GITHUB_TOKEN', true],
  ['DB_PASSWORD', true],
  ['MY_API_KEY', true],
  ['BUCKET_SECRET_ACCESS_KEY', true],
  ['DB_PASS', true],
  ['RADIUS_PSK', true],
  ['COMPASS', false],
  ['SVC_MCP_SIGNING_KEYS_PATH', false],
  ['MCP_HTTP_BEARER_TOKEN', true],
  ['SVC_MCP_REDIS_PASSWORD_PATH', false],
  ['MCP_HTTP_BEARER_TOKEN_FILE', false],
  ['TOKEN_CACHE_DIR', false],
  ['SVC_MCP_CONFIRMATION', false],
])('%s looks like a secret: %s', (name, secret) => expect(isSecretShaped(name)).toBe(secret));
