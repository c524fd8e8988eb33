/** Approvals on disk: one file each, mode 0600, replaced as a whole under a lock that replicas on a shared volume share. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { LockLostError, whileLocked } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { isApprovalId } from './approval.ts';
import type { ApprovalStore } from './approval-store.ts';

const SUFFIX = '.approval';

export class FileApprovalStore implements ApprovalStore {
  readonly #folder: string;
  readonly #now: () => number;

  constructor(folder: string, now: () => number = Date.now) {
    this.#folder = folder;
    this.#now = now;
  }

  async create(id: string, text: string, keptUntil: number): Promise<boolean> {
    return this.#locked((mustHold) => {
      if (this.#textOf(id) !== undefined) return false;
      this.#write(id, text, keptUntil, mustHold);
      return true;
    });
  }

  async read(id: string): Promise<string | undefined> {
    return this.#textOf(id);
  }

  async replace(id: string, before: string, after: string, keptUntil: number): Promise<boolean> {
    return this.#locked((mustHold) => {
      if (this.#textOf(id) !== before) return false;
      this.#write(id, after, keptUntil, mustHold);
      return true;
    });
  }

  async ids(): Promise<string[]> {
    return this.#names();
  }

  async prune(): Promise<void> {
    for (const id of this.#names()) {
      const { keptUntil } = this.#lineOf(id) ?? { keptUntil: Number.POSITIVE_INFINITY };
      if (keptUntil < this.#now()) rmSync(this.#pathOf(id), { force: true });
    }
  }

  #names(): string[] {
    let names: string[];
    try {
      names = readdirSync(this.#folder);
    } catch (cause) {
      if (isAbsent(cause)) return [];
      throw unavailable(this.#folder, cause);
    }
    return names
      .filter((name) => name.endsWith(SUFFIX))
      .map((name) => name.slice(0, -SUFFIX.length))
      .filter(isApprovalId);
  }

  #textOf(id: string): string | undefined {
    const line = this.#lineOf(id);
    return line === undefined || line.keptUntil < this.#now() ? undefined : line.text;
  }

  /** The file holds the time until which it is kept, a line end, and the text. */
  #lineOf(id: string): { keptUntil: number; text: string } | undefined {
    const path = this.#pathOf(id);
    try {
      const content = readFileSync(path, 'utf8');
      const end = content.indexOf('\n');
      return { keptUntil: Number(content.slice(0, end)), text: content.slice(end + 1) };
    } catch (cause) {
      if (isAbsent(cause)) return undefined;
      throw unavailable(this.#folder, cause);
    }
  }

  #write(id: string, text: string, keptUntil: number, beforeReplacing: () => void): void {
    writeAtomically(this.#pathOf(id), `${Math.ceil(keptUntil)}\n${text}`, { beforeReplacing });
  }

  /** False where another process took over meanwhile: then nothing was changed. */
  #locked(work: (mustHold: () => void) => boolean): boolean {
    try {
      makeFolder(this.#folder);
      return whileLocked(join(this.#folder, 'lock'), work);
    } catch (cause) {
      if (cause instanceof LockLostError) return false;
      throw cause instanceof RouterError ? cause : unavailable(this.#folder, cause);
    }
  }

  #pathOf(id: string): string {
    if (!isApprovalId(id)) throw new TypeError('an id of an approval is 43 characters of base64url');
    return join(this.#folder, `${id}${SUFFIX}`);
  }
}

const isAbsent = (cause: unknown): boolean => (cause as NodeJS.ErrnoException).code === 'ENOENT';

const unavailable = (folder: string, cause: unknown) =>
  new RouterError('STATE_UNAVAILABLE', `approvals cannot be kept in ${folder}, so nothing was sent`, { cause });
