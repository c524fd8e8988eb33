/**
 * The journal of a campaign, on disk after every run, so that a killed campaign continues where it stopped. It is
 * beside the run folder that it will become.
 */
import { appendFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { writeAtomically } from '../atomic-write.ts';
import { HarnessError } from '../harness-errors.ts';
import type { Plan } from './campaign-plan.ts';
import { parseRecording, type Recording } from './recording.ts';
import { PLAN_FILE, partialOf, RECORDINGS_FILE, WRITER_FILE } from './run-folder.ts';

export interface Journal {
  append: (recording: Recording) => void;
  /** Removes the folder when nothing was measured, and returns whether it did. */
  dropIfEmpty: () => Promise<boolean>;
}

/** Throws FOLDER_OCCUPIED while another process writes the same run: its runs would be lost, or there twice. */
export async function openJournal(folder: string, plan: Plan, done: readonly Recording[]): Promise<Journal> {
  const partial = partialOf(folder);
  await assertUnwritten(partial);
  // The recordings of a run that goes on stand there alone: they are replaced at once, and never removed before.
  if (done.length === 0) await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await writeFile(join(partial, WRITER_FILE), `${process.pid}\n`);
  await writeAtomically(join(partial, PLAN_FILE), `${JSON.stringify(plan, null, 2)}\n`);
  const file = join(partial, RECORDINGS_FILE);
  await writeAtomically(file, done.map(lineOf).join(''));
  let count = done.length;
  return {
    // One write per run and no waiting: a kill leaves at most the last line torn.
    append: (recording) => {
      appendFileSync(file, lineOf(recording));
      count++;
    },
    dropIfEmpty: async () => {
      if (count === 0) await rm(partial, { recursive: true, force: true });
      return count === 0;
    },
  };
}

async function assertUnwritten(partial: string): Promise<void> {
  const file = join(partial, WRITER_FILE);
  const writer = Number(await readFile(file, 'utf8').catch(() => ''));
  if (writer === 0 || writer === process.pid || !isRunning(writer)) return;
  throw new HarnessError(
    'FOLDER_OCCUPIED',
    `${partial} should be written by no other process, got process ${writer}, which is running`,
    { remedy: `wait until it has ended, or name another folder with --out; where it is no harness, remove ${file}` },
  );
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

export async function readJournal(folder: string): Promise<{ plan: Plan; recordings: Recording[] }> {
  const partial = partialOf(folder);
  const refuse = (cause: unknown) =>
    new HarnessError(
      'RECORDING_INVALID',
      `${partial}: should be a run that was cut short, got ${(cause as Error).message}`,
      {
        cause,
        remedy: 'name the run folder as the interrupted command printed it, without .partial',
      },
    );
  await readdir(partial).catch((cause: unknown) => Promise.reject(refuse(cause)));
  const plan = await readFile(join(partial, PLAN_FILE), 'utf8')
    .then((text) => JSON.parse(text) as Plan)
    .catch((cause: unknown) => Promise.reject(refuse(cause)));
  const file = join(partial, RECORDINGS_FILE);
  const whole = (await readFile(file, 'utf8')).split('\n').slice(0, -1); // what follows the last line break is torn
  return { plan, recordings: whole.map((line, i) => parseRecording(JSON.parse(line), `${file}:${i + 1}`)) };
}

export const lineOf = (recording: Recording): string => `${JSON.stringify(recording)}\n`;
