/** Files and folders that are replaced as a whole or not at all: a reader never meets half of one, a kill loses only the draft. */
import { randomUUID } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** The draft lies beside the file, hidden and under a name of its own, and is on the disk before it takes the file's place. */
export async function writeAtomically(path: string, text: string): Promise<void> {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${randomUUID().slice(0, 8)}.draft`);
  try {
    await writeFile(draft, text, { flag: 'wx', flush: true });
    await rename(draft, path);
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** A finished folder takes the place of the one before it. */
export async function replaceFolder(finished: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await rename(finished, folder);
}
