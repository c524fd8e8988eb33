/**
 * Files that only their owner may access: mode 0600 in folders of mode 0700, whatever the umask is. They appear whole
 * or not at all, and never through a link.
 */
import { chmodSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { RouterError, systemCodeOf } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';

const FOLDER_MODE = 0o700;

/** Text of a file below the folder; undefined where there is none. A link in its place is refused. */
export function readPrivate(directory: string, path: string): string | undefined {
  refuseLinks(directory, path);
  try {
    return readFileSync(join(directory, path), 'utf8');
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return undefined;
    throw unusable(join(directory, path), 'read', error);
  }
}

/** Whether there is such a file, also one that only another user can read. */
export function isPrivateThere(directory: string, path: string): boolean {
  refuseLinks(directory, path);
  return lstatSync(join(directory, path), { throwIfNoEntry: false }) !== undefined;
}

/** A file that belongs to the user of the container once that was started, and is nobody else's to read. */
export function isForeign(directory: string, path: string): boolean {
  const found = lstatSync(join(directory, path), { throwIfNoEntry: false });
  const self = process.getuid?.() ?? 0;
  return found !== undefined && self !== 0 && found.uid !== self;
}

export function writePrivate(directory: string, path: string, text: string): void {
  refuseLinks(directory, path);
  const file = join(directory, path);
  try {
    makeFolders(directory, dirname(path));
    writeAtomically(file, text);
  } catch (error) {
    throw unusable(file, 'written', error);
  }
}

function unusable(path: string, how: 'read' | 'written', cause: unknown): RouterError {
  const code = systemCodeOf(cause) ?? 'unknown';
  const isFull = code === 'ENOSPC' || code === 'EDQUOT';
  return new RouterError('TARGET_REFUSED', `${path} cannot be ${how} (${code})`, {
    cause,
    remedy: `${isFull ? 'free space there' : 'give yourself the right to it'}, or name another folder by --directory`,
  });
}

/** Refuses a path that leaves the folder, is no plain file, or leads through a link. */
export function refuseLinks(directory: string, path: string): void {
  const parts = relative(directory, join(directory, path)).split(sep);
  if (parts[0] === '..') throw new TypeError(`${path} lies outside of the working folder`);
  parts.reduce((above, part, at) => {
    const here = join(above, part);
    const found = entryAt(here);
    const last = at === parts.length - 1;
    if (found !== undefined && (found.isSymbolicLink() || (last ? !found.isFile() : !found.isDirectory())))
      throw new RouterError(
        'TARGET_REFUSED',
        `${here} should be a plain ${last ? 'file' : 'folder'}, got ${found.isSymbolicLink() ? 'a link' : 'something else'}`,
      );
    return here;
  }, directory);
}

function entryAt(path: string) {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw unusable(path, 'read', error);
  }
}

function makeFolders(directory: string, path: string): void {
  if (path === '.') {
    makeFolder(directory, FOLDER_MODE);
    return;
  }
  makeFolders(directory, dirname(path));
  const folder = join(directory, path);
  if (lstatSync(folder, { throwIfNoEntry: false }) === undefined) {
    mkdirSync(folder, { mode: FOLDER_MODE });
    chmodSync(folder, FOLDER_MODE);
  }
}
