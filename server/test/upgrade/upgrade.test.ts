/**
 * Nothing that 0.1.0 stored is lost: its settings, keys, runs, audit log and the platforms that somebody added serve on.
 *
 * `files-of-0.1.0/` holds what release 0.1.0 (b661569) wrote in one session against the fake: `setup --yes`, `catalog add`, a read, a confirmed
 * write, and two migration runs, one of which was applied. Its keys and accounts protect nothing. The fake listened at `OLD_BASE`.
 */
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeApi } from '#fake-api';
import { type Child, ROOT, startChild } from '../support/child-process.ts';
import { type ModernClient, modernClient } from '../support/modern-client.ts';

const STORED = join(import.meta.dirname, 'files-of-0.1.0');
const OLD_BASE = 'http://127.0.0.1:47310';
const BEARER = 'upgrade-7f3c1d9a5e2b48607f3c1d9a5e2b4860';

let folder: string;
let env: Record<string, string>;
let fake: Awaited<ReturnType<typeof startFakeApi>>;
let router: Child;
let client: ModernClient;
/** Every file of the installation as 0.1.0 left it, by its path. */
let before: Map<string, string>;

const at = (...parts: string[]) => join(folder, ...parts);
const filesBelow = (path: string) =>
  readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

async function answerTo(tool: string, args: object, answer: 'accept' | null = null) {
  const { texts } = await client.call(tool, args, answer);
  return JSON.parse(texts[0] ?? '{}');
}
const read = (name: string, args: object) => answerTo('invoke_read_tool', { name, arguments: args });

/** As an installation stands on a disk: private, and with the addresses of the fake that runs now. */
function restoreInstallation(): void {
  cpSync(STORED, folder, { recursive: true });
  for (const path of ['secrets', 'config', 'own/platforms']) mkdirSync(at(path), { recursive: true });
  rmSync(at('own'), { recursive: true });
  mkdirSync(at('own'));
  renameSync(at('platforms'), at('own', 'platforms'));
  renameSync(at('settings', 'dot-env'), at('.env'));
  renameSync(at('settings', 'credentials.yaml'), at('config', 'credentials.yaml'));
  writeFileSync(at('secrets', 'mcp_http_bearer_token'), `${BEARER}\n`);
  writeFileSync(at('secrets', 'mgmt_client_secret'), 'demo-secret\n');
  for (const file of filesBelow(folder)) {
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(OLD_BASE, fake.api));
    chmodSync(file, 0o600);
  }
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o700);
}

beforeAll(async () => {
  fake = await startFakeApi({
    platformIds: ['mgmt'],
    fixture: 'legacy-migration',
    foreign: [{ file: join(STORED, 'platforms', 'parking-b1a5657d', 'tiny.json'), name: 'tiny' }],
  });
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-upgrade-'));
  restoreInstallation();
  before = new Map(filesBelow(folder).map((file) => [file, readFileSync(file, 'utf8')]));
  env = {
    // Settings of 0.1.0 stand in the folder's .env, which the tests' routers leave aside otherwise.
    SVC_MCP_DOTENV: '1',
    SVC_MCP_CONFIG_DIR: at('own'),
    SVC_MCP_STATE_DIR: at('state'),
    SVC_MCP_AUDIT_LOG: at('audit.jsonl'),
    TOKEN_CACHE_DIR: at('tokens'),
    SVC_MCP_PARKING_WRITES: '1',
    MCP_PORT: '0',
  };
  router = await startChild(join(ROOT, 'server/cli/router.mjs'), ['--directory', folder, '--json'], env, folder);
  client = modernClient(String(router.ready['url']), BEARER);
});
afterAll(async () => {
  await router?.stop();
  await fake?.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
});

test('settings and account serve as they are: the gate that was open is open, and the platform is read', async () => {
  const { items } = await read('mgmt_list_sites', {});
  expect(items.length).toBeGreaterThan(0);
  const preview = await answerTo('invoke_tool', {
    name: 'legacy_apply_migration_run',
    arguments: { run_id: 'mill-2' },
  });
  expect(preview).toMatchObject({ dry_run: true, run_id: 'mill-2' });
});

