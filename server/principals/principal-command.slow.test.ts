/** The command that adds, lists and removes principals. */
import { execFileSync } from 'node:child_process';
import { mkdtempDisposableSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig, packageRoot } from '../config/config.ts';
import { shippedCatalog } from '../test/support/shipped-catalog.ts';
import { hashOf } from './bearer-hash.ts';
import { readPrincipals } from './principals-file.ts';

test('svc-mcp-principal prints a bearer once and writes its hash alone, privately', () => {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'svc-mcp-principal-'));
  const path = join(folder.path, 'principals.yaml');
  const variables = {
    MCP_TRANSPORT: 'streamable-http',
    SVC_MCP_TOOLSETS: 'mgmt',
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_CONFIG_DIR: join(folder.path, 'user'),
    SVC_MCP_STATE_DIR: join(folder.path, 'state'),
    SVC_MCP_PRINCIPALS_PATH: path,
  };
  const runWith = (more: Record<string, string>, ...args: string[]) =>
    execFileSync(process.execPath, [join(packageRoot, 'server/cli/principal.mjs'), ...args, '--json'], {
      cwd: folder.path,
      env: { PATH: process.env['PATH'] ?? '', HOME: folder.path, ...variables, ...more },
      encoding: 'utf8',
    });
  const run = (...args: string[]) => runWith({}, ...args);
  const { bearer } = JSON.parse(run('add', 'ada', '--platforms', 'mgmt', '--no-approve'));
  const text = readFileSync(path, 'utf8');
  expect(text).toContain(hashOf(bearer));
  expect(text).not.toContain(bearer);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  const [listed] = JSON.parse(run('list')).principals;
  expect(listed).toEqual({ name: 'ada', bearers: 1, platforms: ['mgmt'], may_approve: false });
  expect(() => run('add', 'eve', '--platforms', 'nowhere')).toThrow();
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(() => run('add', 'bot', '--share', 'ten')).toThrow(/a whole number from 1 on/);
  expect(() => run('add', 'ada')).toThrow(/principal rotate. gives it another bearer/);
  expect(() => run('remove', 'adda')).toThrow(/principal list. names those that there are/);
  expect(() => run('add', 'bot', '--claim', 'sub')).toThrow(/NAME=VALUE/);
  expect(() => run('add', 'bot', '--claim', 'sub=a')).toThrow(
    /principals\.yaml as it would be:\d+: .*SVC_MCP_OAUTH_ISSUER is not set/,
  );
  expect(readFileSync(path, 'utf8')).toBe(text);
  run('remove', 'ada');
  const limits = ['--share', '3', '--max-in-flight', '9', '--max-writes-per-hour', '20'];
  const issuer = { SVC_MCP_OAUTH_ISSUER: 'https://id.example', SVC_MCP_OAUTH_RESOURCE: 'https://router.example/mcp' };
  expect(JSON.parse(runWith(issuer, 'add', 'bot', '--claim', 'sub=a=b', ...limits)).bearer).toBeUndefined();
  const [bot] = JSON.parse(run('list')).principals;
  const oauth = { claim: 'sub', value: 'a=b' };
  expect(bot).toEqual({ name: 'bot', bearers: 0, oauth, share: 3, max_in_flight: 9, max_writes_per_hour: 20 });
  const [read] = readPrincipals(path, loadConfig({ env: { ...variables, ...issuer }, cwd: folder.path }));
  expect(read?.access).toMatchObject({ share: 3, maxInFlight: 9, maxWritesPerHour: 20 });
  runWith(issuer, 'remove', 'bot');
  expect(JSON.parse(run('list')).principals).toEqual([]);
});
