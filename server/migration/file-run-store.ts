/**
 * Runs on disk: one JSON file each, mode 0600. A change is written beside, forced to the disk and moved into place, so a file
 * is always whole. One lock file per run keeps a second writer out, also one on another machine that shares the folder.
 */
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { isRunId, type Run } from './migration-run.ts';
import {
  busy,
  type HeldRun,
  type HoldTimes,
  type ListedRun,
  listed,
  lost,
  mustBeRunId,
  type RunStore,
  textOf,
  wholeRun,
} from './run-store.ts';

const SUFFIX = '.json';
/** Holds of this process: after a restart another one may have its number, in a container always. */
const OWN = new Set<string>();

/** Clocks of machines that share a folder differ by less. */
const FILE_TIMES: HoldTimes = { heldMs: 30_000, reportMs: 5_000 };

interface Holder {
  host: string;
  pid: number;
  /** Tells one hold from the next. */
  token: string;
}

export class FileRunStore implements RunStore {
  readonly #folder: string;
  readonly #times: HoldTimes;

  constructor(folder: string, times = FILE_TIMES) {
    this.#folder = folder;
    this.#times = times;
  }

  async read(id: string): Promise<Run | undefined> {
    const path = this.#pathOf(id);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unavailable(id, cause);
    }
    return wholeRun(text, id);
  }

  async list(): Promise<ListedRun[]> {
    return filesIn(this.#folder)
      .filter((file) => file.endsWith(SUFFIX) && isRunId(file.slice(0, -SUFFIX.length)))
      .sort()
      .map((file) => {
        const run_id = file.slice(0, -SUFFIX.length);
        try {
          return listed(run_id, readFileSync(join(this.#folder, file), 'utf8'));
        } catch {
          return { run_id, problem: 'it cannot be read' };
        }
      });
  }

  async hold<T>(id: string, work: (held: HeldRun) => Promise<T>): Promise<T> {
    const lock = `${this.#pathOf(id)}.lock`;
    const holder: Holder = { host: hostname(), pid: process.pid, token: randomBytes(9).toString('base64url') };
    this.#take(lock, holder, id);
    OWN.add(holder.token);
    const report = setInterval(() => this.#report(lock, holder), this.#times.reportMs).unref();
    const mustHold = () => {
      if (holderIn(lock)?.token !== holder.token) throw lost(id);
    };
    try {
      return await work({
        mustHold,
        write: async (run) => {
          mustHold();
          this.#write(run);
        },
      });
    } finally {
      clearInterval(report);
      OWN.delete(holder.token);
      if (holderIn(lock)?.token === holder.token) rmSync(lock, { force: true });
    }
  }

  #write(run: Run): void {
    const path = this.#pathOf(run.run_id);
    const text = textOf(run);
    const beside = `${path}.${process.pid}.tmp`;
    try {
      writeWhole(beside, text);
      renameSync(beside, path);
      syncFolder(this.#folder);
    } catch (cause) {
      removeIfThere(beside);
      throw unavailable(run.run_id, cause);
    }
  }

  #take(lock: string, holder: Holder, id: string): void {
    const own = `${lock}.${holder.token}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeWhole(own, JSON.stringify(holder));
      // A link appears with its content or not at all, so a lock always says whose it is.
      for (;;) {
        try {
          linkSync(own, lock);
          return;
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
          const found = holderIn(lock);
          if (this.#isHeld(lock, found)) throw busy(id);
          takeAway(lock, own, found);
        }
      }
    } catch (cause) {
      throw cause instanceof RouterError ? cause : unavailable(id, cause);
    } finally {
      removeIfThere(own);
    }
  }

  #report(lock: string, { token }: Holder): void {
    if (holderIn(lock)?.token !== token) return;
    try {
      utimesSync(lock, new Date(), new Date());
    } catch {
      // A holder that does not report loses the run after a while, and its next write fails.
    }
  }

  /** Somebody who reported of late, and of whom this machine does not know that it ended. */
  #isHeld(lock: string, holder: Holder | undefined): boolean {
    const reported = statSync(lock, { throwIfNoEntry: false })?.mtimeMs;
    if (reported === undefined || holder === undefined || Date.now() - reported > this.#times.heldMs) return false;
    if (holder.host !== hostname()) return true;
    return holder.pid === process.pid ? OWN.has(holder.token) : lives(holder.pid);
  }

  #pathOf(id: string): string {
    mustBeRunId(id);
    return join(this.#folder, `${id}${SUFFIX}`);
  }
}

/**
 * Two processes may find the same dead lock. The second may move the lock that the first has just created; then it
 * moves it back. A process that lost its lock in between fails at its next write.
 */
function takeAway(lock: string, own: string, dead: Holder | undefined): void {
  const aside = `${own}.aside`;
  try {
    renameSync(lock, aside);
    if (holderIn(aside)?.token !== dead?.token) linkSync(aside, lock);
  } catch (cause) {
    if (!['ENOENT', 'EEXIST'].includes(String((cause as NodeJS.ErrnoException).code))) throw cause;
  }
  removeIfThere(aside);
}

function holderIn(lock: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(lock, 'utf8')) as Holder;
  } catch {
    return undefined;
  }
}

function lives(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function writeWhole(path: string, text: string): void {
  // Left behind by a process of the same number that was killed; a link in its place is never followed.
  rmSync(path, { force: true });
  const file = openSync(path, 'wx', 0o600);
  try {
    const bytes = Buffer.from(text);
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } catch (cause) {
    unlinkSync(path);
    throw cause;
  } finally {
    closeSync(file);
  }
}

/** A failed removal must not hide the first error. */
function removeIfThere(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The first failure is the one that is told.
  }
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

const unavailable = (id: string, cause: unknown) =>
  new RouterError('MIGRATION_STORE_UNAVAILABLE', `run ${id} cannot be stored on disk`, { cause });
