/**
 * Single use: the apply of a plan token, and the approver's answer. A store remembers a consumed id until the id
 * expires anyway. Replicas must share one store. A token is bound to the store it was issued under: a replica with
 * another store refuses it instead of applying it a second time.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { open, readdir, stat, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { RouterError } from '../errors.ts';
import { writeOnce } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';
import { steadyNow } from '../storage/steady-clock.ts';

export interface SingleUse {
  /** Tells one store from another. */
  readonly id: string;
  /** True for the first caller only, over everybody who shares the store. `expiresAt` in ms since 1970. */
  consume: (id: string, expiresAt: number) => Promise<boolean>;
  /** For an early answer; only `consume` decides. */
  isConsumed: (id: string, expiresAt: number) => Promise<boolean>;
}

/** For one process: what it forgets at its end, nobody can present again, because its key ends with it. */
export class MemorySingleUse implements SingleUse {
  readonly id = randomBytes(9).toString('base64url');
  readonly #consumed = new Map<string, number>();
  readonly #now: () => number;

  constructor(now: () => number = steadyNow) {
    this.#now = now;
  }

  async consume(id: string, expiresAt: number): Promise<boolean> {
    for (const [used, until] of this.#consumed) if (until <= this.#now()) this.#consumed.delete(used);
    if (this.#consumed.has(id)) return false;
    this.#consumed.set(id, expiresAt);
    return true;
  }

  async isConsumed(id: string): Promise<boolean> {
    return this.#consumed.has(id);
  }
}

const PRUNE_EVERY_MS = 60_000;
/** Clocks of replicas differ: what expired is kept a while longer. */
const CLOCK_SKEW_MS = 3_600_000;
const ID = /^[A-Za-z0-9_-]{1,80}$/;

/** One empty file per thing that was used. Making a file that must not exist is atomic, also on a shared volume. */
export class FileSingleUse implements SingleUse {
  readonly id: string;
  readonly #folder: string;
  readonly #now: () => number;
  #prunedAt = 0;

  constructor(folder: string, now: () => number = steadyNow) {
    this.#folder = folder;
    this.#now = now;
    makeFolder(folder);
    const name = join(folder, 'store-id');
    writeOnce(name, randomBytes(9).toString('base64url'));
    this.id = readFileSync(name, 'utf8');
  }

  async consume(id: string, expiresAt: number): Promise<boolean> {
    const name = this.#nameOf(id, expiresAt);
    try {
      // On disk before anything is sent: a machine that stops here must not come back with the token unused.
      await sync(name, 'wx');
      await sync(this.#folder, 'r');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw new RouterError(
        'STATE_UNAVAILABLE',
        `what is used up could not be noted in ${this.#folder}, so nothing was sent`,
        { cause },
      );
    }
    await this.#prune();
    return true;
  }

  async isConsumed(id: string, expiresAt: number): Promise<boolean> {
    return stat(this.#nameOf(id, expiresAt)).then(
      () => true,
      () => false,
    );
  }

  /** The expiry stands in the name, so that pruning opens nothing. */
  #nameOf(id: string, expiresAt: number): string {
    if (!ID.test(id)) throw new TypeError('an id of a single use is base64url');
    return join(this.#folder, `${Math.ceil(expiresAt / 1000)}.${id}`);
  }

  async #prune(): Promise<void> {
    const now = this.#now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    for (const name of await readdir(this.#folder).catch(() => [])) {
      const seconds = Number(/^(\d+)\./.exec(name)?.[1] ?? Number.NaN);
      if (seconds * 1000 + CLOCK_SKEW_MS < now) await unlink(join(this.#folder, name)).catch(() => undefined);
    }
  }
}

async function sync(path: string, flags: 'wx' | 'r'): Promise<void> {
  await using file = await open(path, flags, 0o600);
  await file.sync();
}
