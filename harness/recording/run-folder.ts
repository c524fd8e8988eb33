/** Where a campaign's output lives: written beside, then renamed, so that nobody reads half a run. */
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { replaceFolder, writeAtomically } from '../atomic-write.ts';
import { didYouMean, got, HarnessError } from '../harness-errors.ts';

export const RUNS_FOLDER = 'reports/runs';
export const RECORDINGS_FILE = 'recordings.jsonl';

/** The plan of the campaign. It exists only until the campaign is complete. */
export const PLAN_FILE = 'plan.json';
/** Beside the journal of a run: the id of the process that writes it. */
export const WRITER_FILE = 'writer.pid';

export const partialOf = (folder: string): string => `${folder}.partial`;

/** Throws FOLDER_OCCUPIED where the folder holds more than an earlier run. */
export async function writeRunFolder(folder: string, files: Record<string, string>): Promise<void> {
  await assertReplaceable(folder, Object.keys(files));
  const partial = partialOf(folder);
  await mkdir(partial, { recursive: true });
  for (const [name, text] of Object.entries(files)) await writeAtomically(join(partial, name), text);
  for (const name of [PLAN_FILE, WRITER_FILE]) await rm(join(partial, name), { force: true });
  await replaceFolder(partial, folder);
}

/** A run takes the place of an earlier one, and of nothing else. Throws FOLDER_OCCUPIED; `files` are the names that a run has. */
export async function assertReplaceable(folder: string, files: readonly string[]): Promise<void> {
  const refuse = (what: string) =>
    new HarnessError('FOLDER_OCCUPIED', `${folder} should be a new or empty folder or an earlier run, got ${what}`);
  const entries = await readdir(folder).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT') return [] as string[];
    throw cause.code === 'ENOTDIR' ? refuse('a file') : cause;
  });
  const foreign = entries.find((name) => !files.includes(name));
  if (foreign !== undefined) throw refuse(`one that holds ${got(foreign)}`);
  if (entries.length > 0 && !entries.includes(RECORDINGS_FILE)) throw refuse(`one without ${RECORDINGS_FILE}`);
}

/** The folder of a run that begins now, below `reports/runs`. It is taken at once, so two runs of one second have two folders. */
export async function newRunFolder(root: string, began: Date): Promise<string> {
  await mkdir(join(root, RUNS_FOLDER), { recursive: true });
  for (let second = began.getTime(); ; second += 1_000) {
    const folder = join(root, RUNS_FOLDER, stampOf(new Date(second)));
    if (await isFolder(folder)) continue;
    const isTaken = await mkdir(partialOf(folder)).then(
      () => false,
      (cause: NodeJS.ErrnoException) => {
        if (cause.code === 'EEXIST') return true;
        throw cause;
      },
    );
    if (!isTaken) return folder;
  }
}

/** Sortable and free of characters a shell or a file system minds. */
const stampOf = (date: Date): string => date.toISOString().slice(0, 19).replaceAll(':', '').replace('T', '-');

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
