/**
 * Compiled code kept from one start to the next: it halves the time until the first answer. Plain JavaScript, as the
 * entries that call it are, so that Node loads its type stripper only when a module is not in the cache.
 */
import { chmodSync, mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Beside the packages, as `npm` scripts do it; where that is not ours to write, in the user's own cache. */
export function keepCompiledCode() {
  const beside = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile');
  const { constants, enableCompileCache } = nodeModule;
  const isKept = isPrivate(beside) && enableCompileCache(beside).status !== constants.compileCacheStatus.FAILED;
  const own = isKept ? undefined : ownFolder();
  if (own !== undefined) enableCompileCache(own);
}

/**
 * Makes the folder, and gives it mode 0700 whatever the umask is. That of an image stays as it is: its file system is
 * read-only, and nobody but its owner writes there.
 */
function isPrivate(folder) {
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    if ((statSync(folder).mode & 0o077) !== 0) chmodSync(folder, 0o700);
    return true;
  } catch {
    return isWritableByOwnerAlone(folder);
  }
}

function isWritableByOwnerAlone(folder) {
  try {
    return (statSync(folder).mode & 0o022) === 0;
  } catch {
    return false;
  }
}

/**
 * Node runs code from this folder. So it has mode 0700 whatever the umask is, as another user with write access could
 * run code as us. Undefined where it cannot be made, as for a user without a home: then nothing is kept.
 */
function ownFolder() {
  try {
    const folder = join(homedir(), '.cache', 'svc-mcp', 'compile');
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    return folder;
  } catch {
    return undefined;
  }
}
