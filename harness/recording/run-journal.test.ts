import { appendFile, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { sampleRecording } from '../test/sample-recording.ts';
import type { Plan } from './campaign-plan.ts';
import { RECORDINGS_FILE, writeRunFolder } from './run-folder.ts';
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
