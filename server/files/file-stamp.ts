import { statSync } from 'node:fs';

/** Of a path where no file is. */
export const NO_FILE = 'none';

/**
 * Changes whenever the file was written or replaced: times in nanoseconds, inode and size. For what is read again without a
 * restart. Throws what `stat` throws, but for a file that is missing.
 */
export function fileStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return found === undefined ? NO_FILE : `${found.mtimeNs}.${found.ctimeNs}.${found.ino}.${found.size}`;
}
