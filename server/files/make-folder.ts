import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes a folder with the folders above it, mode 0700; one that exists stays as it is. Throws what the system says. The recursive
 * `mkdir` of Node never returns where a parent exists and yet takes no folder, as `/proc` does (seen in Node 24).
 */
export function makeFolder(path: string, mode = 0o700): void {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === 'EEXIST' && statSync(path).isDirectory()) return;
    const parent = dirname(path);
    if (code !== 'ENOENT' || parent === path) throw cause;
    makeFolder(parent, mode);
    makeInParent(path, mode);
  }
}

/** Another process may have made it meanwhile. */
function makeInParent(path: string, mode: number): void {
  try {
    mkdirSync(path, { mode });
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || !statSync(path).isDirectory()) throw cause;
  }
}
