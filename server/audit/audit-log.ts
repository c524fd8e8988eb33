/**
 * The audit log: one JSON line per call of a tool, calls inside a batch included, chained and signed (`chain.ts`). A write is on record
 * before it is sent; one that cannot be recorded is not sent. It holds names, digests and outcomes, never an argument.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  renameSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { shellWord } from '../config/shell-word.ts';
import { RouterError, systemCodeOf } from '../errors.ts';
import { LockLostError, whileLocked } from '../files/file-lock.ts';
import { makeFolder } from '../files/make-folder.ts';
import type { KnownSecrets } from '../telemetry/known-secrets.ts';
import type { AuditExportState } from '../telemetry/metrics.ts';
import { redact } from '../telemetry/redact.ts';
import type { AuditExport } from './audit-export.ts';
import { type AuditKey, openAuditKey } from './audit-key.ts';
import type { AuditRecord } from './audit-record.ts';
import { auditFiles, GENESIS, hashOf, isKeyedBy, keyedLine, SCHEME } from './chain.ts';
import { type Checkpoint, readCheckpoint, writeCheckpoint } from './checkpoint.ts';

export interface AuditOptions {
  path: string;
  /** File of the key, made where there is none. The checkpoint lies beside it. */
  keyPath: string;
  secrets: KnownSecrets;
  /** Size at which a file is put aside, and how many of those are kept. */
  maxBytes?: number;
  keep?: number;
  now?: () => Date;
  /** Where each line goes after it was written. */
  exports?: readonly AuditExport[];
}

interface OpenFile {
  fd: number;
  size: number;
  ino: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const KEEP = 16;
/** Bytes that are read for one line; more only where it is longer. */
const USUAL_LINE = 65_536;
const PRIVATE = 0o600;
/** To write a line for which another process took the lock over. */
const MOST_ATTEMPTS = 3;
/** Lines without a checkpoint; what comes before an effect has one at once. */
const LINES_BETWEEN = 64;

const EXPOSED = 'a file that others can read or write';

/** Where the checkpoint of a log lies. */
export const checkpointPath = (path: string, keyPath: string): string =>
  join(dirname(keyPath), `${basename(path)}.checkpoint`);

export class AuditLog {
  readonly #path: string;
  readonly #checkpointPath: string;
  readonly #key: AuditKey;
  readonly #secrets: KnownSecrets;
  readonly #maxBytes: number;
  readonly #keep: number;
  readonly #now: () => Date;
  readonly #exports: readonly AuditExport[];
  #file: OpenFile | undefined;
  #seq = 0;
  #last = GENESIS;
  /** First line that is kept. */
  #first = 1;
  /** Last line that a checkpoint covers. */
  #covered = 0;
  /** The key that wrote the existing log, if it is another one. The next write first records the change of key. */
  #before: string | undefined;

