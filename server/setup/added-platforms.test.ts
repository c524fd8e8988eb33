/** The setup of platforms that were added from documents: which fields each scheme needs, where they are written, and what a container gets. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, packageRoot } from '../config/config.ts';
import { CredentialsStore } from '../config/credentials.ts';
import { authsOf } from '../config/platform-file.ts';
import { importDocument } from '../import/import-document.ts';
import { definePlatform, writeUserPlatform } from '../import/user-platform.ts';

const SETUP = join(packageRoot, 'server/cli/setup.mjs');
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'added-platforms-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  name: { type: 'http', scheme: 'basic' },
  token: { type: 'http', scheme: 'bearer' },
  machine: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://id.other.test/token', scopes: { all: '' } } },
  },
};
const SECRETS = { key: 'api_token', name: 'password', token: 'api_token', machine: 'client_secret' };

const environment = () => ({
  PATH: process.env['PATH'] ?? '',
  HOME: folder,
  SVC_MCP_CONFIG_DIR: join(folder, 'own'),
});

async function added(): Promise<void> {
  const names = Object.keys(SCHEMES);
  const path = join(folder, 'shop.json');
  const operation = (name: string) => ({
    get: { security: [{ [name]: [] }], responses: { 200: { description: 'ok' } } },
  });
  const content = {
    openapi: '3.1.0',
    info: { title: 'Shop', version: '1' },
    servers: [{ url: 'https://api.of-the-document.test' }],
    components: { securitySchemes: SCHEMES },
    paths: Object.fromEntries(names.map((name) => [`/${name}`, operation(name)])),
  };
  writeFileSync(path, JSON.stringify(content));
  const taken = await importDocument(path);
  writeUserPlatform(join(folder, 'own'), definePlatform({ name: 'shop' }, taken), taken);
}

function setup(words: readonly string[]) {
  const flags = ['--yes', '--skip-install', '--skip-catalog', '--skip-doctor', '--directory', folder];
  const { status, stdout, stderr } = spawnSync(process.execPath, [SETUP, ...flags, ...words], {
    encoding: 'utf8',
    env: environment(),
  });
  return { status, stdout, stderr };
}

const secretWords = () =>
  Object.entries(SECRETS).flatMap(([scheme, field]) => {
    const path = join(folder, `given-${scheme}`);
    writeFileSync(path, `secret-of-${scheme}\n`, { mode: 0o600 });
    return ['--secret-file', `shop_${scheme}.${field}=${path}`];
  });
const accountWords = [
  ...['--account', 'shop.base_url=https://api.shop.test', '--account', 'shop_name.username=person'],
  ...['--account', 'shop_machine.client_id=program', '--account', 'shop_machine.token_url=https://id.shop.test/token'],
];

test('each scheme gets its fields, secrets lie in files of their own, and the router has every account complete', async () => {
  await added();
  const { status, stdout, stderr } = setup([...accountWords, ...secretWords()]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).not.toMatch(/secret-of-/);
  for (const [scheme, field] of Object.entries(SECRETS)) {
    const path = join(folder, 'secrets', `shop_${scheme}_${field}`);
    expect(readFileSync(path, 'utf8')).toBe(`secret-of-${scheme}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  }
  const file = readFileSync(join(folder, 'config/credentials.yaml'), 'utf8');
  expect(parse(file)).toMatchObject({
    shop: { base_url: 'https://api.shop.test' },
    shop_machine: { client_id: 'program', token_url: 'https://id.shop.test/token' },
    shop_name: { username: 'person' },
  });
  expect(file).not.toMatch(/secret-of-|other\.test|of-the-document/);
  expect(parseEnv(readFileSync(join(folder, '.env'), 'utf8'))['SVC_MCP_SHOP_WRITES']).toBe('0');

  const config = loadConfig({ env: environment(), cwd: folder });
  const store = new CredentialsStore(config.credentialsPath, config.credentialOverrides);
  const shop = config.known.find(({ id }) => id === 'shop');
  const accounts = authsOf(shop!)
    .slice(1)
    .map((auth) => {
      const { missing } = store.inspect({ ...shop!, auth });
      return `${auth.section} ${auth.strategy}: ${missing.join(',') || 'complete'}`;
    });
  expect(accounts).toEqual([
    'shop_key api-key: complete',
    'shop_name basic: complete',
    'shop_token bearer-token: complete',
    'shop_machine oauth2-client-credentials: complete',
    'shop_machine bearer-token: api_token',
  ]);
  const machine = authsOf(shop!).find(({ strategy }) => strategy === 'oauth2-client-credentials');
  const { origins } = store.account({ ...shop!, auth: machine! });
  expect([...origins].sort()).toEqual(['https://api.shop.test', 'https://id.shop.test']);

  const again = setup([]);
  expect(again.status).toBe(0);
  expect(again.stdout).not.toContain('[written]');
});

test('without answers nothing that the document states is taken for an address', async () => {
  await added();
  const { status } = setup([]);
  expect(status).toBe(0);
  expect(readFileSync(join(folder, 'config/credentials.yaml'), 'utf8')).not.toMatch(/shop|of-the-document|other\.test/);
});

test('a field that no scheme has is refused, and a container is not asked about them', async () => {
  await added();
  expect(setup(['--account', 'shop_key.client_id=x'])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('shop_machine.client_id'),
  });
  expect(setup(['--docker', ...accountWords])).toMatchObject({ status: 2 });
});
