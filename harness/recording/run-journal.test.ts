import { spawnSync } from 'node:child_process';
import { appendFile, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRecording } from '../test/sample-recording.ts';
import type { Plan } from './campaign-plan.ts';
import { RECORDINGS_FILE, WRITER_FILE, writeRunFolder } from './run-folder.ts';
import { openJournal, readJournal } from './run-journal.ts';

const folder = await mkdtemp(join(tmpdir(), 'journal-'));
afterAll(() => rm(folder, { recursive: true }));
const plan = { subject: 'router', seed: 1 } as Plan;

test('measurements survive a kill, except the line being written', async () => {
  const run = join(folder, 'killed');
  const journal = await openJournal(run, plan, [sampleRecording()]);
  journal.append(sampleRecording());
  await appendFile(join(`${run}.partial`, RECORDINGS_FILE), '{"version":2,"subj');
  expect(await readJournal(run)).toEqual({ plan, recordings: [sampleRecording(), sampleRecording()] });
});

test('a journal becomes the run folder and leaves nothing beside it', async () => {
  const run = join(folder, 'done');
  await openJournal(run, plan, [sampleRecording()]);
  await writeRunFolder(run, { [RECORDINGS_FILE]: 'all', 'report.md': 'text' });
  expect((await readdir(run)).sort()).toEqual([RECORDINGS_FILE, 'report.md']);
  expect((await readdir(folder)).filter((name) => name.startsWith('done'))).toEqual(['done']);
  await expect(readJournal(run)).rejects.toThrow(/done\.partial: should be a run that was cut short/);
});

test('one without a recording goes away', async () => {
  const run = join(folder, 'empty');
  expect(await (await openJournal(run, plan, [])).dropIfEmpty()).toBe(true);
  expect((await readdir(folder)).filter((name) => name.startsWith('empty'))).toEqual([]);
});

test('what is there outlives a failure to go on', async () => {
  const run = join(folder, 'again');
  await openJournal(run, plan, [sampleRecording(), sampleRecording()]);
  const { plan: known, recordings } = await readJournal(run);
  const torn = {
    ...sampleRecording(),
    toJSON: () => {
      throw new Error('no space left on device');
    },
  };
  await expect(openJournal(run, known, [...recordings, torn])).rejects.toThrow('no space left');
  expect((await readJournal(run)).recordings).toHaveLength(2);
});

test('that another process writes is refused, and taken over once that has ended', async () => {
  const run = join(folder, 'twice');
  await openJournal(run, plan, [sampleRecording()]);
  const writer = join(`${run}.partial`, WRITER_FILE);
  await writeFile(writer, `${process.ppid}\n`);
  for (const done of [[], [sampleRecording()]])
    await expect(openJournal(run, plan, done)).rejects.toMatchObject({ code: 'FOLDER_OCCUPIED' });
  expect((await readJournal(run)).recordings).toHaveLength(1);
  const { pid } = spawnSync('true');
  await writeFile(writer, `${pid}\n`);
  await openJournal(run, plan, [sampleRecording()]);
  expect((await readJournal(run)).recordings).toHaveLength(1);
});
