/**
 * `npm pack` and `npm run pack:bench`, installed together in an empty folder: what is in the first, that every command of both
 * runs there and is found as the printed steps name it, and that the second tries the first.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

/** The API of a stranger: things that can be listed, read and changed. */
const BOOK = {
  type: 'object',
  required: ['id', 'title', 'pages'],
  properties: {
    id: { type: 'integer', minimum: 1, maximum: 99_999 },
    title: { type: 'string', minLength: 4, maxLength: 40 },
    pages: { type: 'integer', minimum: 1, maximum: 900 },
  },
};
const answerOf = (schema: object) => ({ 200: { description: 'done', content: { 'application/json': { schema } } } });
const bookId = { name: 'bookId', in: 'path', required: true, schema: BOOK.properties.id };
const BOOKS = {
  openapi: '3.1.0',
  info: { title: 'Books', version: '1' },
  paths: {
    '/books': { get: { operationId: 'listBooks', responses: answerOf({ type: 'array', items: BOOK }) } },
    '/books/{bookId}': {
      parameters: [bookId],
      get: { operationId: 'getBook', responses: answerOf(BOOK) },
      patch: {
        operationId: 'updateBook',
        requestBody: {
          required: true,
          content: {
            'application/json': { schema: { type: 'object', properties: { pages: BOOK.properties.pages } } },
          },
        },
        responses: answerOf(BOOK),
      },
    },
  },
  components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  security: [{ bearer: [] }],
};

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
  const bench = execFileSync(process.execPath, [join(packageRoot, 'pack-bench.ts'), base], {
    encoding: 'utf8',
    env: { ...process.env, PATH },
  });
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
      bench.trim(),
    ],
    { encoding: 'utf8', env: { ...process.env, PATH } },
  );
  expect({ status: installed.status, stderr: installed.stderr.replace(/npm warn .*\n/g, '') }).toMatchObject({
    status: 0,
  });
  packed = manifestOf('svc-mcp-router');
}, LONGEST_MS);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const manifestOf = (name: string): typeof packed =>
  JSON.parse(readFileSync(join(elsewhere(), 'node_modules', name, 'package.json'), 'utf8'));
/** Without a network: npx takes what is installed here or fails. */
const environment = () => ({ PATH, HOME: elsewhere(), npm_config_offline: 'true' });
const command = (name: string) => join(elsewhere(), 'node_modules', '.bin', name);
const run = (name: string, ...words: string[]) =>
  spawnSync(command(name), words, { cwd: elsewhere(), encoding: 'utf8', env: environment(), maxBuffer: 64 << 20 });
/** As a person types it, in the folder of the installation. */
const typed = (line: string) => ['-c', `exec ${line}`];

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
  test.each(['svc-mcp-router', 'svc-mcp-bench'])('every command of %s says how it is used and its version', (owner) => {
    const { bin = {}, version } = manifestOf(owner);
    expect(Object.keys(bin).length).toBeGreaterThan(0);
    for (const name of Object.keys(bin)) {
      const { status, stdout, stderr } = run(name, '--help');
      expect({ name, status, stderr }).toEqual({ name, status: 0, stderr: '' });
      expect(stdout).toContain(`Usage: ${name}`);
      expect({ name, said: run(name, '--version').stdout }).toEqual({ name, said: `${version}\n` });
    }
  });

  test('set up, looked at, searched, validated, served', { timeout: LONGEST_MS }, async () => {
    const port = await freePort();
    const setup = run('svc-mcp-setup', '--yes', '--port', String(port));
    expect({ status: setup.status, stderr: setup.stderr }).toEqual({ status: 0, stderr: '' });
    expect(setup.stdout).toMatch(/\n0 fail, \d+ warn, \d+ ok\n/);
    const steps = new Map(
      [...setup.stdout.matchAll(/^ {2}(look again|start|verify) +(.*)$/gm)].map(([, step = '', line = '']) => [
        step,
        line,
      ]),
    );
    expect([...steps.keys()]).toEqual(['look again', 'start', 'verify']);
    const named = [...setup.stdout.matchAll(/\bsvc-mcp-[a-z-]+/g)].map(([name]) => name);
    expect(named.filter((name) => !existsSync(command(name)))).toEqual([]);
    const looked = spawnSync('sh', typed(`${steps.get('look again')} --json`), {
      cwd: elsewhere(),
      encoding: 'utf8',
      env: environment(),
    });
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
    await using child = startProcess('sh', typed(`${steps.get('start')} --json`), {
      cwd: elsewhere(),
      env: environment(),
      group: true,
    });
    const bearer = readFileSync(join(elsewhere(), 'secrets/mcp_http_bearer_token'), 'utf8').trim();
    const { url } = JSON.parse(await child.line()) as { url: string };
    expect((await fetch((steps.get('verify') ?? '').replace('curl ', ''))).status).toBe(200);
    const { texts } = await modernClient(url, bearer).call('find_tool', {
      query: 'list sites',
    });
    expect(JSON.parse(texts[0] ?? '').length).toBeGreaterThan(0);
  });

  test('svc-mcp-bench tries the router, on a document that both are given', { timeout: LONGEST_MS }, () => {
    writeFileSync(join(elsewhere(), 'books.json'), JSON.stringify(BOOKS));
    const added = run(
      'svc-mcp-catalog',
      'add',
      'books.json',
      '--platform',
      'books',
      '--base-url',
      'http://127.0.0.1:9',
    );
    expect({ status: added.status, stderr: added.stderr }).toMatchObject({ status: 0 });
    const variables = ['SVC_BOOKS_BASE_URL={{api}}', 'SVC_BOOKS_API_TOKEN={{token}}', 'SVC_MCP_BOOKS_WRITES=1'];
    // The setup before has made a router over HTTP of this folder.
    const stdio = ['MCP_TRANSPORT=stdio', 'MCP_HTTP_BEARER_TOKEN_FILE='];
    const tried = run(
      'svc-mcp-bench',
      'try',
      ...['--command', 'npx svc-mcp-router', '--openapi', 'books.json', '--agent', 'oracle'],
      ...['--revision', '2025-11-25', '--malformed', '20', '--max-unapproved', '0', '--json'],
      ...[...variables, ...stdio].flatMap((variable) => ['--env', variable]),
    );
    expect({ status: tried.status, stderr: tried.stderr }).toMatchObject({ status: 0 });
    const { oracle } = JSON.parse(tried.stdout);
    expect(oracle.of).toBeGreaterThan(3);
    expect(oracle.solved).toBe(oracle.of);
  });
});
