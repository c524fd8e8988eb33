/** Where a campaign's output lives: written beside, then renamed, so that nobody reads half a run. */
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFolder, writeAtomically } from '../atomic-write.ts';
import { HarnessError } from '../harness-errors.ts';

export const RUNS_FOLDER = 'reports/runs';
export const RECORDINGS_FILE = 'recordings.jsonl';

/** The plan of the campaign. It exists only until the campaign is complete. */
export const PLAN_FILE = 'plan.json';

export const partialOf = (folder: string): string => `${folder}.partial`;

export async function writeRunFolder(folder: string, files: Record<string, string>): Promise<void> {
  const partial = partialOf(folder);
  await mkdir(partial, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeAtomically(join(partial, name), text);
  await rm(join(partial, PLAN_FILE), { force: true });
  await replaceFolder(partial, folder);
}

/** Sortable and free of characters a shell or a file system minds. */
export const stampOf = (date: Date): string => date.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');

export async function latestRunFolder(root: string): Promise<string> {
  const parent = join(root, RUNS_FOLDER);
  const names = await readdir(parent).catch(() => [] as string[]);
  const latest = names
    .filter((name) => /^\d{4}-\d\d-\d\d-\d{6}$/.test(name))
    .sort()
    .at(-1);
  if (latest === undefined) {
    throw new HarnessError('RECORDING_INVALID', `${RUNS_FOLDER} should hold a run, got none`, { remedy: 'npm start' });
  }
  return join(parent, latest);
}
