/**
 * The fake where `var/` is full or read-only. A copy of it gets a file system of its own there, which takes the right to
 * mount; without it nothing runs, and the reason is printed.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { killFakeProcesses, startFakeAt } from './fake-process.ts';

const LONGEST_MS = 120_000;
const root = join(import.meta.dirname, '..', '..');
const READY = ['--platforms', 'analytics', '--fixture', 'tiny', '--port', '0', '--control-port', '0', '--json'];
let copy: string;
const written = () => join(copy, 'var');
const mount = (...words: string[]) => spawnSync('mount', words, { encoding: 'utf8' });
const remounted = (options: string) => expect(mount('-o', `remount,${options}`, written()).status).toBe(0);
const start = () => startFakeAt(join(copy, 'fake-api/main.ts'), ...READY);
/** Below `var/`, without the compiled code that Node keeps: its drafts are its own, and it never reads them. */
const filesWritten = () =>
  readdirSync(written(), { recursive: true, withFileTypes: true })
    .filter((file) => file.isFile() && !file.parentPath.includes('compile-cache'))
    .map((file) => join(file.parentPath, file.name));

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'fake-disk-'));
  cpSync(join(root, 'fake-api'), join(copy, 'fake-api'), { recursive: true });
  cpSync(join(root, 'package.json'), join(copy, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'));
  mkdirSync(written());
});
afterEach(() => {
  killFakeProcesses();
  spawnSync('umount', ['-l', written()]);
});
afterAll(() => rmSync(copy, { recursive: true, force: true }));

test('a full and a read-only disk are said in one line with the remedy; nothing half written stays; a fake that has its documents serves', {
  timeout: LONGEST_MS,
}, async (context) => {
  const mounted = mount('-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', written());
  if (mounted.status !== 0) {
    const reason = `not run: no file system can be mounted here: ${mounted.stderr.trim()}`;
    process.stderr.write(`${reason}\n`);
    context.skip(reason);
  }
  const remedy =
    'Remedy: Free space on that disk, or give this user the right to write there, then run the same command again.';
  const refused = async (problem: string) => {
    const { code, stdout, stderr } = await start().ended;
    expect({ code, stdout, lines: stderr.trim().split('\n').length }).toEqual({ code: 3, stdout: '', lines: 1 });
    expect(stderr).toMatch(
      new RegExp(`^EXPAND_WRITE_FAILED: expected a writable folder ${written()}/openapi/\\w+, got ${problem}`),
    );
    expect(stderr).toContain(remedy);
    for (const file of filesWritten()) expect(() => JSON.parse(readFileSync(file, 'utf8')), file).not.toThrow();
    expect(filesWritten().filter((file) => file.endsWith('.tmp'))).toEqual([]);
  };
  remounted('ro');
  await refused('a folder that cannot be made: the disk is read-only');
  remounted('rw');
  await refused('ENOSPC: no space left on device');

  remounted('size=200m');
  const ready = start();
  expect(JSON.parse(await ready.firstLine)).toMatchObject({ ready: true });
  ready.child.kill('SIGTERM');
  await ready.ended;
  const whole = filesWritten().sort();
  expect(whole.filter((file) => file.includes('/openapi/')).length).toBeGreaterThan(50);

  rmSync(join(written(), 'parsed-yaml'), { recursive: true });
  fill(join(written(), 'filler'));
  const served = start();
  expect(JSON.parse(await served.firstLine), served.stderr()).toMatchObject({ ready: true });
  served.child.kill('SIGTERM');
  expect(await served.ended).toMatchObject({ code: 0, stderr: '' });
  expect(filesWritten().filter((file) => file.endsWith('.tmp'))).toEqual([]);
});

function fill(file: string): void {
  const block = Buffer.alloc(1 << 20);
  for (const bytes of [1 << 20, 4096]) {
    try {
      for (;;) writeFileSync(file, block.subarray(0, bytes), { flag: 'a' });
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('ENOSPC');
    }
  }
}
