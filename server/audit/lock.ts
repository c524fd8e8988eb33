/** One writer at a time, also among processes: a folder can be made only once. Held for one line, so waits are short. */
import { mkdirSync, rmdirSync, statSync } from 'node:fs';

const STALE_MS = 5_000;
const PATIENCE_MS = 2_000;
const nap = new Int32Array(new SharedArrayBuffer(4));

export function whileLocked<T>(folder: string, work: () => T): T {
  take(folder);
  try {
    return work();
  } finally {
    rmdirSync(folder);
  }
}

function take(folder: string): void {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      mkdirSync(folder, { mode: 0o700 });
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > until) throw cause;
      if (isStale(folder)) release(folder);
      else Atomics.wait(nap, 0, 0, 1);
    }
  }
}

/** Left behind by a process that was killed within a line. */
function isStale(folder: string): boolean {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found !== undefined && Date.now() - found.mtimeMs > STALE_MS;
}

function release(folder: string): void {
  try {
    rmdirSync(folder);
  } catch {
    // Another process was quicker.
  }
}
