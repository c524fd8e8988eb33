/** Every answer of the setup, followed to a running router: what was chosen is what the banner, find_tool and the gates say. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { loadConfig, packageRoot } from '../config/config.ts';
import { LAYOUT } from '../config/setup-layout.ts';
import { openCatalog } from '../open-catalog.ts';
import { modernClient } from '../test/support/modern-client.ts';
import { freePort } from '../test/support/programs.ts';
import { startProcess } from '../test/support/running-process.ts';
import { ANSWERS, type Answer, asked, bannerIn, calledAs, toolOf } from '../test/support/setup-answers.ts';

const cli = (name: string) => join(packageRoot, 'server/cli', `${name}.mjs`);
const environment = () => ({ PATH: process.env['PATH'] ?? '', HOME: home });

let folder: string;
let home: string;
beforeAll(() => openCatalog(loadConfig({ env: { HOME: '/nowhere' }, cwd: '/' })).catalog.close());
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'followed-'));
  home = mkdtempSync(join(tmpdir(), 'followed-home-'));
});
afterEach(() => {
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
});

async function follow(
  command: readonly string[],
  env: Record<string, string>,
  cwd: string,
  answer: Answer,
): Promise<void> {
  await using child = startProcess(process.execPath, [...command, '--json'], { cwd, env });
  const ready = JSON.parse(await child.line()) as { url: string; tools: number };
  expect(bannerIn(child.stderr())).toMatchObject(answer.banner);
  if (answer.tools !== undefined) expect(ready.tools).toBe(answer.tools);
  const bearer = readFileSync(join(folder, LAYOUT.bearer), 'utf8').trim();
  const url = ready.url.replace('0.0.0.0', '127.0.0.1');
  expect((await fetch(url, { method: 'POST' })).status).toBe(401);
  if (answer.published !== undefined) {
    expect(child.stderr()).toContain('is not loopback; put TLS in front of it');
    expect([await calledAs(url, 'router.lan:1'), await calledAs(url, 'other.lan:1')]).toEqual([401, 403]);
  }
  await asked(modernClient(url, bearer), answer);
}

function setup(words: readonly string[]): void {
  const { status, stderr } = spawnSync(
    process.execPath,
    [cli('setup'), '--directory', folder, '--yes', '--skip-install', '--skip-catalog', '--skip-doctor', ...words],
    { encoding: 'utf8', env: environment() },
  );
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
}

const state = () => ({ SVC_MCP_STATE_DIR: join(home, 'state'), TOKEN_CACHE_DIR: join(home, 'tokens') });

describe.each(Object.entries(ANSWERS))('%s', (_, answer) => {
  test('on the host', async () => {
    const port = await freePort();
    setup([...answer.words, '--port', String(port)]);
    await follow([cli('router'), '--directory', folder], environment(), home, answer);
  });

  test('as the container would be started', async () => {
    const port = await freePort();
    setup(['--docker', ...answer.words, '--port', String(port)]);
    // The work of compose without an engine: `.env` into the overlay, and each secret at its path.
    const { services, secrets } = parse(readFileSync(join(folder, LAYOUT.overlay), 'utf8'));
    const dotEnv = parseEnv(readFileSync(join(folder, '.env'), 'utf8'));
    const env = Object.fromEntries(
      Object.entries<string>(services['mcp-router'].environment).map(([name, value]) => [
        name,
        value
          .replace(/\$\{(\w+):-([^}]*)\}/g, (__, variable: string, otherwise: string) => dotEnv[variable] || otherwise)
          .replace(/^\/run\/secrets\/(.+)$/, (__, secret: string) => join(folder, secrets[secret].file)),
      ]),
    );
    expect(services['mcp-router'].ports).toEqual([`${answer.published ?? '127.0.0.1'}:${port}:${port}`]);
    const empty = join(home, 'app');
    mkdirSync(empty);
    await follow([cli('router')], { ...environment(), ...env, ...state() }, empty, answer);
  });
});

test('the stdio configuration starts the same router, without the token that HTTP asks for', async () => {
  setup(['--products', 'nac']);
  const { command, args, env } = JSON.parse(readFileSync(join(folder, LAYOUT.clients.stdio), 'utf8')).mcpServers[
    'tool-router'
  ];
  const child = spawnSync(command, args, { cwd: '/', env: { ...environment(), ...env }, input: '', encoding: 'utf8' });
  expect(child.status).toBe(0);
  expect(child.stderr).toMatch(/on stdio; minimal mode; access custom; open gates: none/);
});

test.each(['000', '077'])('under umask %s a router leaves nothing that others can read or write', async (umask) => {
  const port = await freePort();
  setup(['--port', String(port), '--writes', 'mgmt']);
  const words = [process.execPath, cli('router'), '--directory', folder, '--json'];
  const env = { ...environment(), SVC_MCP_AUDIT_LOG: '1' };
  await using child = startProcess('/bin/sh', ['-c', `umask ${umask}; exec "$0" "$@"`, ...words], {
    cwd: home,
    env,
  });
  const client = modernClient(
    (JSON.parse(await child.line()) as { url: string }).url,
    readFileSync(join(folder, LAYOUT.bearer), 'utf8').trim(),
  );
  await client.call('find_tool', { query: 'list sites' });
  await client.call('invoke_read_tool', { name: toolOf('mgmt', 'read'), arguments: {} });
  await child.stop();
  const paths = [folder, home].flatMap((base) =>
    readdirSync(base, { recursive: true, encoding: 'utf8' }).map((name) => join(base, name)),
  );
  const open = paths.filter((path) => (statSync(path).mode & 0o077) !== 0);
  expect(
    paths.some((path) => path.endsWith('tool-audit.jsonl')) && paths.some((path) => path.endsWith('signing-keys')),
  ).toBe(true);
  expect(open).toEqual([]);
});
