/** Where a campaign's output lives: written beside, then renamed, so that nobody reads half a run. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { replaceFolder, writeAtomically } from '../atomic-write.ts';
import { didYouMean, got, HarnessError } from '../harness-errors.ts';

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

/**
 * Where a stored run lies: a path, or the name of a folder below `reports/runs`, as `run` prints it. Nothing and `latest`
 * mean the newest there. Throws RECORDING_INVALID with the nearest name where there is none.
 */
export async function runFolderOf(root: string, name: string | undefined): Promise<string> {
  if (name === undefined || name === 'latest') return latestRunFolder(root);
  const [path, named] = [resolve(root, name), join(root, RUNS_FOLDER, name)];
  if (await isFolder(path)) return path;
  if (!/[/\\]/.test(name) && (await isFolder(named))) return named;
  const runs = await runNames(root);
  const message = `${got(name)} should be a folder, or a run of ${RUNS_FOLDER}, got none there${didYouMean(basename(name), runs)}`;
  throw new HarnessError('RECORDING_INVALID', message, {
    remedy: runs.length === 0 ? 'npm start makes a run' : `the newest run is ${runs.at(-1)}`,
  });
}

/** As `runFolderOf`, for a run that was cut short: its folder is there as `.partial` only. */
export async function cutShortFolderOf(root: string, name: string): Promise<string> {
  const named = join(root, RUNS_FOLDER, name);
  return !/[/\\]/.test(name) && (await isFolder(partialOf(named))) ? named : resolve(root, name);
}

const isFolder = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined))?.isDirectory() === true;

/** Oldest first. */
const runNames = async (root: string): Promise<string[]> =>
  (await readdir(join(root, RUNS_FOLDER)).catch(() => [] as string[]))
    .filter((name) => /^\d{4}-\d\d-\d\d-\d{6}$/.test(name))
    .sort();

export async function latestRunFolder(root: string): Promise<string> {
  const parent = join(root, RUNS_FOLDER);
  const latest = (await runNames(root)).at(-1);
  if (latest === undefined) {
    throw new HarnessError('RECORDING_INVALID', `${RUNS_FOLDER} should hold a run, got none`, { remedy: 'npm start' });
  }
  return join(parent, latest);
}
