/** Logins of platforms on disk: one file per account, mode 0600, replaced in one move. */
import { createHash } from 'node:crypto';
import { lstatSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { writeAtomically } from '../files/atomic-write.ts';
import { type HeldLock, takeLock } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import { REQUEST_TIMEOUT_MS } from './auth/exchange.ts';
import type { Login } from './auth/login-strategy.ts';
import { MAX_ATTEMPTS } from './retry.ts';

/** A process that logs in says so this often; one that was silent for so long is not there any more. */
const REPORT_MS = 1_000;
const STALE_MS = 5_000;
/** Longer than all attempts of one login may take, with the pauses between them: who works on it reports, and who does not is found to be gone. */
const PATIENCE_MS = MAX_ATTEMPTS * (REQUEST_TIMEOUT_MS + 2_000);
const LOOK_MS = 20;

export class TokenCache {
  readonly #directory: string;
  readonly #onProblem: (error: unknown) => void;
  readonly #patienceMs: number;

  constructor(directory: string, onProblem: (error: unknown) => void, patienceMs = PATIENCE_MS) {
    this.#directory = directory;
    this.#onProblem = onProblem;
    this.#patienceMs = patienceMs;
  }

  /** The account is part of the name by fingerprint only, so two accounts never share a file. */
  fileFor(section: string, context: readonly string[]): string {
    const fingerprint = createHash('sha256').update(context.join('\0')).digest('hex').slice(0, 12);
    return join(this.#directory, `${section}-${fingerprint}.json`);
  }

  read(file: string): Login | undefined {
    try {
      if (!isPrivate(file)) return undefined;
      const value = JSON.parse(readFileSync(file, 'utf8')) as Partial<Login>;
      if (typeof value.token === 'string' && typeof value.expiresAt === 'number') return value as Login;
    } catch {
      // No file yet, or one that another version wrote: a new token replaces it.
    }
    return undefined;
  }

  /** False where the disk did not take it. That costs one token request at the next start, so it is reported and not fatal. */
  write(file: string, login: Login): boolean {
    try {
      makeFolder(this.#directory);
      // Written between the login and the first call, which would wait for the disk; a damaged login is read as none. A refresh
      // token that replaced another is the only one that is left.
      writeAtomically(file, JSON.stringify(login), { durable: login.refresh !== undefined });
      return true;
    } catch (error) {
      this.#onProblem(error);
      return false;
    }
  }

  forget(file: string): void {
    rmSync(file, { force: true });
  }

  /** Ends the use of a token that was refused, and keeps what renews it. One that a process is replacing now is left to that process. */
  expire(file: string, token: string): void {
    let lock: HeldLock | undefined;
    try {
      lock = takeLock(`${file}.lock`, { staleMs: STALE_MS });
    } catch {
      // The disk takes no file: the token stays there until somebody is refused with it.
    }
    if (lock === undefined) return;
    const stored = this.read(file);
    if (stored?.token === token) this.write(file, { ...stored, expiresAt: 0 });
    lock.release();
  }

  /** Works while no other process with this folder does so for the file. After a while it works all the same: calls wait for it. */
  async whileAlone<T>(file: string, work: () => Promise<T>): Promise<T> {
    const lock = await this.#lock(`${file}.lock`);
    if (lock === undefined) return work();
    const report = setInterval(lock.report, REPORT_MS).unref();
    try {
      return await work();
    } finally {
      clearInterval(report);
      lock.release();
    }
  }

  async #lock(file: string): Promise<HeldLock | undefined> {
    const until = performance.now() + this.#patienceMs;
    try {
      makeFolder(this.#directory);
      for (;;) {
        const lock = takeLock(file, { staleMs: STALE_MS });
        if (lock !== undefined || performance.now() >= until) return lock;
        await setTimeout(LOOK_MS);
      }
    } catch {
      // A folder that takes no lock takes no login either, which is reported then.
      return undefined;
    }
  }
}

/** A plain file that nobody but its owner can read or write: what others could have put there is not presented. */
function isPrivate(file: string): boolean {
  const found = lstatSync(file, { throwIfNoEntry: false });
  if (!found?.isFile() || (found.mode & 0o077) !== 0) return false;
  return process.getuid === undefined || found.uid === process.getuid();
}
