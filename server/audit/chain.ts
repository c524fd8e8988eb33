/**
 * The hash chain of the audit log. Each line holds the SHA-256 of the line before it and ends with an HMAC over
 * itself. So verification finds a changed, removed, added or moved line, and nobody can repair the chain without the
 * key. A signed checkpoint holds the length of the log, so verification also finds a cut end. Logs of 0.1.0 hold
 * hashes without HMACs.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { type AuditKey, isMac, macOf } from './audit-key.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';

/** Before the first line there is nothing to hash. */
export const GENESIS = '0'.repeat(64);

/** `kind` of the line that says that HMACs begin, or that another key goes on. */
export const SCHEME = 'scheme';

const KEYED = /^(\{.*),"mac":"([0-9a-f]{64})"\}$/;

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

/** A record as it stands in the log, without its end of line. `text`: the record as JSON. */
export const keyedLine = (key: AuditKey, text: string): string =>
  `${text.slice(0, -1)},"mac":"${macOf(key.line, text)}"}`;

/** Whether a line was written with the key; undefined for one that holds no HMAC. */
export function isKeyedBy(keys: readonly AuditKey[], line: string): boolean | undefined {
  const [, head, mac] = KEYED.exec(line) ?? [];
  if (head === undefined || mac === undefined) return undefined;
  return keys.some((key) => isMac(key.line, `${head}}`, mac));
}

export interface Verified {
  ok: true;
  files: number;
  lines: number;
  /** Number and hash of the last line. */
  last: { seq: number; hash: string } | null;
  /** Older files than these were let go, so the first line's predecessor is not here. */
  startsLater: boolean;
  /** Lines at the beginning that hold no HMAC, as 0.1.0 wrote them: anyone with write access to the file could have made them. */
  unkeyed: number;
  /** Lines whose HMAC was not checked, for want of the key. */
  unchecked: number;
  checkpoint: Checkpoint | 'none' | 'unchecked';
}

export interface Broken {
  ok: false;
  file: string;
  /** From 1. */
  line: number;
  problem: string;
}

export interface VerifyOptions {
  /** Without any, hashes alone are checked. */
  keys?: readonly AuditKey[];
  /** File of the checkpoint. */
  checkpoint?: string;
}

/** Files of a log, the oldest first; `path.1` is the one before the current. */
export function auditFiles(path: string): string[] {
  const older: string[] = [];
  for (let n = 1; existsSync(`${path}.${n}`); n++) older.unshift(`${path}.${n}`);
  return existsSync(path) ? [...older, path] : older;
}

export function verifyAudit(path: string, { keys = [], checkpoint: file }: VerifyOptions = {}): Verified | Broken {
  const files = auditFiles(path);
  const checkpoint = keys.length === 0 ? 'unchecked' : file === undefined ? 'none' : readCheckpoint(file, keys);
  if (checkpoint === 'invalid')
    return { ok: false, file: file as string, line: 1, problem: 'the checkpoint is not signed with the key' };
  const verifier = new Verifier(keys, typeof checkpoint === 'object' ? checkpoint : undefined);
  for (const name of files) {
    const text = readFileSync(name, 'utf8');
    if (text !== '' && !text.endsWith('\n'))
      return { ok: false, file: name, line: text.split('\n').length, problem: 'the last line is not whole' };
    for (const [at, line] of text.split('\n').slice(0, -1).entries()) {
      const problem = verifier.problemOf(line);
      if (problem !== undefined) return { ok: false, file: name, line: at + 1, problem };
    }
  }
  const { last, lines, startsLater, unkeyed, unchecked } = verifier;
  const problem = verifier.problemAtEnd();
  if (problem !== undefined) return { ok: false, file: path, line: lines, problem };
  return { ok: true, files: files.length, lines, last, startsLater, unkeyed, unchecked, checkpoint };
}

interface Link {
  seq?: unknown;
  prev?: unknown;
  kind?: unknown;
}

/** Walks through the lines of a log, the oldest first. */
class Verifier {
  readonly #keys: readonly AuditKey[];
  readonly #checkpoint: Checkpoint | undefined;
  last: Verified['last'] = null;
  lines = 0;
  startsLater = false;
  unkeyed = 0;
  unchecked = 0;

  constructor(keys: readonly AuditKey[], checkpoint: Checkpoint | undefined) {
    this.#keys = keys;
    this.#checkpoint = checkpoint;
  }

  problemOf(line: string): string | undefined {
    const record = recordOf(line);
    const problem = this.#linkProblem(record) ?? this.#macProblem(line, record);
    if (problem !== undefined) return problem;
    if (this.last === null) this.startsLater = record?.prev !== GENESIS;
    this.last = { seq: Number(record?.seq), hash: hashOf(line) };
    this.lines += 1;
    const { seq, hash } = this.#checkpoint ?? {};
    return this.last.seq === seq && this.last.hash !== hash
      ? 'it is not the line that the checkpoint names'
      : undefined;
  }

  problemAtEnd(): string | undefined {
    const covered = this.#checkpoint?.seq ?? 0;
    const got = this.last?.seq ?? 0;
    if (covered > got)
      return `lines ${got + 1} to ${covered} are missing: the checkpoint of ${this.#checkpoint?.at} covers them`;
    // A log that was never written with a key has none.
    return this.#keys.length > 0 && this.lines > 0 && this.lines === this.unkeyed
      ? 'no line holds an HMAC, and there is a key'
      : undefined;
  }

  #linkProblem(record: Link | undefined): string | undefined {
    if (record === undefined || !Number.isInteger(record.seq) || typeof record.prev !== 'string')
      return 'should be a record with `seq` and `prev`';
    if (this.last === null) {
      const first = this.#checkpoint?.first ?? Number.POSITIVE_INFINITY;
      if (Number(record.seq) > first) return `lines ${first} to ${Number(record.seq) - 1} are missing`;
      // Old files may be deleted, so the log may begin later. Only the very first record begins a chain.
      return (record.seq === 1) === (record.prev === GENESIS) ? undefined : 'the beginning of the chain is not one';
    }
    if (record.seq !== this.last.seq + 1) return `\`seq\` should be ${this.last.seq + 1}, got ${String(record.seq)}`;
    return record.prev === this.last.hash ? undefined : '`prev` is not the hash of the line before';
  }

  #macProblem(line: string, record: Link | undefined): string | undefined {
    const keyed = isKeyedBy(this.#keys, line);
    const before = this.lines > this.unkeyed;
    if (keyed === undefined) {
      this.unkeyed += 1;
      return before ? 'should end with an HMAC, as the line before it does' : undefined;
    }
    if (!before && this.unkeyed > 0 && record?.kind !== SCHEME)
      return 'the change to lines with an HMAC is not on record';
    if (this.#keys.length === 0) this.unchecked += 1;
    else if (!keyed) return 'the HMAC is not one of this key';
    return undefined;
  }
}

function recordOf(line: string): Link | undefined {
  try {
    return JSON.parse(line) as Link;
  } catch {
    return undefined;
  }
}
