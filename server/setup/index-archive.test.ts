/** An index that comes from elsewhere: what is refused, and that the index of before serves on. Cut swaps: killed-swap.slow.test.ts. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Header } from 'tar';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CATALOG_FILE } from '../catalog/tool-catalog.ts';
import {
  type Answer,
  type ArchiveHost,
  archiveHost,
  inService,
  MEMBERS,
  sha256,
} from '../test/support/archive-host.ts';
import { digestOfFile, POINTER_MEMBER, readArchive, writeArchive } from './archive.ts';

let host: ArchiveHost;
/** Where a router would look. */
let served: string;

beforeAll(async () => {
  host = await archiveHost();
});
afterAll(() => host?.close());
beforeEach(() => {
  served = host.serve('served');
  host.answer = (_, response) => response.end(host.archive);
});

const address = (path?: string) => host.address(path);
const manifest = (change?: object) => host.manifest(change);
const start = (words: readonly string[], trusted = true) =>
  host.start(served, words, trusted ? {} : { NODE_EXTRA_CA_CERTS: '' });

const download = (words: readonly string[], trusted = true) => start(words, trusted).ended;

test('the same members give the same bytes', async () => {
  const path = join(host.base, 'again.tgz');
  await writeArchive(join(host.base, 'packed'), MEMBERS, path);
  expect(readFileSync(path).equals(host.archive)).toBe(true);
});

const leftOver = () => readdirSync(served).filter((name) => name.startsWith('.d'));

describe('svc-mcp-index download', () => {
  test('puts what a pinned manifest names into service', async () => {
    expect(inService(served)).toBe(host.oldDigest);
    const { code, stderr, stdout } = await download(['--manifest', manifest(), '--json']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, sha256: sha256(host.archive) });
    expect(inService(served)).toBe(host.newDigest);
    expect(leftOver()).toEqual([]);
  });

  test('and what an address and a digest name, with a checksum that agrees', async () => {
    host.answer = (path, response) =>
      response.end(path.endsWith('.sha256') ? `${sha256(host.archive)}  index.tgz\n` : host.archive);
    const words = [
      '--url',
      address(),
      '--sha256',
      sha256(host.archive),
      '--checksum-url',
      address('/index.tgz.sha256'),
    ];
    expect(await download(words)).toMatchObject({ code: 0 });
    expect(inService(served)).toBe(host.newDigest);
  });

  const evil = () => gzipSync(Buffer.from('another archive'));
  const cases: Record<
    string,
    { words: () => string[]; code: number; says: RegExp; serve?: Answer; trusted?: boolean }
  > = {
    'no address': { words: () => [], code: 2, says: /one of --manifest and --url/ },
    'both kinds of address': {
      words: () => ['--manifest', manifest(), '--url', address()],
      code: 2,
      says: /one of --manifest and --url/,
    },
    'an address without a digest': { words: () => ['--url', address()], code: 2, says: /--sha256 should be/ },
    'plain HTTP': {
      words: () => ['--url', address().replace('https', 'http'), '--sha256', sha256(host.archive)],
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
        response.writeHead(200, { 'content-length': host.archive.length });
        response.write(host.archive.subarray(0, 1000));
        setImmediate(() => response.destroy());
      },
    },
  };

  test.each(Object.entries(cases))(
    '%s is refused, and the index of before serves on',
    async (_, { words, code, says, serve, trusted }) => {
      if (serve) host.answer = serve;
      const ended = await download(words(), trusted);
      expect(ended).toMatchObject({ code, stderr: expect.stringMatching(says) });
      expect(inService(served)).toBe(host.oldDigest);
      expect(leftOver()).toEqual([]);
    },
  );

  test('killed at any part of the download, the index of before serves on', async () => {
    for (const share of [0, 0.5, 1]) {
      const sent = new Promise<void>((resolve) => {
        host.answer = (_, response) => {
          response.writeHead(200, { 'content-length': host.archive.length + 1 });
          response.write(host.archive.subarray(0, Math.floor(host.archive.length * share)), () => resolve());
        };
      });
      const child = start(['--manifest', manifest()]);
      await sent;
      await child.stop('SIGKILL');
      expect(inService(served)).toBe(host.oldDigest);
    }
    host.answer = (_, response) => response.end(host.archive);
    expect(await download(['--manifest', manifest()])).toMatchObject({ code: 0 });
    expect(inService(served)).toBe(host.newDigest);
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
    const path = join(host.base, 'crafted.tgz');
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
    await expect(readArchive(packed(...members()), served, MEMBERS)).rejects.toThrow(message);
    expect(inService(served)).toBe(host.oldDigest);
    expect(leftOver()).toEqual([]);
    expect(existsSync(join(served, '..', 'evil'))).toBe(false);
  });

  test('a bomb, which is stopped by what comes out and not by what it says', async () => {
    const body = Buffer.alloc(8 * 1024 * 1024);
    const path = packed({ path: CATALOG_FILE, body });
    expect(readFileSync(path).length).toBeLessThan(20_000);
    await expect(readArchive(path, served, MEMBERS, { maxBytes: 1024 * 1024 })).rejects.toThrow(
      /unpacks to more than 1048576/,
    );
    expect(leftOver()).toEqual([]);
  });

  test('text that is no archive', async () => {
    const path = join(host.base, 'text');
    writeFileSync(path, 'not an archive');
    await expect(readArchive(path, served, MEMBERS)).rejects.toThrow(/cannot be read/);
    expect(leftOver()).toEqual([]);
  });

  test.each<[string, (pointer: Record<string, unknown>) => object]>([
    ['a catalog of another format', (pointer) => ({ ...pointer, format: 1 })],
    ['a digest that is a path', (pointer) => ({ ...pointer, digest: '../../elsewhere' })],
    ['a digest of another catalog', (pointer) => ({ ...pointer, digest: '0123456789abcdef' })],
    ['no scope', (pointer) => ({ ...pointer, scope: null })],
  ])('%s', async (_, change) => {
    const folder = join(host.base, 'changed');
    rmSync(folder, { recursive: true, force: true });
    mkdirSync(folder);
    cpSync(join(host.base, 'packed'), folder, { recursive: true });
    const pointer = JSON.parse(readFileSync(join(folder, POINTER_MEMBER), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(folder, POINTER_MEMBER), JSON.stringify(change(pointer)));
    const path = join(host.base, 'changed.tgz');
    await writeArchive(folder, MEMBERS, path);
    const bytes = readFileSync(path);
    host.answer = (__, response) => response.end(bytes);
    const ended = await download(['--manifest', manifest({ sha256: await digestOfFile(path) })]);
    expect(ended).toMatchObject({ code: 3, stderr: expect.stringContaining('CATALOG_INVALID') });
    expect(inService(served)).toBe(host.oldDigest);
    expect(leftOver()).toEqual([]);
  });
});
