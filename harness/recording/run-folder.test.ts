import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cutShortFolderOf, RUNS_FOLDER, runFolderOf } from './run-folder.ts';

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
