/** Which variable overrides what of the credentials file (specification 2.5): process, then `.env`, then the file. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { loadConfig, TARGET_ACCOUNT } from './config.ts';
import { type Account, CredentialsStore } from './credentials.ts';
import type { PlatformDefinition } from './platform-file.ts';

let cwd: string;
beforeEach(() => {
  cwd = mkdtempSync(join(tmpdir(), 'svc-mcp-overrides-'));
  mkdirSync(join(cwd, 'config'));
});
afterEach(() => rmSync(cwd, { recursive: true, force: true }));

const FILE = {
  base_url: 'https://file.example',
  client_id: 'file-id',
  client_secret: 'file-secret',
  workspace_id: 'file-workspace',
  token_url: 'https://file.example/token',
};

function accountOf(section: string, env: Record<string, string>): Account {
  writeFileSync(join(cwd, 'config/credentials.yaml'), stringify({ mgmt: FILE, workspace: FILE, target: FILE }));
  const config = loadConfig({ env: { SVC_MCP_CONFIG_DIR: join(cwd, 'user'), ...env }, cwd });
  const store = new CredentialsStore(config.credentialsPath, config.credentialOverrides);
  const platform = config.known.find(
    ({ id }) => id === (section === 'target' ? 'mgmt' : section),
  ) as PlatformDefinition;
  return store.account(
    section === 'target' ? { ...platform, auth: { ...platform.auth, ...TARGET_ACCOUNT } } : platform,
  );
}

const CASES: [variable: string, section: string, field: keyof Account, file: string][] = [
  ['SOURCE_BASE_URL', 'mgmt', 'baseUrl', FILE.base_url],
  ['SOURCE_CLIENT_ID', 'mgmt', 'clientId', FILE.client_id],
  ['SOURCE_CLIENT_SECRET', 'mgmt', 'clientSecret', FILE.client_secret],
  ['SOURCE_GLP_WORKSPACE', 'mgmt', 'workspaceId', FILE.workspace_id],
  ['SOURCE_CLIENT_ID', 'workspace', 'clientId', FILE.client_id],
  ['SOURCE_CLIENT_SECRET', 'workspace', 'clientSecret', FILE.client_secret],
  ['SOURCE_GLP_WORKSPACE', 'workspace', 'workspaceId', FILE.workspace_id],
  ['SVC_WORKSPACE_BASE_URL', 'workspace', 'baseUrl', FILE.base_url],
  ['SVC_WORKSPACE_TOKEN_URL', 'workspace', 'tokenUrl', FILE.token_url],
  ['TARGET_BASE_URL', 'target', 'baseUrl', FILE.base_url],
  ['TARGET_CLIENT_ID', 'target', 'clientId', FILE.client_id],
  ['TARGET_CLIENT_SECRET', 'target', 'clientSecret', FILE.client_secret],
  ['TARGET_GLP_WORKSPACE', 'target', 'workspaceId', FILE.workspace_id],
];

test.each(CASES)('%s overrides %s: %s', (variable, section, field, file) => {
  expect(accountOf(section, {})[field]).toBe(file);
  writeFileSync(join(cwd, '.env'), `${variable}=https://dot-env.example\n`);
  expect(accountOf(section, {})[field]).toBe('https://dot-env.example');
  expect(accountOf(section, { [variable]: 'https://process.example' })[field]).toBe('https://process.example');
  // An empty value is no value.
  expect(accountOf(section, { [variable]: '' })[field]).toBe(file);
});

test('TOKEN_CACHE_DIR is the folder of cached logins', () => {
  const config = loadConfig({ env: { SVC_MCP_CONFIG_DIR: join(cwd, 'user'), TOKEN_CACHE_DIR: 'cache' }, cwd });
  expect(config.tokenCacheDir).toBe(join(cwd, 'cache'));
});
