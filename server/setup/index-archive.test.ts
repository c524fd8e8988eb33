/** An index that comes from elsewhere: what is refused, that the index of before serves on, and that the swap is whole or not at all. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG_FILE } from '../catalog/catalog.ts';
import { exportedPointer, openLatest } from '../catalog/store.ts';
import { packageRoot } from '../config/config.ts';
import { COMPANIONS, openCatalog } from '../open-catalog.ts';
import { type SampleEstate, sampleDocument, sampleEstate } from '../testing/sample-estate.ts';
import { digestOfFile, POINTER_MEMBER, readArchive, writeArchive } from './archive.ts';

const FILES = [CATALOG_FILE, ...COMPANIONS.map(({ file }) => file)];
const MEMBERS = [...FILES, POINTER_MEMBER];
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

let estate: SampleEstate;
let base: string;
let archive: Buffer;
let oldDigest: string;
let newDigest: string;
let server: Server;
let answer: (path: string, response: ServerResponse) => void;
/** Where a router would look. */
const served = () => join(base, 'served');

beforeAll(async () => {
  estate = sampleEstate();
  base = mkdtempSync(join(tmpdir(), 'svc-mcp-archive-'));
  const before = openCatalog(estate.config());
  oldDigest = before.catalog.digest;
  before.catalog.close();
  cpSync(join(estate.root, 'var/catalog'), join(base, 'before'), { recursive: true });
  estate.writeDocument('config-security.json', { ...sampleDocument, info: { ...sampleDocument.info, title: 'Newer' } });
  const { catalog } = openCatalog(estate.config());
  newDigest = catalog.digest;
  catalog.close();
  const folder = join(base, 'packed');
  cpSync(catalog.folder, folder, { recursive: true });
  writeFileSync(join(folder, POINTER_MEMBER), JSON.stringify(exportedPointer(join(estate.root, 'var/catalog'))));
  const path = join(base, 'index.tgz');
  await writeArchive(folder, MEMBERS, path);
  archive = readFileSync(path);
  await writeArchive(folder, MEMBERS, `${path}.again`);
  expect(readFileSync(`${path}.again`).equals(archive)).toBe(true);
  const key = join(base, 'key.pem');
  const cert = join(base, 'cert.pem');
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:prime256v1',
      '-nodes',
      '-days',
      '2',
      '-subj',
      '/CN=localhost',
      '-addext',
      'subjectAltName=DNS:localhost',
      '-keyout',
      key,
      '-out',
      cert,
    ],
    { stdio: 'ignore' },
  );
  server = createServer({ key: readFileSync(key), cert: readFileSync(cert) }, (request, response) =>
    answer(request.url ?? '', response),
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server?.closeAllConnections();
  server?.close();
  rmSync(base, { recursive: true, force: true });
  estate?.[Symbol.dispose]();
});
beforeEach(() => {
  rmSync(served(), { recursive: true, force: true });
  cpSync(join(base, 'before'), served(), { recursive: true });
  answer = (_, response) => response.end(archive);
});

const address = (path = '/index.tgz') => `https://localhost:${(server.address() as AddressInfo).port}${path}`;
const manifest = (change: object = {}) => {
  const path = join(base, 'manifest.json');
  writeFileSync(
    path,
    JSON.stringify({
      schema_version: 1,
      release: '1',
      archive: 'index.tgz',
      url: address(),
      sha256: sha256(archive),
      ...change,
    }),
  );
  return path;
};

