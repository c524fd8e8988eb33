/**
 * The keys that sign what a client carries for the router: plan tokens, confirmations, cursors. The first line of the key
 * file signs; every line verifies. So replicas that read one file accept each other's tokens, and a rotated key is honoured
 * until it is taken out.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mustBePrivateKeyFile } from '../config/private-path.ts';
import { RouterError } from '../errors.ts';
import { writeOnce } from '../files/atomic-write.ts';
import { fileStamp } from '../files/file-stamp.ts';

export interface Keys {
  /** What signs now. */
  readonly current: Uint8Array;
  /** The accepted keys: the current one and the one before it. */
  readonly all: readonly Uint8Array[];
}

const KEY = /^[0-9a-f]{64}$/i;
const MOST = 2;

export function fixedKeys(...keys: [Uint8Array, ...Uint8Array[]]): Keys {
  return { current: keys[0], all: keys };
}

/** Keys for one purpose, so that what was signed for another is never accepted. */
export function keysFor(keys: Keys, purpose: string): Keys {
  const derived = new Map<Uint8Array, Uint8Array>();
  const derive = (key: Uint8Array) => {
    const known = derived.get(key) ?? createHmac('sha256', key).update(`key\0${purpose}`).digest();
    derived.set(key, known);
    return known;
  };
  return {
    get current() {
      return derive(keys.current);
    },
    get all() {
      return keys.all.map(derive);
    },
  };
}

/** A key file that is read again when it changes, so that replicas rotate together without a restart. */
export class KeyFile implements Keys {
  readonly #path: string;
  #stamp = '';
  #keys: readonly Uint8Array[];

  constructor(path: string) {
    this.#path = path;
    this.#stamp = fileStamp(path);
    this.#keys = readKeys(path);
  }

  /**
   * Opens the file, or creates it with a new key that only its owner may read. The first process to create it decides
   * the key.
   */
  static openOrCreate(path: string): KeyFile {
    writeOnce(path, `${randomBytes(32).toString('hex')}\n`);
    return new KeyFile(path);
  }

  get current(): Uint8Array {
    return this.all[0] as Uint8Array;
  }

  get all(): readonly Uint8Array[] {
    const stamp = fileStamp(this.#path);
    if (stamp === this.#stamp) return this.#keys;
    // Remembered only when it was read: a file caught half-written is tried again, and what was known stays in use.
    try {
      this.#keys = readKeys(this.#path);
      this.#stamp = stamp;
    } catch {
      return this.#keys;
    }
    return this.#keys;
  }
}

/** Refuses with CONFIG_INVALID a file that others may read or write, and one of another form. */
function readKeys(path: string): Uint8Array[] {
  mustBePrivateKeyFile(path);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length < 1 || lines.length > MOST || !lines.every((line) => KEY.test(line)))
    throw new RouterError(
      'CONFIG_INVALID',
      `${path} should hold one or two keys of 64 hex digits, the current one first, got ${lines.length} line${lines.length === 1 ? '' : 's'} of another form`,
    );
  return lines.map((line) => Buffer.from(line, 'hex'));
}