  /** Refuses with AUDIT_UNWRITABLE where nothing can be written: better now than at the first change. */
  constructor(options: AuditOptions) {
    const { path, keyPath, secrets, maxBytes = MAX_BYTES, keep = KEEP, now = () => new Date() } = options;
    this.#exports = options.exports ?? [];
    this.#path = path;
    this.#checkpointPath = checkpointPath(path, keyPath);
    this.#secrets = secrets;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
    this.#now = now;
    try {
      makeFolder(dirname(path));
      this.#key = openAuditKey(keyPath);
      whileLocked(`${path}.lock`, () => this.#current());
    } catch (cause) {
      throw cause instanceof RouterError ? cause : this.#unwritable(cause);
    }
  }

  /** Writes one line. A line that must precede an effect is synced to the disk before this returns. */
  record(record: AuditRecord): void {
    for (let attempt = 1; ; attempt++) {
      try {
        whileLocked(`${this.#path}.lock`, (mustHold) => this.#write(record, mustHold));
        return;
      } catch (cause) {
        // Forgets the end of the file, so that the next write reads it again.
        this.#release();
        if (!(cause instanceof LockLostError) || attempt === MOST_ATTEMPTS) throw this.#unwritable(cause);
      }
    }
  }

  /** Leaves a checkpoint of the last line. A disk that takes none leaves the one before, which is true as well. */
  close(): void {
    try {
      if (this.#file !== undefined && this.#seq > this.#covered)
        whileLocked(`${this.#path}.lock`, () => this.#checkpoint(this.#current()));
    } catch {
      // The log itself is whole.
    }
    this.#release();
  }

  exportStates(): AuditExportState[] {
    return this.#exports.map(({ state }) => state);
  }

  /** Sends to the other systems what waits for them, for at most so long, and nothing after that. */
  async sendRest(mostMs: number): Promise<void> {
    await Promise.all(this.#exports.map((one) => one.close(mostMs)));
  }

  #release(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #write(record: AuditRecord, mustHold: () => void): void {
    const file = this.#current();
    const change = this.#before !== undefined;
    const scheme = { kind: SCHEME, scheme: 'hmac-sha256', key: this.#key.id, before: this.#before };
    if (change) this.#append(file, scheme, mustHold);
    this.#before = undefined;
    this.#append(file, this.#secrets.scrubTexts(redact(record) as AuditRecord), mustHold);
    if (change || record.kind !== 'call' || this.#seq - this.#covered >= LINES_BETWEEN) this.#checkpoint(file);
    if (file.size >= this.#maxBytes) this.#rotate(file);
  }

  /** `mustHold` keeps a line from following another one than the last, where this process stood still meanwhile. */
  #append(file: OpenFile, shown: object, mustHold: () => void): void {
    const fields = { seq: this.#seq + 1, at: this.#now().toISOString(), prev: this.#last, ...shown };
    const line = keyedLine(this.#key, JSON.stringify(fields));
    const bytes = Buffer.from(`${line}\n`);
    mustHold();
    for (let at = 0; at < bytes.length; ) at += writeSync(file.fd, bytes, at);
    file.size += bytes.length;
    this.#seq += 1;
    this.#last = hashOf(line);
    for (const one of this.#exports) one.add(line);
  }

  /** Says how far the log went. The lines are on the disk first, so that it never says more than there is. */
  #checkpoint(file: OpenFile): void {
    fsyncSync(file.fd);
    const count = this.#seq - this.#first + 1;
    const at = this.#now().toISOString();
    writeCheckpoint(this.#checkpointPath, this.#key, {
      seq: this.#seq,
      hash: this.#last,
      first: this.#first,
      count,
      at,
    });
    this.#covered = this.#seq;
  }

  /** The file as this process left it; if another one wrote or rotated meanwhile, the chain is gone on with from there. */
  #current(): OpenFile {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const known = this.#file;
    if (known !== undefined && found?.ino === known.ino && found.size === known.size) return known;
    this.#release();
    return this.#goOn();
  }

  /** Opens the file and finds the end of the chain; a line that a crash or a full disk left unfinished is no record. */
  #goOn(): OpenFile {
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
    const fd = openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, PRIVATE);
    const { mode, ino } = fstatSync(fd);
    if ((mode & 0o077) !== 0) {
      closeSync(fd);
      throw new Error(EXPOSED);
    }
    cutUnfinished(fd);
    const { size } = fstatSync(fd);
    const previous = size > 0 ? lastLine(fd, size) : lastLineOf(`${this.#path}.1`);
    this.#seq = previous === undefined ? 0 : seqOf(previous);
    this.#last = previous === undefined ? GENESIS : hashOf(previous);
    this.#before = previous === undefined ? undefined : writtenBefore(previous, this.#key);
    this.#resume(readCheckpoint(this.#checkpointPath, [this.#key]));
    this.#file = { fd, size, ino };
    return this.#file;
  }

  /**
   * Goes on where the checkpoint ends if the log ends before: the gap stays in the numbers, so that what was cut off is not
   * covered up by the next lines.
   */
  #resume(checkpoint: Checkpoint | 'none' | 'invalid'): void {
    this.#covered = 0;
    if (checkpoint === 'invalid') this.#before ??= 'an invalid checkpoint';
    if (typeof checkpoint === 'string') {
      this.#first = firstSeqOf(this.#path) ?? 1;
      return;
    }
    this.#first = checkpoint.first;
    this.#covered = checkpoint.seq;
    if (checkpoint.seq <= this.#seq) return;
    this.#seq = checkpoint.seq;
    this.#last = checkpoint.hash;
  }

  /**
   * Each file moves on by a number, up to the first number that is free, also one that a power cut left. Where none is, the oldest is let
   * go; the checkpoint says so before it happens.
   */
  #rotate(file: OpenFile): void {
    const nameOf = (n: number) => (n === 0 ? this.#path : `${this.#path}.${n}`);
    let free = 1;
    while (free <= this.#keep && existsSync(nameOf(free))) free += 1;
    const last = Math.min(free, this.#keep);
    if (free > last) this.#first = firstSeqIn(nameOf(last - 1)) ?? this.#first;
    this.#checkpoint(file);
    this.#release();
    for (let n = last; n >= 1; n--) renameSync(nameOf(n - 1), nameOf(n));
  }

  #unwritable(cause: unknown): RouterError {
    const why = systemCodeOf(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
    const remedy = why === EXPOSED ? { remedy: `chmod 600 ${shellWord(this.#path)}` } : {};
    return new RouterError('AUDIT_UNWRITABLE', `the audit log ${this.#path} should take a line, got ${why}`, {
      cause,
      ...remedy,
    });
  }
}

const seqOf = (line: string): number => Number((JSON.parse(line) as { seq: unknown }).seq);

/** The key that wrote a line, if it is another one than the current; otherwise undefined. */
function writtenBefore(line: string, key: AuditKey): string | undefined {
  const keyed = isKeyedBy([key], line);
  return keyed === undefined ? 'sha-256' : keyed ? undefined : 'another key';
}

function firstSeqOf(path: string): number | undefined {
  const [oldest] = auditFiles(path);
  return oldest === undefined ? undefined : firstSeqIn(oldest);
}

function firstSeqIn(file: string): number | undefined {
  const fd = openSync(file, 'r');
  try {
    const text = endOf(fd, fstatSync(fd).size, 'first').toString('utf8');
    return text.includes('\n') ? seqOf(text.slice(0, text.indexOf('\n'))) : undefined;
  } finally {
    closeSync(fd);
  }
}

function lastLineOf(path: string): string | undefined {
  if (!existsSync(path)) return undefined;
  const fd = openSync(path, 'r');
  try {
    return lastLine(fd, fstatSync(fd).size);
  } finally {
    closeSync(fd);
  }
}

function lastLine(fd: number, size: number): string | undefined {
  const text = endOf(fd, size, 'last').toString('utf8');
  return text === '' ? undefined : text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
}

function cutUnfinished(fd: number): void {
  const { size } = fstatSync(fd);
  const tail = endOf(fd, size, 'last');
  const whole = tail.lastIndexOf(0x0a) + 1;
  if (whole < tail.length) ftruncateSync(fd, size - tail.length + whole);
}

/** The beginning or the end of a file, with its first or last line as a whole. */
function endOf(fd: number, size: number, line: 'first' | 'last'): Buffer {
  for (let length = USUAL_LINE; ; length *= 2) {
    const bytes = Buffer.alloc(Math.min(size, length));
    readSync(fd, bytes, 0, bytes.length, line === 'first' ? 0 : size - bytes.length);
    // The very last byte is the end of the last line, and does not say where that one begins.
    if (bytes.length === size || bytes.subarray(0, -1).includes(0x0a)) return bytes;
  }
}
