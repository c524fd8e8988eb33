/** `npm pack`, installed elsewhere: what is in it, and that every command of it runs. */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { modernClient } from '../support/modern-client.ts';
import { freePort } from '../support/programs.ts';
import { runProcess, startProcess } from '../support/running-process.ts';

const LONGEST_MS = 600_000;
const PATH = `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`;
let base: string;
let files: string[];
let tarball: string;
let packed: Record<string, Record<string, string>>;
const copy = () => join(base, 'copy');
const elsewhere = () => join(base, 'elsewhere');

/** In a copy, because packing rewrites the manifest for a while and other tests read it. */
beforeAll(() => {
  base = mkdtempSync(join(tmpdir(), 'packed-'));
  const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: packageRoot,
    encoding: 'utf8',
  });
  for (const name of tracked.trim().split('\n')) {
    if (name.startsWith('reports/') || name === 'node_modules') continue;
    mkdirSync(dirname(join(copy(), name)), { recursive: true });
    cpSync(join(packageRoot, name), join(copy(), name));
  }
  symlinkSync(join(packageRoot, 'node_modules'), join(copy(), 'node_modules'));
  const before = readFileSync(join(copy(), 'package.json'), 'utf8');
  const said = execFileSync('npm', ['pack', '--json', '--pack-destination', base], {
    cwd: copy(),
    encoding: 'utf8',
    env: { ...process.env, PATH },
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 << 20,
  });
  const [pack] = JSON.parse(said.slice(said.indexOf('[\n'))) as [{ filename: string; files: { path: string }[] }];
  tarball = pack.filename;
  files = pack.files.map(({ path }) => path).sort();
  expect(readFileSync(join(copy(), 'package.json'), 'utf8')).toBe(before);
  mkdirSync(elsewhere());
  const installed = spawnSync(
    'npm',
    [
      'install',
      '--prefix',
      elsewhere(),
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      '--prefer-offline',
      join(base, pack.filename),
    ],
    { encoding: 'utf8', env: { ...process.env, PATH } },
  );
  expect({ status: installed.status, stderr: installed.stderr.replace(/npm warn .*\n/g, '') }).toMatchObject({
    status: 0,
  });
  packed = JSON.parse(readFileSync(join(elsewhere(), 'node_modules/svc-mcp-router/package.json'), 'utf8'));
}, LONGEST_MS);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const environment = () => ({ PATH, HOME: elsewhere() });
const command = (name: string) => join(elsewhere(), 'node_modules', '.bin', name);
const run = (name: string, ...words: string[]) =>
  spawnSync(command(name), words, { cwd: elsewhere(), encoding: 'utf8', env: environment(), maxBuffer: 64 << 20 });

