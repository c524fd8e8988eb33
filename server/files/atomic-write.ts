/**
 * A file is replaced as a whole or not at all: the content goes into a draft beside it, is forced to the disk, and takes its
 * place by a rename. After the call the folder is on the disk too, so a power cut does not bring the old file back.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, fsyncSync, linkSync, openSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { makeFolder } from './make-folder.ts';

export interface AtomicWriteOptions {
  /** Permission bits of the file, whatever the umask; 0600 by default. */
  mode?: number;
  /**
   * False for a cache whose reader survives a missing or damaged file: nothing is forced to the disk, and two syncs (5 to 15 ms
   * together) stay out of the caller's way.
   */
  durable?: boolean;
  /** Called when the draft is on the disk, which may take long. Where it throws, the file stays as it was. */
  beforeReplacing?: () => void;
}

/**
 * Throws what the file system says; the file is then as it was. A pipe or device, such as `/dev/stdout`, is written to:
 * a rename would put a file in its place.
 */
export function writeAtomically(path: string, content: string | Uint8Array, options: AtomicWriteOptions = {}): void {
  if (isStream(path)) writeAll(path, 'w', content);
  else replaceAtomically(path, (draft) => writeNew(draft, content), options);
}

/** The same where the content is written by something else, a database for example: `fill` makes the draft. */
export function replaceAtomically<T>(
  path: string,
  fill: (draft: string) => T,
  { mode = 0o600, durable = true, beforeReplacing }: AtomicWriteOptions = {},
): T {
  const draft = draftOf(path);
  try {
    const result = fill(draft);
    // The umask may have taken bits away, and must not decide.
    chmodSync(draft, mode);
    if (durable) syncPath(draft);
    beforeReplacing?.();
    renameSync(draft, path);
    if (durable) syncFolder(dirname(path));
    return result;
  } catch (cause) {
    removeDraft(draft);
    throw cause;
  }
}

/** Writes a private file, and the folders above it, unless there is one. It appears whole or not at all, whoever else is doing the same. */
export function writeOnce(path: string, content: string): void {
  if (statSync(path, { throwIfNoEntry: false })) return;
  makeFolder(dirname(path));
  const draft = draftOf(path);
  try {
    writeNew(draft, content);
    syncPath(draft);
    linkSync(draft, path);
    syncFolder(dirname(path));
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    removeDraft(draft);
  }
}

/** Two writers never share a draft, and no reader that lists files by their ending meets one. */
export const draftOf = (path: string): string =>
  join(dirname(path), `.${basename(path)}.${process.pid}-${randomUUID().slice(0, 8)}.draft`);

function isStream(path: string): boolean {
  const found = statSync(path, { throwIfNoEntry: false });
  return found !== undefined && !found.isFile() && !found.isDirectory();
}

/** `wx` never follows a link that lies in the place of the draft. */
const writeNew = (path: string, content: string | Uint8Array): void => writeAll(path, 'wx', content);

function writeAll(path: string, flags: 'w' | 'wx', content: string | Uint8Array): void {
  const file = openSync(path, flags, 0o600);
  try {
    const bytes = Buffer.from(content);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
  } finally {
    closeSync(file);
  }
}

function syncPath(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** A folder that cannot be opened for reading, or a system that cannot sync folders, still has the file in its place. */
function syncFolder(folder: string): void {
  try {
    syncPath(folder);
  } catch (cause) {
    if (!UNSYNCABLE.includes(String((cause as NodeJS.ErrnoException).code))) throw cause;
  }
}

const UNSYNCABLE = ['EACCES', 'EISDIR', 'EPERM', 'EINVAL', 'ENOTSUP'];

/** A draft that cannot be removed either must not hide why it was to be. */
function removeDraft(draft: string): void {
  try {
    rmSync(draft, { force: true });
  } catch {
    // The first failure is the one that is thrown.
  }
}
