/** One writer at a time, also among processes: a file can be made only once. Held for one line, so waits are short. */
import { closeSync, openSync, readFileSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { hostname } from 'node:os';

const STALE_MS = 5_000;
/** Killed between making the file and writing its name into it, which follow each other at once. Less than the patience. */
const UNNAMED_STALE_MS = 1_000;
const PATIENCE_MS = 2_000;
const OWNER = `${process.pid} ${hostname()}`;
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
      const fd = openSync(file, 'wx', 0o600);
      try {
        writeSync(fd, OWNER);
      } catch (cause) {
        // On a full disk the file can be made and not written: a lock of nobody would hold up every line for seconds.
        unlinkSync(file);
        throw cause;
      } finally {
        closeSync(fd);
      }
      return;
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code !== 'EEXIST' || performance.now() > until) throw cause;
      if (isStale(file)) release(file);
      else Atomics.wait(nap, 0, 0, 1);
    }
  }
}

/** Left behind by a process that was killed within a line: at once where this machine knows that it ended, else after a while. */
function isStale(file: string): boolean {
  const found = statSync(file, { throwIfNoEntry: false });
  if (found === undefined) return false;
  const age = Date.now() - found.mtimeMs;
  return age > (found.size === 0 ? UNNAMED_STALE_MS : STALE_MS) || ownerEnded(file);
}

function ownerEnded(file: string): boolean {
  try {
    const [pid, host] = readFileSync(file, 'utf8').split(' ');
    if (host !== hostname()) return false;
    // Nobody waits for a line of its own process, so this number belonged to an earlier one.
    if (Number(pid) === process.pid) return true;
    process.kill(Number(pid), 0);
    return false;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'ESRCH';
  }
}

function release(file: string): void {
  try {
    unlinkSync(file);
  } catch {
    // Another process took it for stale.
  }
}
