/** Against a registry on this machine, so that what comes can be made wrong. */
import { createHash } from 'node:crypto';
import { access, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { parseSubject } from './subject.ts';
import { installSubject } from './subject-install.ts';

const root = await mkdtemp(join(tmpdir(), 'install-'));
let server: Server;
let asked: string[] = [];

/** One file in the old tar format: name, mode, size, checksum, then its bytes in blocks of 512. */
function tarball(name: string, text: string): Buffer {
  const head = Buffer.alloc(512);
  head.write(name, 0);
  head.write('0000644\0', 100);
  head.write(`${text.length.toString(8).padStart(11, '0')}\0`, 124);
  head.write('00000000000\0', 136);
  head.write('        0', 148);
  const sum = head.reduce((total, byte) => total + byte, 0);
  head.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(text.length / 512) * 512);
  body.write(text);
  return gzipSync(Buffer.concat([head, body, Buffer.alloc(1024)]));
}

const manifest = {
  name: 'tiny-server',
  version: '1.2.3',
  scripts: { install: `node -e "require('fs').writeFileSync('${join(root, 'script-ran')}','')"` },
};
const packed = tarball('package/package.json', JSON.stringify(manifest));
const integrity = `sha512-${createHash('sha512').update(packed).digest('base64')}`;

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const { port } = server.address() as AddressInfo;
    if (request.url === '/tiny-server.tgz') return response.end(packed);
    if (request.url !== '/tiny-server') return response.writeHead(404).end('{}');
    const dist = { tarball: `http://127.0.0.1:${port}/tiny-server.tgz`, integrity };
    const versions = { '1.2.3': { ...manifest, hasInstallScript: true, dist } };
    response.setHeader('content-type', 'application/json');
    return response.end(JSON.stringify({ name: 'tiny-server', 'dist-tags': { latest: '1.2.3' }, versions }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await writeFile(join(root, '.npmrc'), `registry=http://127.0.0.1:${port}/\nfetch-retries=0\n`);
  vi.stubEnv('HOME', root);
});
afterAll(async () => {
  vi.unstubAllEnvs();
  server.close();
  await rm(root, { recursive: true, force: true });
});

const source = (changed: object = {}) => ({
  npm: 'tiny-server@1.2.3',
  integrity,
  repository: 'https://git.example/tiny-server',
  commit: 'b'.repeat(40),
  ...changed,
});
const folder = join(root, 'var/subjects/tiny');

describe('a subject from the registry', () => {
  test('with another digest than its file says is refused, and nothing of it stays', async () => {
    const other = `sha512-${'A'.repeat(86)}==`;
    await expect(installSubject({ name: 'tiny', source: source({ integrity: other }) }, root)).rejects.toThrow(
      `subject tiny: tiny-server@1.2.3 should have the integrity ${other}, got "${integrity}"`,
    );
    expect(await readdir(join(root, 'var/subjects'))).toEqual([]);
  });

  test('is installed once, outside the repository, and none of its scripts runs', async () => {
    expect(await installSubject({ name: 'tiny', source: source() }, root)).toBe(folder);
    await access(join(folder, 'node_modules/tiny-server/package.json'));
    await expect(access(join(root, 'script-ran'))).rejects.toThrow('ENOENT');
    asked = [];
    expect(await installSubject({ name: 'tiny', source: source() }, root)).toBe(folder);
    expect(asked).toEqual([]);
  });

  test('of a version that is not there is said to be unreachable', async () => {
    const install = installSubject({ name: 'tiny', source: source({ npm: 'tiny-server@9.9.9' }) }, root);
    await expect(install).rejects.toThrow(/subject tiny should install, got: .*9\.9\.9/s);
  });

  test('needs no installation when it is the working tree', async () => {
    expect(await installSubject({ name: 'own', source: { working_tree: 'server' } }, root)).toBeUndefined();
  });
});

test.each([
  ['a range instead of a version', { npm: 'tiny-server@^1.2.3' }],
  ['a short commit', { commit: 'abc1234' }],
  ['another digest than sha512', { integrity: 'sha1-abc' }],
])('a subject file with %s is refused', (_what, changed) => {
  const file = {
    name: 'tiny',
    about: 'x',
    source: source(changed),
    command: ['node'],
    transports: ['stdio'],
    env: {},
    transport_env: {},
    gate_env: { closed: {}, open: {} },
    confirmation: 'none',
    evidence: { operations: `src/a.ts:1@${'b'.repeat(40)}`, confirmation: `src/a.ts:1@${'b'.repeat(40)}` },
  };
  expect(() => parseSubject(JSON.stringify({ ...file, source: source() }), 'tiny')).not.toThrow();
  expect(() => parseSubject(JSON.stringify(file), 'tiny')).toThrow(/SUBJECT_INVALID|source/);
});