function start(words: readonly string[], trusted = true) {
  return spawn(process.execPath, [join(packageRoot, 'server/cli/index.mjs'), 'download', ...words], {
    cwd: base,
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: base,
      SVC_MCP_CATALOG_DIR: served(),
      ...(trusted ? { NODE_EXTRA_CA_CERTS: join(base, 'cert.pem') } : {}),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

async function download(words: readonly string[], trusted = true) {
  const child = start(words, trusted);
  const said = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (chunk) => {
      said[stream] += chunk;
    });
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, ...said };
}

/** What a router would open now, and that nothing half-done lies beside it. */
function inService(): string | undefined {
  const catalog = openLatest(served(), COMPANIONS);
  catalog?.close();
  return catalog?.digest;
}
const leftOver = () => readdirSync(served()).filter((name) => name.startsWith('.d'));

describe('svc-mcp-index download', () => {
  test('puts what a pinned manifest names into service', async () => {
    expect(inService()).toBe(oldDigest);
    const { code, stderr, stdout } = await download(['--manifest', manifest(), '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, sha256: sha256(archive) });
    expect(inService()).toBe(newDigest);
    expect(leftOver()).toEqual([]);
  });

  test('and what an address and a digest name, with a checksum that agrees', async () => {
    answer = (path, response) => response.end(path.endsWith('.sha256') ? `${sha256(archive)}  index.tgz\n` : archive);
    const words = ['--url', address(), '--sha256', sha256(archive), '--checksum-url', address('/index.tgz.sha256')];
    expect(await download(words)).toMatchObject({ code: 0 });
    expect(inService()).toBe(newDigest);
  });

  const evil = () => gzipSync(Buffer.from('another archive'));
  const cases: Record<
    string,
    { words: () => string[]; code: number; says: RegExp; serve?: typeof answer; trusted?: boolean }
  > = {
    'no address': { words: () => [], code: 2, says: /one of --manifest and --url/ },
    'both kinds of address': {
      words: () => ['--manifest', manifest(), '--url', address()],
      code: 2,
      says: /one of --manifest and --url/,
    },
    'an address without a digest': { words: () => ['--url', address()], code: 2, says: /--sha256 should be/ },
    'plain HTTP': {
      words: () => ['--url', address().replace('https', 'http'), '--sha256', sha256(archive)],
      code: 2,
      says: /should be an https address/,
    },
    'plain HTTP in a manifest': {
      words: () => ['--manifest', manifest({ url: 'http://localhost/index.tgz' })],
      code: 2,
      says: /should be an https address/,
    },
    'a certificate nobody trusts': {
      words: () => ['--manifest', manifest()],
      code: 3,
      says: /DOWNLOAD_FAILED/,
      trusted: false,
    },
    'a redirect': {
      words: () => ['--manifest', manifest()],
      code: 3,
      says: /should answer 200, got 302/,
      serve: (_, response) => response.writeHead(302, { location: address('/else') }).end(),
    },
    'an archive with another digest': {
      words: () => ['--manifest', manifest()],
      code: 3,
      says: /should have the digest/,
      serve: (_, response) => response.end(evil()),
    },
    'an archive and its checksum, both swapped': {
      words: () => ['--manifest', manifest({ checksum_url: address('/index.tgz.sha256') })],
      code: 3,
      says: /should say|should have the digest/,
      serve: (path, response) => response.end(path.endsWith('.sha256') ? sha256(evil()) : evil()),
    },
    'an archive that ends early': {
      words: () => ['--manifest', manifest()],
      code: 3,
      says: /DOWNLOAD_FAILED/,
      serve: (_, response) => {
        response.writeHead(200, { 'content-length': archive.length });
        response.write(archive.subarray(0, 1000));
        setImmediate(() => response.destroy());
      },
    },
  };

  test.each(Object.entries(cases))(
    '%s is refused, and the index of before serves on',
    async (_, { words, code, says, serve, trusted }) => {
      if (serve) answer = serve;
      const ended = await download(words(), trusted);
      expect(ended).toMatchObject({ code, stderr: expect.stringMatching(says) });
      expect(inService()).toBe(oldDigest);
      expect(leftOver()).toEqual([]);
    },
  );

  test('killed at any part of the download, the index of before serves on', async () => {
    for (const share of [0, 0.5, 1]) {
      const sent = new Promise<void>((resolve) => {
        answer = (_, response) => {
          response.writeHead(200, { 'content-length': archive.length + 1 });
          response.write(archive.subarray(0, Math.floor(archive.length * share)), () => resolve());
        };
      });
      const child = start(['--manifest', manifest()]);
      await sent;
      child.kill('SIGKILL');
      await once(child, 'close');
      expect(inService()).toBe(oldDigest);
    }
    answer = (_, response) => response.end(archive);
    expect(await download(['--manifest', manifest()])).toMatchObject({ code: 0 });
    expect(inService()).toBe(newDigest);
  });
});

describe('an archive with the expected digest is still refused when it holds', () => {
  interface Member {
    path: string;
    type?: 'File' | 'SymbolicLink' | 'Link' | 'CharacterDevice' | 'BlockDevice' | 'FIFO' | 'Directory';
    linkpath?: string;
    body?: Buffer;
    size?: number;
  }
  const packed = (...members: Member[]) => {
    const blocks = members.flatMap(
      ({ path, type = 'File', linkpath = '', body = Buffer.alloc(0), size = body.length }) => {
        const header = Buffer.alloc(512);
        new Header({ path, type, linkpath, size, mode: 0o644, mtime: new Date(0) }).encode(header);
        return [header, body, Buffer.alloc((512 - (body.length % 512)) % 512)];
      },
    );
    const path = join(base, 'crafted.tgz');
    writeFileSync(path, gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)])));
    return path;
  };
  const whole = (): Member[] => MEMBERS.map((path) => ({ path, body: Buffer.from('x') }));

  test.each<[string, () => Member[], RegExp]>([
    ['a path that climbs', () => [{ path: '../evil', body: Buffer.from('x') }], /not one of an index/],
    [
      'a path that climbs from a known name',
      () => [{ path: `x/../../${CATALOG_FILE}`, body: Buffer.from('x') }],
      /not one of an index/,
    ],
    ['an absolute path', () => [{ path: '/tmp/evil', body: Buffer.from('x') }], /not one of an index/],
    [
      'a symbolic link by a known name',
      () => [{ path: CATALOG_FILE, type: 'SymbolicLink', linkpath: '/etc/passwd' }],
      /a SymbolicLink/,
    ],
    ['a hard link', () => [{ path: CATALOG_FILE, type: 'Link', linkpath: '/etc/passwd' }], /a Link/],
    ['a device', () => [{ path: CATALOG_FILE, type: 'CharacterDevice' }], /a CharacterDevice/],
    ['a block device', () => [{ path: CATALOG_FILE, type: 'BlockDevice' }], /a BlockDevice/],
    ['a pipe', () => [{ path: CATALOG_FILE, type: 'FIFO' }], /a FIFO/],
    ['a folder', () => [{ path: CATALOG_FILE, type: 'Directory' }], /a Directory/],
    [
      'a member that no index has',
      () => [...whole(), { path: 'run.sh', body: Buffer.from('x') }],
      /"run\.sh": not one of an index/,
    ],
    ['a member twice', () => [...whole(), { path: CATALOG_FILE, body: Buffer.from('y') }], /there twice/],
    ['too little', () => whole().slice(1), /lacks/],
    ['nothing', () => [], /lacks|cannot be read/],
  ])('%s', async (_, members, message) => {
    await expect(readArchive(packed(...members()), served(), MEMBERS)).rejects.toThrow(message);
    expect(inService()).toBe(oldDigest);
    expect(leftOver()).toEqual([]);
    expect(existsSync(join(served(), '..', 'evil'))).toBe(false);
  });

  test('a bomb, which is stopped by what comes out and not by what it says', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024);
    const path = packed({ path: CATALOG_FILE, body });
    expect(readFileSync(path).length).toBeLessThan(20_000);
    await expect(readArchive(path, served(), MEMBERS, { maxBytes: 1024 * 1024 })).rejects.toThrow(
      /unpacks to more than 1048576/,
    );
    expect(leftOver()).toEqual([]);
  });

  test('text that is no archive', async () => {
    const path = join(base, 'text');
    writeFileSync(path, 'not an archive');
    await expect(readArchive(path, served(), MEMBERS)).rejects.toThrow(/cannot be read/);
    expect(leftOver()).toEqual([]);
  });

  test.each<[string, (pointer: Record<string, unknown>) => object]>([
    ['a catalog of another format', (pointer) => ({ ...pointer, format: 1 })],
    ['a digest that is a path', (pointer) => ({ ...pointer, digest: '../../elsewhere' })],
    ['a digest of another catalog', (pointer) => ({ ...pointer, digest: '0123456789abcdef' })],
    ['no scope', (pointer) => ({ ...pointer, scope: null })],
  ])('%s', async (_, change) => {
    const folder = join(base, 'changed');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    cpSync(join(base, 'packed'), folder, { recursive: true });
    const pointer = JSON.parse(readFileSync(join(folder, POINTER_MEMBER), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(folder, POINTER_MEMBER), JSON.stringify(change(pointer)));
    const path = join(base, 'changed.tgz');
    await writeArchive(folder, MEMBERS, path);
    const bytes = readFileSync(path);
    answer = (__, response) => response.end(bytes);
    const ended = await download(['--manifest', manifest({ sha256: await digestOfFile(path) })]);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('CATALOG_INVALID') });
    expect(inService()).toBe(oldDigest);
    expect(leftOver()).toEqual([]);
  });
});
