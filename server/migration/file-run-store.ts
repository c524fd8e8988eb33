/**
 * Runs on disk: one JSON file each, mode 0600. A change is written beside, forced to the disk and moved into place, so a file
 * is always whole. One lock file per run keeps a second writer out, also one on another machine that shares the folder.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { type HeldLock, takeLock } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
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
/** Clocks of machines that share a folder differ by less. */
const FILE_TIMES: HoldTimes = { heldMs: 30_000, reportMs: 5_000 };

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
    const lock = this.#take(id);
    const report = setInterval(lock.report, this.#times.reportMs).unref();
    const mustHold = () => {
      if (!lock.isHeld()) throw lost(id);
    };
    try {
      return await work({
        mustHold,
        write: async (run) => {
          mustHold();
          this.#write(run, mustHold);
        },
      });
    } finally {
      clearInterval(report);
      lock.release();
    }
  }

  #write(run: Run, beforeReplacing: () => void): void {
    const text = textOf(run);
    try {
      writeAtomically(this.#pathOf(run.run_id), text, { beforeReplacing });
    } catch (cause) {
      throw cause instanceof RouterError ? cause : unavailable(run.run_id, cause);
    }
  }

  #take(id: string): HeldLock {
    const path = this.#pathOf(id);
    let lock: HeldLock | undefined;
    try {
      makeFolder(this.#folder);
      lock = takeLock(`${path}.lock`, { staleMs: this.#times.heldMs });
    } catch (cause) {
      throw unavailable(id, cause);
    }
    if (lock === undefined) throw busy(id);
    return lock;
  }

  #pathOf(id: string): string {
    mustBeRunId(id);
    return join(this.#folder, `${id}${SUFFIX}`);
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
