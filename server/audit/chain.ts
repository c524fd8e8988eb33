/**
 * What makes an audit log evidence: each line holds the SHA-256 of the line before it, so a line that was changed, taken
 * out or put in breaks the chain at its place. Lines cut off at the very end leave no trace in the log itself; whoever
 * wants to notice that keeps the last hash elsewhere.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';

/** Before the first line there is nothing to hash. */
export const GENESIS = '0'.repeat(64);

export function hashOf(line: string): string {
  return createHash('sha256').update(line).digest('hex');
}

export interface Verified {
  ok: true;
  files: number;
  lines: number;
  /** Sequence number and hash of the last line: keep them elsewhere to notice a cut end. */
  last: { seq: number; hash: string } | null;
  /** Older files than these were let go, so the first line's predecessor is not here. */
  startsLater: boolean;
}

export interface Broken {
  ok: false;
  file: string;
  /** From 1. */
  line: number;
  problem: string;
}

/** Files of a log, the oldest first; `path.1` is the one before the current. */
export function auditFiles(path: string): string[] {
  const older: string[] = [];
  for (let n = 1; existsSync(`${path}.${n}`); n++) older.unshift(`${path}.${n}`);
  return existsSync(path) ? [...older, path] : older;
}

export function verifyAudit(path: string): Verified | Broken {
  let lines = 0;
  let last: Verified['last'] = null;
  let startsLater = false;
  const files = auditFiles(path);
  for (const file of files) {
    const text = readFileSync(file, 'utf8');
    if (text !== '' && !text.endsWith('\n'))
      return { ok: false, file, line: text.split('\n').length, problem: 'the last line is not whole' };
    for (const [at, line] of text.split('\n').slice(0, -1).entries()) {
      const record = recordOf(line);
      const problem = problemOf(record, last);
      if (problem !== undefined) return { ok: false, file, line: at + 1, problem };
      if (last === null) startsLater = record?.prev !== GENESIS;
      last = { seq: Number(record?.seq), hash: hashOf(line) };
      lines++;
    }
  }
  return { ok: true, files: files.length, lines, last, startsLater };
}

interface Link {
  seq?: unknown;
  prev?: unknown;
}

function recordOf(line: string): Link | undefined {
  try {
    return JSON.parse(line) as Link;
  } catch {
    return undefined;
  }
}

function problemOf(record: Link | undefined, before: Verified['last']): string | undefined {
  if (record === undefined || !Number.isInteger(record.seq) || typeof record.prev !== 'string')
    return 'should be a record with `seq` and `prev`';
  if (before === null) {
    // What is kept may begin later, but only the very first record begins a chain.
    return (record.seq === 1) === (record.prev === GENESIS) ? undefined : 'the beginning of the chain is not one';
  }
  if (record.seq !== before.seq + 1) return `\`seq\` should be ${before.seq + 1}, got ${String(record.seq)}`;
  return record.prev === before.hash ? undefined : '`prev` is not the hash of the line before';
}
