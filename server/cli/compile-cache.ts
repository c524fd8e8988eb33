/** Compiled code kept from one start to the next: it halves the time until the first answer. */
import { constants, enableCompileCache } from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** Beside the packages, as `npm` scripts do it; where that is not ours to write, in the user's own cache. */
export function keepCompiledCode(): void {
  const beside = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'compile');
  const { status } = enableCompileCache(beside);
  if (status === constants.compileCacheStatus.FAILED)
    enableCompileCache(join(homedir(), '.cache', 'svc-mcp', 'compile'));
}
