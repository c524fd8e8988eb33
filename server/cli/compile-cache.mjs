/**
 * Compiled code kept from one start to the next: it halves the time until the first answer. Plain JavaScript, as the
 * entries that call it are, so that Node loads its type stripper only when a module is not in the cache.
 */
import { constants, enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Beside the packages, as `npm` scripts do it; where that is not ours to write, in the user's own cache. */
export function keepCompiledCode() {
  const beside = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile');
  const { status } = enableCompileCache(beside);
  if (status === constants.compileCacheStatus.FAILED)
    enableCompileCache(join(homedir(), '.cache', 'svc-mcp', 'compile'));
}
