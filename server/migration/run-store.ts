/**
 * Runs on disk: one JSON file each, mode 0600. A change is written beside, forced to the disk and moved into place, so a file
 * is always whole; one lock file per run keeps a second writer out.
 */
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
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { isRunId, RUN_LIMITS, type Run } from './run.ts';

export interface ListedRun {
  run_id: string;
  run?: Run;
  /** Why the file cannot be used. */
  problem?: string;
}

const SUFFIX = '.json';

export class RunStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The run; undefined when there is none. MIGRATION_RUN_DAMAGED when its file is not a run. */
  read(id: string): Run | undefined {
    const path = this.#pathOf(id);
    let text: string;
    try {
      text = readFileSync(path, 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw unavailable(id, cause);
    }
    const run = runIn(text, id);
    if (typeof run === 'string') throw damaged(id, run);
    return run;
  }

  /** On the disk when it returns; MIGRATION_STORE_UNAVAILABLE when it cannot be, and the file is then as it was. */
  write(run: Run): void {
    const path = this.#pathOf(run.run_id);
    const text = `${JSON.stringify(run)}\n`;
    if (Buffer.byteLength(text) > RUN_LIMITS.fileBytes)
      throw new RouterError(
        'MIGRATION_RUN_TOO_LARGE',
        `run ${run.run_id} takes more than ${RUN_LIMITS.fileBytes} bytes`,
      );
    const beside = `${path}.${process.pid}.tmp`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeWhole(beside, text);
      renameSync(beside, path);
      syncFolder(this.#folder);
    } catch (cause) {
      removeIfThere(beside);
      throw unavailable(run.run_id, cause);
    }
  }

  /** Malformed files are listed with what is wrong with them. */
  list(): ListedRun[] {
    return filesIn(this.#folder)
      .filter((file) => file.endsWith(SUFFIX) && isRunId(file.slice(0, -SUFFIX.length)))
      .sort()
      .map((file) => {
        const run_id = file.slice(0, -SUFFIX.length);
        try {
          const run = runIn(readFileSync(join(this.#folder, file), 'utf8'), run_id);
          return typeof run === 'string' ? { run_id, problem: run } : { run_id, run };
        } catch {
          return { run_id, problem: 'the file cannot be read' };
        }
      });
  }

  /** Runs `work` while nobody else changes the run; MIGRATION_RUN_BUSY when somebody does. */
  async locked<T>(id: string, work: () => Promise<T>): Promise<T> {
    const lock = `${this.#pathOf(id)}.lock`;
    this.#take(lock, id);
    try {
      return await work();
    } finally {
      rmSync(lock, { force: true });
    }
  }

  #take(lock: string, id: string): void {
    const own = `${lock}.${process.pid}`;
    try {
      mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
      writeWhole(own, String(process.pid));
      // A link appears with its content or not at all, so a lock always says whose it is.
      for (;;) {
        try {
          linkSync(own, lock);
          return;
        } catch (cause) {
          if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
          if (holderLives(lock))
            throw new RouterError('MIGRATION_RUN_BUSY', `run ${id} is being changed by another call`);
          rmSync(lock, { force: true });
        }
      }
    } catch (cause) {
      throw cause instanceof RouterError ? cause : unavailable(id, cause);
    } finally {
      removeIfThere(own);
    }
  }

  #pathOf(id: string): string {
    if (!isRunId(id))
      throw new RouterError('MIGRATION_RUN_ID', 'a run_id should be 1 to 64 letters, digits, ".", "_", "-"');
    return join(this.#folder, `${id}${SUFFIX}`);
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

/** What cannot be removed either must not hide why it was to be. */
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

/** Its own process counts: one router never gives a run to two calls. */
function holderLives(lock: string): boolean {
  try {
    if (!statSync(lock, { throwIfNoEntry: false })) return false;
    process.kill(Number(readFileSync(lock, 'utf8')), 0);
    return true;
  } catch (cause) {
    return (cause as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function runIn(text: string, id: string): Run | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'the file is not JSON';
  }
  const run = value as Partial<Run> | null;
  if (typeof run !== 'object' || run === null || run.schema_version !== 1) return 'the file is no run of version 1';
  if (run.run_id !== id) return 'the file holds a run of another name';
  const entries = run.candidates;
  const whole = Array.isArray(entries) && entries.every((entry) => typeof entry?.key === 'string' && entry.candidate);
  return whole && typeof run.target === 'object' ? (run as Run) : 'the file is not a whole run';
}

const unavailable = (id: string, cause: unknown) =>
  new RouterError('MIGRATION_STORE_UNAVAILABLE', `run ${id} cannot be kept on disk`, { cause });

const damaged = (id: string, why: string) =>
  new RouterError('MIGRATION_RUN_DAMAGED', `run ${id} cannot be used: ${why}`);
