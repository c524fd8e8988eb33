/** The second package, installed in an empty folder: its command tries a server there and leaves nothing behind but its results. */
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runProcess } from '../running-process.ts';
import { PETS } from '../test/pets-document.ts';

const LONGEST_MS = 400_000;
const root = join(import.meta.dirname, '..', '..');
const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
let base: string;

const run = (...words: string[]) =>
  runProcess(join(base, 'node_modules/.bin/svc-mcp-bench'), words, {
    cwd: base,
    env: { PATH, HOME: base, XDG_CACHE_HOME: join(base, 'cache') },
  });

beforeAll(async () => {
  base = mkdtempSync(join(tmpdir(), 'packed-bench-'));
  const tarballs = join(base, 'tarballs');
  mkdirSync(tarballs);
  const packed = await runProcess(process.execPath, [join(root, 'pack-bench.ts'), tarballs], {
    env: { ...process.env, PATH },
  });
  expect(packed.code, packed.stderr).toBe(0);
  const words = ['install', '--prefix', base, '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline'];
  const installed = await runProcess('npm', [...words, packed.stdout.trim()], { env: { ...process.env, PATH } });
  expect(installed.code, installed.stderr).toBe(0);
  writeFileSync(join(base, 'api.json'), JSON.stringify(PETS));
  cpSync(join(root, 'harness/test/plain-server.mjs'), join(base, 'server.mjs'));
  cpSync(join(root, 'harness/test/pets-tools.mjs'), join(base, 'pets-tools.mjs'));
}, LONGEST_MS);
afterAll(() => rmSync(base, { recursive: true, force: true }));

test('holds no test, no server and no model of a platform', () => {
  const at = (path: string) => existsSync(join(base, 'node_modules/svc-mcp-bench', path));
  const schema = 'scenarios/scenario.schema.json';
  expect(['harness/cli/bench.ts', 'fake-api/main.ts', 'reports/comparison.json', schema, 'README.md'].map(at)).toEqual(
    Array(5).fill(true),
  );
  expect(['server', 'harness/test', 'fake-api/platforms/mgmt', 'scenarios/alerts', 'harness/controls'].map(at)).toEqual(
    Array(5).fill(false),
  );
});

test('gives a verdict over a document, and a red one where a gate does not hold', {
  timeout: LONGEST_MS,
}, async () => {
  const server = ['--command', 'node server.mjs', '--openapi', 'api.json'];
  const green = await run('try', ...server);
  expect({ code: green.code, stderr: green.stderr, stdout: green.stdout }).toMatchObject({ code: 0 });
  expect(green.stdout).toContain('25 of 25');
  const { oracle } = JSON.parse(readFileSync(join(base, 'svc-mcp-try/try.json'), 'utf8'));
  expect(oracle.solved).toBe(oracle.of);
  const red = await run('try', ...server, '--most', '9', '--malformed', '0', '--max-unapproved', '0');
  expect({ code: red.code, stdout: red.stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('fail: max-unapproved'),
  });
});

test('lists its own exit codes, and none of the harness', { timeout: LONGEST_MS }, async () => {
  const { code, stdout } = await run('--help');
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('  1  a gate does not hold') });
  expect(stdout).not.toMatch(/baseline|bless/);
});

test('reads paths from where it runs, as a script of a workspace does, and not from where npm was called', async () => {
  const words = ['try', '--command', 'node server.mjs', '--openapi', 'api.json', '--min-success', 'all'];
  const { code, stderr } = await runProcess(join(base, 'node_modules/.bin/svc-mcp-bench'), words, {
    cwd: base,
    env: { PATH, HOME: base, XDG_CACHE_HOME: join(base, 'cache'), INIT_CWD: join(base, 'tarballs') },
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--min-success should be a number') });
});

test('runs where the project that it was first run from is gone', { timeout: LONGEST_MS }, async () => {
  expect(await run('--version')).toMatchObject({ code: 0 });
  const [before, now] = [join(base, 'node_modules'), join(base, 'other', 'node_modules')];
  mkdirSync(join(base, 'other'));
  renameSync(before, now);
  const words = [join(now, 'svc-mcp-bench/harness/cli/svc-mcp-bench.mjs'), 'try', '--help'];
  const { code, stderr } = await runProcess(process.execPath, words, {
    env: { PATH, HOME: base, XDG_CACHE_HOME: join(base, 'cache') },
  });
  renameSync(now, before);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});

test('refuses what it cannot use with exit 2', { timeout: LONGEST_MS }, async () => {
  const { code, stderr } = await run('try', '--command', 'node server.mjs', '--openapi', 'none.json');
  expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('DOCUMENT_UNSERVED') });
});
