/** What several routers run with: the compose file, the proxy in front, the start of Redis and the page about them agree. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { VARIABLES } from '../../config/variables.ts';
import { ERRORS } from '../../errors.ts';
import { HTTP_LIMITS } from '../../http/limits.ts';
import { root } from './source-imports.ts';

interface Service {
  profiles?: string[];
  environment?: Record<string, string>;
  secrets?: string[];
  ports?: string[];
  volumes?: string[];
}

const text = (path: string) => readFileSync(join(root, path), 'utf8');
const compose = parse(text('compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  secrets: Record<string, Record<string, string>>;
};
const routers = Object.entries(compose.services).filter(([name]) => name.startsWith('router-'));

describe('compose.yaml', () => {
  test('has as many routers as it tells them, and nginx sends to exactly those', () => {
    const upstream = [...text('docker/nginx.conf').matchAll(/^\s*server (router-\d+):8010 /gm)].map(([, name]) => name);
    expect(upstream).toEqual(routers.map(([name]) => name));
    for (const [, { environment }] of routers) expect(environment?.['SVC_MCP_REPLICAS']).toBe(String(routers.length));
  });

  test('nginx lets through a header as long as a router takes', () => {
    const most = /^\s*large_client_header_buffers \d+ (\d+)k;$/m.exec(text('docker/nginx.conf'))?.[1];
    expect(Number(most) * 1024).toBe(HTTP_LIMITS.headerBytes);
  });

  test('sets only variables that exist, and no secret among them', () => {
    for (const [, { environment = {} }] of routers)
      for (const name of Object.keys(environment)) {
        const variable = VARIABLES[name.replace(/_FILE$/, '') as keyof typeof VARIABLES] as
          | { secret?: true }
          | undefined;
        expect(variable, name).toBeDefined();
        expect(variable?.secret === true, name).toBe(name.endsWith('_FILE'));
      }
  });

  test('takes secrets from files, each of them declared and mounted where a variable says', () => {
    for (const [name, secret] of Object.entries(compose.secrets)) expect(Object.keys(secret), name).toEqual(['file']);
    for (const [, { environment = {}, secrets = [] }] of routers) {
      const named = Object.values(environment).flatMap((value) => /^\/run\/secrets\/(.+)$/.exec(value)?.[1] ?? []);
      expect(named.sort()).toEqual([...secrets].sort());
      expect(Object.keys(compose.secrets)).toEqual(expect.arrayContaining(secrets));
    }
  });

  test('publishes on this machine only, and starts Redis and the embedding model without a profile', () => {
    const ports = Object.values(compose.services).flatMap(({ ports = [] }) => ports);
    expect(ports.every((port) => port.startsWith('127.0.0.1:'))).toBe(true);
    const always = Object.entries(compose.services).filter(([, { profiles }]) => profiles === undefined);
    expect(always.map(([name]) => name)).toEqual(['redis', 'ollama']);
  });
});

describe('docker/redis-start.sh', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-redis-start-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  const start = (secret: string | undefined, more: Record<string, string> = {}) => {
    const file = join(folder, 'secret');
    rmSync(file, { force: true });
    if (secret !== undefined) writeFileSync(file, secret);
    // In place of the server, something that shows what it would be given.
    writeFileSync(join(folder, 'redis-server'), '#!/bin/sh\ncat "$1"\n', { mode: 0o755 });
    const env = { PATH: `${folder}:/usr/bin:/bin`, REDIS_PASSWORD_FILE: file, TMPDIR: folder, ...more };
    return spawnSync('sh', [join(root, 'docker/redis-start.sh')], { env, encoding: 'utf8' });
  };

  const told = { REDIS_PASSWORD_MAKE: '1' };
  test.each([
    ['no file', undefined],
    ['nothing', ''],
    ['an empty line', '\n'],
    ['what would become a setting of its own', 'abc def'],
    ['quotes', '""'],
  ])('%s as the password starts no Redis', (_, secret) => {
    const { status, stdout, stderr } = start(secret);
    expect([status, stdout]).toEqual([78, '']);
    expect(stderr).toMatch(/redis is not started/);
  });

  test('told to, it makes a password where there is none, for its user alone, and keeps it; an empty one stays refused', () => {
    const passwordOf = ({ stdout }: { stdout: string }) => /^requirepass ([0-9a-f]{64})$/m.exec(stdout)?.[1];
    const made = passwordOf(start(undefined, told));
    expect(made).toBeDefined();
    expect(statSync(join(folder, 'secret')).mode & 0o777).toBe(0o600);
    expect(passwordOf(start(readFileSync(join(folder, 'secret'), 'utf8'), told))).toBe(made);
    expect(start('', told).status).toBe(78);
  });

  test('a password becomes a line of a private file and no argument', () => {
    const { status, stdout } = start('0123abcd\n');
    expect(status).toBe(0);
    expect(stdout).toMatch(/^requirepass 0123abcd$/m);
    expect(stdout).toMatch(/^maxmemory-policy noeviction$/m);
  });
});

test('the page names only variables, files and codes that exist', () => {
  const page = text('docs/replicas.md');
  const variables = [...page.matchAll(/`((?:SVC_MCP|MCP)_[A-Z_]+)/g)].map(([, name]) => name as string);
  expect(variables.filter((name) => !(name in VARIABLES))).toEqual([]);
  const codes = new Set(Object.entries(ERRORS).flatMap(([name, { wire }]) => [name, wire]));
  expect(['REDIS_REFUSED', 'state_unavailable', 'confirmation_unavailable'].filter((code) => !codes.has(code))).toEqual(
    [],
  );
  for (const code of ['REDIS_REFUSED', 'state_unavailable']) expect(page).toContain(`\`${code}\``);
});

test('the least a Redis user needs is what the page says and the test of it uses', () => {
  const commands = (path: string) => /\+eval [+a-z ]+/.exec(text(path))?.[0].trim();
  expect(commands('docs/replicas.md')).toBe(commands('server/storage/redis.test.ts'));
});
