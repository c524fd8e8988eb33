/**
 * The folder a subject runs in: filled beside its place and moved there when it is whole, so that one that was cut short is
 * never taken for one. A mark in it says what it was made from.
 */
import { createHash } from 'node:crypto';
import { access, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replaceFolder } from '../atomic-write.ts';

/** Folders that are being filled by this process: whoever wants the same one waits for it. */
const filling = new Map<string, Promise<void>>();

/** The folder, filled anew unless it was made from the same already; nothing stays of one that could not be filled. */
export async function fillFolder(
  folder: string,
  madeFrom: object,
  fill: (partial: string) => Promise<void>,
): Promise<string> {
  const before = filling.get(folder) ?? Promise.resolve();
  const turn = before.catch(() => {}).then(() => fillOnce(folder, markOf(madeFrom), fill));
  filling.set(folder, turn);
  await turn;
  return folder;
}

async function fillOnce(folder: string, mark: string, fill: (partial: string) => Promise<void>): Promise<void> {
  if (await exists(join(folder, mark))) return;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  try {
    await fill(partial);
    await writeFile(join(partial, mark), '');
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
  await replaceFolder(partial, folder);
}

const markOf = (madeFrom: object): string =>
  `.made-from-${createHash('sha256').update(JSON.stringify(madeFrom)).digest('hex').slice(0, 32)}`;

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
