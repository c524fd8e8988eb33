/**
 * The hash chain of the audit log. Each line holds the SHA-256 of the line before it and ends with an HMAC over
 * itself. So verification finds a changed, removed, added or moved line, and nobody can repair the chain without the
 * key. A signed checkpoint holds the length of the log, so verification also finds a cut end. Logs of 0.1.0 hold
 * hashes without HMACs.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { type AuditKey, isMac, macOf } from './audit-key.ts';
import { type Checkpoint, readCheckpoint } from './checkpoint.ts';

/** Before the first line there is nothing to hash. */
export const GENESIS = '0'.repeat(64);

/** `kind` of the line that says that HMACs begin, or that another key goes on. */
export const SCHEME = 'scheme';

/** A line that has its HMAC lacks at most the end of line. */
const ENDED = /,"mac":"[0-9a-f]{64}"\}.+$/s;

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
  /**
   * The unfinished line at the end of the current file, which a crash or a full disk leaves: the beginning of the next line of
   * this chain, and no checkpoint covers it. The router cuts it off when it continues the log.
   */
  torn?: { file: string; line: number };
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
  /** Checks the signature of the checkpoint where there is no key. */
  publicKey?: KeyObject;
  /** File of the checkpoint that the router keeps. */
  checkpoint?: string;
  /** File of one that was exported earlier: it covers what it names, whatever happened to the other. */
  exported?: string;
}

/** Files of a log, the oldest first; `path.1` is the one before the current. A power cut in a rotation leaves one number free. */
export function auditFiles(path: string): string[] {
  const older: string[] = [];
  for (let n = 1, free = 0; free < 2; n++)
    if (existsSync(`${path}.${n}`)) older.unshift(`${path}.${n}`);
    else free += 1;
  return existsSync(path) ? [...older, path] : older;
}

/** Reads a second time what looks broken if a router put the current file aside meanwhile: the files changed their names. */
export function verifyAudit(path: string, options: VerifyOptions = {}): Verified | Broken {
  const current = () => statSync(path, { throwIfNoEntry: false })?.ino;
  const before = current();
  try {
    const found = verifyFiles(path, options);
    if (found.ok || current() === before) return found;
  } catch (error) {
    if (current() === before) throw error;
  }
  return verifyFiles(path, options);
}

function verifyFiles(path: string, options: VerifyOptions): Verified | Broken {
  const files = auditFiles(path);
  const checkpoints = checkpointsOf(options);
  if ('ok' in checkpoints) return checkpoints;
  const verifier = new Verifier(options.keys ?? [], checkpoints);
  let torn: Verified['torn'];
  for (const file of files) {
    const whole = readFileSync(file, 'utf8').split('\n');
    const rest = whole.pop() as string;
    for (const [at, line] of whole.entries()) {
      const problem = verifier.problemOf(line);
      if (problem !== undefined) return { ok: false, file, line: at + 1, problem };
    }
    if (rest === '') continue;
    torn = { file, line: whole.length + 1 };
    if (file !== path || !verifier.isTorn(rest))
      return { ok: false, ...torn, problem: 'the last line is not whole, and no crash leaves it so' };
  }
  const problem = verifier.problemAtEnd();
  if (problem !== undefined) return { ok: false, file: path, line: verifier.lines, problem };
  const found = { ...verifier.found(), files: files.length, checkpoint: newest(checkpoints, options) };
  return { ok: true, ...found, ...(torn ? { torn } : {}) };
}

/** Those that are there, or the one that nobody with the key wrote. */
function checkpointsOf({ keys = [], publicKey, checkpoint, exported }: VerifyOptions): Checkpoint[] | Broken {
  const checkedWith = keys.length > 0 ? keys : publicKey;
  const found: Checkpoint[] = [];
  if (checkedWith === undefined) return found;
  for (const file of [checkpoint, exported]) {
    const read = file === undefined ? 'none' : readCheckpoint(file, checkedWith);
    if (read === 'invalid')
      return { ok: false, file: file as string, line: 1, problem: 'the checkpoint is not signed with the key' };
    if (read !== 'none') found.push(read);
  }
  return found;
}

function newest(found: readonly Checkpoint[], { keys = [], publicKey }: VerifyOptions): Verified['checkpoint'] {
  if (keys.length === 0 && publicKey === undefined) return 'unchecked';
  return found.toSorted((a, b) => b.seq - a.seq)[0] ?? 'none';
}

interface Link {
  seq?: unknown;
  prev?: unknown;
  kind?: unknown;
}

/** Walks through the lines of a log, the oldest first. */
class Verifier {
  readonly #keys: readonly AuditKey[];
  readonly #checkpoints: readonly Checkpoint[];
  last: Verified['last'] = null;
  lines = 0;
  startsLater = false;
  unkeyed = 0;
  unchecked = 0;

  constructor(keys: readonly AuditKey[], checkpoints: readonly Checkpoint[]) {
    this.#keys = keys;
    this.#checkpoints = checkpoints;
  }

  found(): Pick<Verified, 'last' | 'lines' | 'startsLater' | 'unkeyed' | 'unchecked'> {
    const { last, lines, startsLater, unkeyed } = this;
    // Each line holds the hash of the one before, so a signed hash speaks for all lines up to it.
    const covered = Math.max(0, ...this.#checkpoints.map(({ seq }) => seq));
    const behind = Math.max(0, (last?.seq ?? 0) - covered);
    return { last, lines, startsLater, unkeyed, unchecked: Math.min(this.unchecked, behind) };
  }

  problemOf(line: string): string | undefined {
    const record = recordOf(line);
    const problem = this.#linkProblem(record) ?? this.#macProblem(line, record);
    if (problem !== undefined) return problem;
    if (this.last === null) this.startsLater = record?.prev !== GENESIS;
    this.last = { seq: Number(record?.seq), hash: hashOf(line) };
    this.lines += 1;
    const { seq: own, hash: ownHash } = this.last;
    return this.#checkpoints.some(({ seq, hash }) => seq === own && hash !== ownHash)
      ? 'it is not the line that the checkpoint names'
      : undefined;
  }

  /** Whether a text is the beginning of the next line, cut off before the HMAC was whole: what one unfinished write leaves. */
  isTorn(text: string): boolean {
    const { seq, hash } = this.last ?? { seq: 0, hash: GENESIS };
    const at = new Date(0).toISOString();
    const head = `{"seq":${seq + 1},"at":"${at}","prev":"${hash}"`;
    const instant = head.indexOf(at);
    const same = [...text.slice(0, head.length)].every((letter, n) =>
      n >= instant && n < instant + at.length ? /[0-9TZ:.-]/.test(letter) : letter === head[n],
    );
    return same && !ENDED.test(text);
  }

  problemAtEnd(): string | undefined {
    const got = this.last?.seq ?? 0;
    const beyond = this.#checkpoints.find(({ seq }) => seq > got);
    if (beyond !== undefined)
      return `lines ${got + 1} to ${beyond.seq} are missing: the checkpoint of ${beyond.at} covers them`;
    // A log that was never written with a key has none.
    return this.#keys.length > 0 && this.lines > 0 && this.lines === this.unkeyed
      ? 'no line holds an HMAC, and there is a key'
      : undefined;
  }

  #linkProblem(record: Link | undefined): string | undefined {
    if (record === undefined || !Number.isInteger(record.seq) || typeof record.prev !== 'string')
      return 'should be a record with `seq` and `prev`';
    if (this.last === null) {
      // Of two checkpoints the later one knows which files were let go since.
      const first = this.#checkpoints.length > 0 ? Math.max(...this.#checkpoints.map((one) => one.first)) : Infinity;
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
