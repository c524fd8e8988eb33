/** One writer at a time, also among processes: a file can be made only once. Held for one line, so waits are short. */
import { closeSync, openSync, statSync, unlinkSync } from 'node:fs';

const STALE_MS = 5_000;
const PATIENCE_MS = 2_000;
const nap = new Int32Array(new SharedArrayBuffer(4));

export function whileLocked<T>(file: string, work: () => T): T {
  take(file);
  try {
    return work();
  } finally {
    release(file);
  }
}

function take(file: string): void {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      closeSync(openSync(file, 'wx', 0o600));
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > until) throw cause;
      if (isStale(file)) release(file);
      else Atomics.wait(nap, 0, 0, 1);
    }
  }
}

/** Left behind by a process that was killed within a line. */
function isStale(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

function release(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process took it for stale.
  }
}
