import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutShortFolderOf, newRunFolder, RUNS_FOLDER, runFolderOf, writeRunFolder } from './run-folder.ts';

let root: string;
const [OLD, NEW] = ['2026-11-01-080000', '2026-11-02-093015'];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'runs-'));
  for (const name of [OLD, NEW, `${OLD}-b.partial`, 'notes'])
    await mkdir(join(root, RUNS_FOLDER, name), { recursive: true });
  await mkdir(join(root, 'elsewhere'));
});
afterAll(() => rm(root, { recursive: true }));

test.each([
  [undefined, `${RUNS_FOLDER}/${NEW}`],
  ['latest', `${RUNS_FOLDER}/${NEW}`],
  [OLD, `${RUNS_FOLDER}/${OLD}`],
  [`${RUNS_FOLDER}/${OLD}`, `${RUNS_FOLDER}/${OLD}`],
  ['elsewhere', 'elsewhere'],
])('%j is the folder %s', async (name, folder) => {
  expect(await runFolderOf(root, name)).toBe(join(root, folder));
});

test('an unknown name is refused with the nearest, and the newest is named', async () => {
  await expect(runFolderOf(root, '2026-11-02-093051')).rejects.toMatchObject({
    code: 'RECORDING_INVALID',
    exit: 2,
    message: expect.stringContaining(`did you mean ${JSON.stringify(NEW)}?`),
    remedy: `the newest run is ${NEW}`,
  });
  await expect(runFolderOf(root, '../elsewhere/x')).rejects.toMatchObject({ code: 'RECORDING_INVALID' });
  await expect(runFolderOf(join(root, 'elsewhere'), 'x')).rejects.toMatchObject({ remedy: 'npm start makes a run' });
});

test('a run that was cut short is found by its name too', async () => {
  expect(await cutShortFolderOf(root, `${OLD}-b`)).toBe(join(root, RUNS_FOLDER, `${OLD}-b`));
  expect(await cutShortFolderOf(root, 'other')).toBe(join(root, 'other'));
});

test('runs that begin in the same second have folders of their own', async () => {
  const folders = await Promise.all([1, 2, 3].map(() => newRunFolder(root, new Date('2026-11-02T09:30:15.500Z'))));
  expect(folders.map((folder) => basename(folder)).sort()).toEqual([
    '2026-11-02-093016',
    '2026-11-02-093017',
    '2026-11-02-093018',
  ]);
});

test('a run takes the place of an earlier run, and of nothing else', async () => {
  const folder = join(root, 'out');
  const files = { 'recordings.jsonl': 'runs', 'report.md': 'text' };
  await writeRunFolder(folder, files);
  await writeRunFolder(folder, { ...files, 'report.md': 'newer' });
  await writeFile(join(folder, 'thesis.txt'), 'precious');
  await expect(writeRunFolder(folder, files)).rejects.toMatchObject({
    code: 'FOLDER_OCCUPIED',
    exit: 2,
    message: `${folder} should be a new or empty folder or an earlier run, got one that holds "thesis.txt" (string)`,
  });
  expect((await readdir(folder)).sort()).toEqual(['recordings.jsonl', 'report.md', 'thesis.txt']);
  await mkdir(join(root, 'page'));
  await writeFile(join(root, 'page', 'report.md'), 'mine');
  await expect(writeRunFolder(join(root, 'page'), files)).rejects.toThrow('got one without recordings.jsonl');
  await expect(writeRunFolder(join(root, 'page', 'report.md'), files)).rejects.toThrow('got a file');
});