describe('the package', () => {
  test('holds every module of the server as JavaScript, its data, the documents, and nothing else', () => {
    const sources = readdirSync(join(packageRoot, 'server'), { recursive: true, encoding: 'utf8' }).filter(
      (name) => !/(^|\/)test(\/|$)|\.(test|bench)\.ts$/.test(name) && /\.(ts|mjs|yaml|json|lock|txt|bin)$/.test(name),
    );
    const documents = readdirSync(join(copy(), 'var/openapi'), { recursive: true, encoding: 'utf8' }).filter((name) =>
      /\/[^.][^/]*\.json$/.test(name),
    );
    expect(sources.length).toBeGreaterThan(150);
    expect(documents.length).toBeGreaterThan(50);
    const expected = [
      'LICENSE',
      'README.md',
      'package.json',
      'dist/package.json',
      ...sources.map((name) => `dist/server/${name.replace(/\.ts$/, '.js')}`),
      ...documents.map((name) => `dist/var/openapi/${name}`),
    ];
    expect(files).toEqual(expected.sort());
  });

  test('asks for what it runs on, and for no Node binary', () => {
    const { dependencies } = JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8'));
    expect(packed['dependencies']).toEqual(dependencies);
    expect(Object.keys(packed).filter((key) => ['devDependencies', 'scripts', 'imports'].includes(key))).toEqual([]);
    expect(Object.keys(packed['optionalDependencies'] ?? {}).filter((name) => name.startsWith('node-'))).toEqual([]);
    expect(readdirSync(join(elsewhere(), 'node_modules')).filter((name) => name.startsWith('node-linux'))).toEqual([]);
  });

  test('can be published as it is, which is tried against a registry that knows nothing', async () => {
    const asked: string[] = [];
    const registry = createServer((request, response) => {
      asked.push(request.method ?? '');
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(registry, 'listening');
    const address = `http://127.0.0.1:${(registry.address() as AddressInfo).port}`;
    const words = ['publish', join(base, tarball), '--dry-run', '--access', 'public', '--registry', address];
    // Settings of the npm that started the tests, such as `silent`, must not apply to this one.
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith('npm_'));
    const env = { ...Object.fromEntries(own), PATH };
    const { stdout, stderr } = await runProcess('npm', words, { env });
    registry.close();
    expect(stdout, stderr).toMatch(/^\+ svc-mcp-router@\d/m);
    expect(asked.filter((method) => method !== 'GET')).toEqual([]);
    expect(packed['private']).toBeUndefined();
  });

  test('has the commands of the specification and no root wrappers', () => {
    const bin = Object.keys(packed['bin'] ?? {});
    expect(bin).toEqual(
      expect.arrayContaining([
        'svc-mcp-router',
        'svc-mcp-doctor',
        'svc-mcp-setup',
        'svc-mcp-catalog',
        'svc-mcp-find',
        'svc-mcp-index',
        'svc-mcp-run-pipeline',
        'svc-mcp-approvals',
        'svc-mcp-principal',
        'svc-mcp-run-ssid',
      ]),
    );
    expect(files.filter((name) => /^(tool-router|doctor|run-)/.test(name))).toEqual([]);
  });
});

describe('installed elsewhere', () => {
  test('every command says how it is used', () => {
    for (const name of Object.keys(packed['bin'] ?? {})) {
      const { status, stdout, stderr } = run(name, '--help');
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
      expect(stdout).toContain(`Usage: ${name}`);
    }
  });

  test('set up, looked at, searched, validated, served', { timeout: LONGEST_MS }, async () => {
    const port = await freePort();
    const setup = run('svc-mcp-setup', '--yes', '--port', String(port));
    expect({ status: setup.status, stderr: setup.stderr }).toEqual({ status: 0, stderr: '' });
    expect(setup.stdout).toMatch(/\n0 fail, \d+ warn, \d+ ok\n/);
    expect(setup.stdout).toContain('start        svc-mcp-router');
    const looked = run('svc-mcp-doctor', '--json');
    expect(JSON.parse(looked.stdout)).toMatchObject({ ok: true, counts: { fail: 0 } });
    expect(looked.stdout).not.toContain('npm run');
    const valid = run('svc-mcp-catalog', 'validate', '--json');
    expect(JSON.parse(valid.stdout)).toMatchObject({
      ok: true,
      catalog: expect.stringContaining(join(elsewhere(), '.cache')),
    });
    expect(run('svc-mcp-find', 'list sites', '--json').status).toBe(0);
    const archive = join(elsewhere(), 'index.tgz');
    const exported = run(
      'svc-mcp-index',
      'package',
      '--out',
      archive,
      '--url',
      'https://files.test/index.tgz',
      '--json',
    );
    const { sha256 } = JSON.parse(exported.stdout) as { sha256: string };
    expect(createHash('sha256').update(readFileSync(archive)).digest('hex')).toBe(sha256);
    expect(JSON.parse(readFileSync(`${archive}.manifest.json`, 'utf8'))).toMatchObject({ schema_version: 1, sha256 });
    await using child = startProcess(command('svc-mcp-router'), ['--json'], { cwd: elsewhere(), env: environment() });
    const bearer = readFileSync(join(elsewhere(), 'secrets/mcp_http_bearer_token'), 'utf8').trim();
    const { texts } = await modernClient((JSON.parse(await child.line()) as { url: string }).url, bearer).call(
      'find_tool',
      {
        query: 'list sites',
      },
    );
    expect(JSON.parse(texts[0] ?? '').length).toBeGreaterThan(0);
  });
});
