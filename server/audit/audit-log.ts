/**
 * The audit log: one JSON line per call of a tool, calls inside a batch included, chained by hashes. A write is on record
 * before it is sent; one that cannot be recorded is not sent. It holds names, digests and outcomes, never an argument.
 */
import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { RouterError, systemCodeOf } from '../errors.ts';
import type { KnownSecrets } from '../telemetry/known-secrets.ts';
import { redact } from '../telemetry/redact.ts';
import { GENESIS, hashOf } from './chain.ts';
import { whileLocked } from './lock.ts';

/** What a line says beside its place in the chain. Times in milliseconds, digests SHA-256 in base64url. */
export interface AuditRecord {
  /** `intent`: a write is about to be sent. `call`: a call has come to its end. */
  kind: 'intent' | 'call';
  /** Joins an intent with its call. */
  id: string;
  dispatcher: string;
  tool: string;
  platform: string | null;
  capability: string | null;
  /** `operator` where the class is an operator's word (`--read-operation`), not the router's own. */
  class_by?: string;
  principal: string;
  argument_keys: string[];
  argument_digest: string;
  /** Of an intent: which requests were approved (keyed digest), how it was asked, who answered, and when. */
  approval?: {
    id: string;
    digest: string;
    how: string;
    asked_at: number;
    answered_at: number;
    answered_by: string;
  };
  outcome?: string;
  code?: string;
  status?: number;
  ms?: number;
  requests?: number;
  rate_wait_ms?: number;
}

export interface AuditOptions {
  path: string;
  secrets: KnownSecrets;
  /** Size at which a file is put aside, and how many of those are kept. */
  maxBytes?: number;
  keep?: number;
  now?: () => Date;
}

interface OpenFile {
  fd: number;
  size: number;
  ino: number;
}

const MAX_BYTES = 32 * 1024 * 1024;
const KEEP = 16;
const LONGEST_LINE = 65_536;
const PRIVATE = 0o600;

export class AuditLog {
  readonly #path: string;
  readonly #secrets: KnownSecrets;
  readonly #maxBytes: number;
  readonly #keep: number;
  readonly #now: () => Date;
  #file: OpenFile | undefined;
  #seq = 0;
  #last = GENESIS;

  /** Refuses with AUDIT_UNWRITABLE where nothing can be written: better now than at the first change. */
  constructor({ path, secrets, maxBytes = MAX_BYTES, keep = KEEP, now = () => new Date() }: AuditOptions) {
    this.#path = path;
    this.#secrets = secrets;
    this.#maxBytes = maxBytes;
    this.#keep = keep;
    this.#now = now;
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      whileLocked(`${path}.lock`, () => this.#current());
    } catch (cause) {
      throw this.#unwritable(cause);
    }
  }

  /** One line. What comes before an effect is on the disk itself when this returns. */
  record(record: AuditRecord): void {
    try {
      whileLocked(`${this.#path}.lock`, () => this.#write(record));
    } catch (cause) {
      // Whatever is on the disk now is looked at again before the next line.
      this.close();
      throw this.#unwritable(cause);
    }
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file.fd);
    this.#file = undefined;
  }

  #write(record: AuditRecord): void {
    const file = this.#current();
    const shown = redact(record) as AuditRecord;
    const fields = { seq: this.#seq + 1, at: this.#now().toISOString(), prev: this.#last, ...shown };
    const line = this.#secrets.scrub(JSON.stringify(fields));
    const bytes = Buffer.from(`${line}\n`);
    for (let at = 0; at < bytes.length; ) at += writeSync(file.fd, bytes, at);
    if (record.kind === 'intent') fsyncSync(file.fd);
    file.size += bytes.length;
    this.#seq += 1;
    this.#last = hashOf(line);
    if (file.size >= this.#maxBytes) this.#rotate();
  }

  /** The file as this process left it; if another one wrote or rotated meanwhile, the chain is gone on with from there. */
  #current(): OpenFile {
    const found = statSync(this.#path, { throwIfNoEntry: false });
    const known = this.#file;
    if (known !== undefined && found?.ino === known.ino && found.size === known.size) return known;
    this.close();
    return this.#goOn();
  }

  /** Opens the file and finds the end of the chain; a line that a crash or a full disk left unfinished is no record. */
  #goOn(): OpenFile {
    const { O_RDWR, O_CREAT, O_APPEND, O_NOFOLLOW } = constants;
    const fd = openSync(this.#path, O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW, PRIVATE);
    const { mode, ino } = fstatSync(fd);
    if ((mode & 0o077) !== 0) {
      closeSync(fd);
      throw new Error('the file can be read or written by others');
    }
    cutUnfinished(fd);
    const { size } = fstatSync(fd);
    const previous = size > 0 ? lastLine(fd, size) : lastLineOf(`${this.#path}.1`);
    this.#seq = previous === undefined ? 0 : Number((JSON.parse(previous) as { seq: unknown }).seq);
    this.#last = previous === undefined ? GENESIS : hashOf(previous);
    this.#file = { fd, size, ino };
    return this.#file;
  }

  /** The oldest is let go, each other one moves on by a number. */
  #rotate(): void {
    this.close();
    rmSync(`${this.#path}.${this.#keep}`, { force: true });
    for (let n = this.#keep - 1; n >= 1; n--)
      if (existsSync(`${this.#path}.${n}`)) renameSync(`${this.#path}.${n}`, `${this.#path}.${n + 1}`);
    renameSync(this.#path, `${this.#path}.1`);
  }

  #unwritable(cause: unknown): RouterError {
    const why = systemCodeOf(cause) ?? (cause instanceof Error ? cause.message : 'unknown');
    return new RouterError('AUDIT_UNWRITABLE', `the audit log ${this.#path} should take a line, got ${why}`, { cause });
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
  const text = tailOf(fd, size).toString('utf8');
  return text === '' ? undefined : text.slice(text.lastIndexOf('\n', text.length - 2) + 1, -1);
}

function cutUnfinished(fd: number): void {
  const { size } = fstatSync(fd);
  const tail = tailOf(fd, size);
  const whole = tail.lastIndexOf(0x0a) + 1;
  if (whole < tail.length) ftruncateSync(fd, size - tail.length + whole);
}

function tailOf(fd: number, size: number): Buffer {
  const bytes = Buffer.alloc(Math.min(size, LONGEST_LINE));
  readSync(fd, bytes, 0, bytes.length, size - bytes.length);
  return bytes;
}