test('a migration run that was applied says so, and one that was not is applied now', async () => {
  expect(await read('legacy_get_migration_run', { run_id: 'mill-1' })).toMatchObject({
    status: 'completed',
    counts: { applied: 2 },
  });
  const name = 'legacy_apply_migration_run';
  const { plan_token } = await answerTo('invoke_tool', { name, arguments: { run_id: 'mill-2' } });
  const confirmed = { run_id: 'mill-2', dry_run: false, confirm: true, plan_token };
  expect(await answerTo('invoke_tool', { name, arguments: confirmed }, 'accept')).toMatchObject({
    status: 'completed',
  });
});

test('a platform that somebody added is found, read and written; its POST that searches is a write now', async () => {
  const hits = (await answerTo('find_tool', { query: 'search garages', top_k: 5 })) as {
    name: string;
    capability: string;
  }[];
  expect(hits.find(({ name }) => name === 'parking_search_garages')?.capability).toBe('write');
  expect((await read('parking_list_garages', {})).items).toHaveLength(3);
  const call = { name: 'parking_create_garage', arguments: { body: { name: 'South' } } };
  const { plan_token } = await answerTo('invoke_tool', call);
  const confirmed = { ...call, arguments: { ...call.arguments, dry_run: false, confirm: true, plan_token } };
  expect(await answerTo('invoke_tool', confirmed, 'accept')).toMatchObject({ object: { name: 'South' } });
});

test('a plan token of 0.1.0 is refused', async () => {
  const plan_token = 'PHHeCG8V5wotawPq2B3CPLvAiJiapOE.WJcmohwpNn_XlVCrlGqK4pP7y1C1lBujoNa79Mru8H8';
  const refused = await answerTo(
    'invoke_tool',
    {
      name: 'parking_create_garage',
      arguments: { body: { name: 'North' }, dry_run: false, confirm: true, plan_token },
    },
    'accept',
  );
  expect(refused).toMatchObject({ ok: false });
  expect(String(refused.reason)).toMatch(/^PLAN_/);
});

test('the audit log goes on behind its old lines and verifies', () => {
  const lines = readFileSync(at('audit.jsonl'), 'utf8');
  expect(lines.startsWith(before.get(at('audit.jsonl')) ?? 'no log')).toBe(true);
  const printed = execFileSync(
    process.execPath,
    [join(ROOT, 'server/cli/verify-audit.ts'), at('audit.jsonl'), '--key', at('state', 'audit-key')],
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] },
  );
  expect(printed).toMatch(/^\d+ lines in 1 file, whole/);
});

test('setup again keeps each setting and secret, and no file is lost', () => {
  execFileSync(
    process.execPath,
    [
      join(ROOT, 'server/cli/setup.mjs'),
      '--directory',
      folder,
      '--yes',
      '--skip-catalog',
      '--skip-doctor',
      '--skip-install',
    ],
    { env: { PATH: process.env['PATH'], HOME: folder, ...env, MCP_PORT: '' }, stdio: 'ignore' },
  );
  const settings = (text: string) => text.split('\n').filter((line) => /^[A-Z]/.test(line));
  expect(settings(readFileSync(at('.env'), 'utf8'))).toEqual(
    expect.arrayContaining(settings(before.get(at('.env')) ?? 'no settings')),
  );
  for (const file of ['config/credentials.yaml', 'secrets/mcp_http_bearer_token', 'state/signing-keys'])
    expect(readFileSync(at(file), 'utf8'), file).toBe(before.get(at(file)));
  const missing = [...before.keys()].filter((file) => !filesBelow(folder).includes(file));
  // A used token is forgotten when it has expired.
  expect(missing.filter((file) => !file.startsWith(at('state', 'used')))).toEqual([]);
  expect([...before.keys()].filter((file) => !missing.includes(file) && (statSync(file).mode & 0o077) !== 0)).toEqual(
    [],
  );
});
