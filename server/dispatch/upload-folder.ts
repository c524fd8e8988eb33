/**
 * Files of the folder that the operator names by SVC_MCP_UPLOAD_DIR. A caller names a file by its path below the folder;
 * nothing outside of it is ever opened, and a file is read as a whole before anything is shown or sent.
 */
import { createHash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readFileSync, realpathSync } from 'node:fs';
import { basename, isAbsolute, join, sep } from 'node:path';

export interface UploadFile {
  /** Path as the caller named it. */
  path: string;
  /** Last part of the path: the file name that the platform sees. */
  name: string;
  bytes: Buffer<ArrayBuffer>;
  sha256: string;
}

/** Longest file, in bytes. */
export const MOST_UPLOAD_BYTES = 16 * 1024 * 1024;
/** All files of one request together, in bytes. */
export const MOST_REQUEST_BYTES = 4 * MOST_UPLOAD_BYTES;

export type ReadUpload = UploadFile | { expected: string };

/** Reads one file. `folder` is undefined where the operator named none. */
export function readUpload(folder: string | undefined, path: string): ReadUpload {
  if (folder === undefined)
    return { expected: 'should be a file of the upload folder, but SVC_MCP_UPLOAD_DIR names none' };
  const below = { expected: 'should be a path below the upload folder, without `..`, links out of it, or a drive' };
  if (path === '' || isAbsolute(path) || /[\\\0:]/.test(path) || path.split('/').includes('..')) return below;
  try {
    const root = realpathSync(folder);
    const file = realpathSync(join(root, path));
    if (!file.startsWith(root.endsWith(sep) ? root : root + sep)) return below;
    return readWhole(file, path);
  } catch {
    return { expected: 'should be a file of the upload folder that the router can read' };
  }
}

/** The file that was checked is the one that is read: a link that takes its place meanwhile is not followed. */
function readWhole(file: string, path: string): ReadUpload {
  const opened = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const found = fstatSync(opened);
    if (!found.isFile()) return { expected: 'should be a plain file' };
    if (found.size > MOST_UPLOAD_BYTES) return { expected: `should have at most ${MOST_UPLOAD_BYTES} bytes` };
    const bytes = readFileSync(opened);
    if (bytes.byteLength > MOST_UPLOAD_BYTES) return { expected: `should have at most ${MOST_UPLOAD_BYTES} bytes` };
    return { path, name: basename(path), bytes, sha256: createHash('sha256').update(bytes).digest('hex') };
  } finally {
    closeSync(opened);
  }
}
