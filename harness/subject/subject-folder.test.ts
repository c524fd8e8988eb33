/** A folder is there whole or not at all. */
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { fillFolder } from './subject-folder.ts';

const home = await mkdtemp(join(tmpdir(), 'subject-folder-'));
afterAll(() => rm(home, { recursive: true, force: true }));

const writing = (text: string) => (partial: string) => writeFile(join(partial, 'what'), text);
const whatIn = (folder: string) => readFile(join(folder, 'what'), 'utf8');

test('it is filled once, and anew when it would be made from something else', async () => {
  const folder = join(home, 'deep', 'a');
  expect(await fillFolder(folder, { commit: '1' }, writing('one'))).toBe(folder);
  await fillFolder(folder, { commit: '1' }, writing('not again'));
  expect(await whatIn(folder)).toBe('one');
  await fillFolder(folder, { commit: '1', build: ['other'] }, writing('two'));
  expect(await whatIn(folder)).toBe('two');
});

test('two that want it at once get one', async () => {
  let fills = 0;
  const fill = async (partial: string) => {
    fills++;
    await writing(`${fills}`)(partial);
  };
  const folder = join(home, 'b');
  await Promise.all([1, 2, 3].map(() => fillFolder(folder, {}, fill)));
  expect(fills).toBe(1);
});

test('one that fails leaves what was there, nothing of its own, and a second try', async () => {
  const folder = join(home, 'c');
  await fillFolder(folder, { commit: '1' }, writing('one'));
  const failing = async (partial: string) => {
    await writing('half')(partial);
    throw new Error('no network');
  };
  await expect(fillFolder(folder, { commit: '2' }, failing)).rejects.toThrow('no network');
  expect(await whatIn(folder)).toBe('one');
  expect((await readdir(home)).filter((name) => name.startsWith('c'))).toEqual(['c']);
  await fillFolder(folder, { commit: '2' }, writing('two'));
  expect(await whatIn(folder)).toBe('two');
});

test('the remains of a killed run are removed', async () => {
  const folder = join(home, 'd');
  await fillFolder(`${folder}.partial`, {}, writing('half'));
  await fillFolder(folder, {}, async (partial) => {
    expect(existsSync(join(partial, 'what'))).toBe(false);
  });
});
