/**
 * How far an audit log went, signed and kept beside the key: a log whose end was cut off is shorter than its checkpoint says.
 * It is written after the lines that it covers are on the disk, so a crash never makes it say too much.
 */
import { readFileSync } from 'node:fs';
import { writeAtomically } from '../files/atomic-write.ts';
import { type AuditKey, isMac, macOf } from './audit-key.ts';

export interface Checkpoint {
  /** Number and hash of the last line that it covers. */
  seq: number;
  hash: string;
  /** Number of the first line that is kept; older ones were let go. */
  first: number;
  /** Lines from there on. */
  count: number;
  at: string;
}

/** Replaced as a whole or not at all; mode 0600. */
export function writeCheckpoint(path: string, key: AuditKey, { seq, hash, first, count, at }: Checkpoint): void {
  const text = JSON.stringify({ seq, hash, first, count, at, key: key.id });
  writeAtomically(path, `${text.slice(0, -1)},"mac":"${macOf(key.checkpoint, text)}"}\n`);
}

/** `none` where there is no file; `invalid` where none of the keys signed it. */
export function readCheckpoint(path: string, keys: readonly AuditKey[]): Checkpoint | 'none' | 'invalid' {
  let line: string;
  try {
    line = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw cause;
  }
  const [, head, mac] = /^(\{.*),"mac":"([0-9a-f]{64})"\}\n$/.exec(line) ?? [];
  if (head === undefined || mac === undefined) return 'invalid';
  const text = `${head}}`;
  return keys.some((key) => isMac(key.checkpoint, text, mac)) ? (JSON.parse(text) as Checkpoint) : 'invalid';
}
