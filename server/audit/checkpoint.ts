/**
 * How far an audit log went, signed and kept beside the key: a log whose end was cut off is shorter than its checkpoint says.
 * It is written after the lines that it covers are on the disk, so a crash never makes it say too much. The HMAC is checked
 * with the key file; the Ed25519 signature with the public key alone, by somebody who cannot write a line.
 */
import { type KeyObject, sign, verify } from 'node:crypto';
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

/** What a checkpoint is checked with: keys of the log, or the public key that its operator gave away. */
export type CheckpointKeys = readonly AuditKey[] | KeyObject;

const isPublic = (keys: CheckpointKeys): keys is KeyObject => !Array.isArray(keys);

/** Replaced as a whole or not at all; mode 0600. */
export function writeCheckpoint(path: string, key: AuditKey, { seq, hash, first, count, at }: Checkpoint): void {
  const signed = JSON.stringify({ seq, hash, first, count, at, key: key.id });
  const signature = sign(null, Buffer.from(signed), key.signing).toString('base64url');
  const text = `${signed.slice(0, -1)},"signature":"${signature}"}`;
  writeAtomically(path, `${text.slice(0, -1)},"mac":"${macOf(key.checkpoint, text)}"}\n`);
}

const WRITTEN = /^((\{.*?)(?:,"signature":"([A-Za-z0-9_-]{86})")?),"mac":"([0-9a-f]{64})"\}\n$/;

/** `none` where there is no file; `invalid` where none of the keys signed it. */
export function readCheckpoint(path: string, keys: CheckpointKeys): Checkpoint | 'none' | 'invalid' {
  let line: string;
  try {
    line = readFileSync(path, 'utf8');
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return 'none';
    throw cause;
  }
  const [, head, fields, signature, mac] = WRITTEN.exec(line) ?? [];
  if (head === undefined || fields === undefined || mac === undefined) return 'invalid';
  const genuine = isPublic(keys)
    ? signature !== undefined && verify(null, Buffer.from(`${fields}}`), keys, Buffer.from(signature, 'base64url'))
    : keys.some((key) => isMac(key.checkpoint, `${head}}`, mac));
  return genuine ? (JSON.parse(`${head}}`) as Checkpoint) : 'invalid';
}
