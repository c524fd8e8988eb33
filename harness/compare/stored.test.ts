/** A published comparison is made again from its rows alone, and rows that were touched are noticed. */
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, describe, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { publishedFolder } from '../reporting/publication.ts';
import type { Measured } from './server-comparison.ts';
import { newestRelease, readComparison, storeComparison } from './stored.ts';

const repository = join(import.meta.dirname, '..', '..');
const root = await mkdtemp(join(tmpdir(), 'stored-comparison-'));
afterAll(() => rm(root, { recursive: true, force: true }));
const release = (await newestRelease(repository))!;
const rows = join(publishedFolder(root, release), 'comparison.rows.gz');
const FILES = ['comparison.html', 'comparison.json', 'comparison.md'];

async function remake(...argv: string[]): Promise<{ exit: number; said: string }> {
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  const exit = await main(['compare', '--from', release, ...argv], { root, stdout: stream, stderr: stream });
  return { exit, said };
}

async function copied(): Promise<Buffer> {
  const folder = publishedFolder(repository, release);
  await mkdir(publishedFolder(root, release), { recursive: true });
  for (const name of (await readdir(folder)).filter((file) => file.startsWith('comparison.')))
    await cp(join(folder, name), join(publishedFolder(root, release), name));
  return readFile(rows);
}

test('the comparison in reports is made again from its rows, byte for byte', async () => {
  await copied();
  expect(await remake('--out', 'made')).toEqual({ exit: 0, said: 'wrote made/comparison.md\n' });
  for (const name of FILES) {
    const [made, kept] = await Promise.all(
      [join(root, 'made'), join(repository, 'reports')].map((at) => readFile(join(at, name), 'utf8')),
    );
    expect(made === kept, `${name}: npm run compare -- --from ${release}`).toBe(true);
  }
});

test('the page begins with the plots; tables, and what was not run, come after them', async () => {
  const page = await readFile(join(repository, 'reports', 'comparison.html'), 'utf8');
  const at = ['<div class="plots">', '<table', 'id="not-here"'].map((part) => page.indexOf(part));
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(at[0]).toBeGreaterThan(0);
});

test('the text begins with the tables of the servers; what was not run and what it was made from come after them', async () => {
  const text = await readFile(join(repository, 'reports', 'comparison.md'), 'utf8');
  const at = ['## Given ', '## Not run here', '## How hard', '## Servers', '## How this was made'].map((part) =>
    text.indexOf(part),
  );
  expect(at).toEqual([...at].sort((a, b) => a - b));
  expect(at[0]).toBeGreaterThan(0);
});

describe('the rows', () => {
  test('are the same bytes again, in whatever order they were measured', async () => {
    const packed = await copied();
    const { measured } = (await readComparison(root, release))!;
    const turned = { ...measured, rows: [...measured.rows].reverse(), cells: [...measured.cells].reverse() };
    await storeComparison(root, release, turned);
    expect((await readFile(rows)).equals(packed)).toBe(true);
  });

  test.each<[string, (packed: Buffer) => Buffer, RegExp]>([
    ['cut off', (packed) => packed.subarray(0, 1_000), /RECORDING_INVALID: .* should have a whole archive, got/],
    [
      'changed in one figure',
      (packed) => retold(packed, (text) => text.replace('"success":0', '"success":1')),
      /the digest/,
    ],
    [
      'short of a line',
      (packed) => retold(packed, (text) => text.slice(0, text.lastIndexOf('\n', text.length - 2) + 1)),
      /the digest/,
    ],
  ])('that are %s are noticed', async (_how, damage, message) => {
    const packed = await copied();
    await writeFile(rows, damage(packed));
    const { exit, said } = await remake('--out', 'damaged');
    expect(said).toMatch(message);
    expect(exit).toBe(2);
    await expect(readdir(join(root, 'damaged'))).rejects.toThrow('ENOENT');
  });

  test('of a commit with changes, and of a comparison with a hole, are not stored', async () => {
    await copied();
    const { measured } = (await readComparison(root, release))!;
    const store = (part: Partial<Measured>) => storeComparison(root, '9.9.9', { ...measured, ...part });
    await expect(store({ commit: `${measured.commit}+changes` })).rejects.toThrow('a commit without changes');
    await expect(store({ cells: measured.cells.slice(1) })).rejects.toThrow(/should be whole, got none of \S+ at one/);
    expect(await newestRelease(root)).toBe(release);
  });
});

const retold = (packed: Buffer, change: (text: string) => string): Buffer =>
  gzipSync(change(gunzipSync(packed).toString('utf8')));

test('a version without a comparison prints how to make one', async () => {
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  expect(await main(['compare', '--from', '0.0.1'], { root, stdout: stream, stderr: stream })).toBe(2);
  expect(said).toMatch(
    /RECORDING_INVALID: .*0\.0\.1 should hold a comparison[\s\S]*npm run compare -- --record 0\.0\.1/,
  );
});
