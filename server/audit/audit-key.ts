/**
 * The key of an audit log: without it nobody can write a line, or take one out, unnoticed. It is kept apart from the keys that
 * sign plan tokens, because it must outlive them: a log is checked years later.
 */
import {
  createHash,
  createHmac,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mustBePrivateKeyFile } from '../config/private-path.ts';
import { RouterError } from '../errors.ts';
import { writeOnce } from '../files/atomic-write.ts';

export interface AuditKey {
  /** Eight hex digits that say which key it is, and not what it is. */
  id: string;
  line: Uint8Array;
  checkpoint: Uint8Array;
  /** Ed25519. Whoever has only its public half can check a checkpoint, and cannot write a line. */
  signing: KeyObject;
}

const KEY = /^[0-9a-f]{64}$/i;

/** Made with a new key where there is none; refuses with CONFIG_INVALID a file that others may read, or of another form. */
export function openAuditKey(path: string): AuditKey {
  writeOnce(path, `${randomBytes(32).toString('hex')}\n`);
  return readAuditKeys(path)[0] as AuditKey;
}

/** Keys of a file, one a line: the first one writes, the others are those of earlier logs. */
export function readAuditKeys(path: string): AuditKey[] {
  mustBePrivateKeyFile(path);
  const lines = readFileSync(path, 'utf8')
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean);
  if (lines.length === 0 || !lines.every((line) => KEY.test(line)))
    throw new RouterError('CONFIG_INVALID', `${path} should hold keys of 64 hex digits, one a line, got another form`);
  return lines.map((line) => auditKey(Buffer.from(line, 'hex')));
}

export function auditKey(secret: Uint8Array): AuditKey {
  const derive = (purpose: string) => createHmac('sha256', secret).update(`audit\0${purpose}`).digest();
  const id = createHash('sha256').update(derive('id')).digest('hex').slice(0, 8);
  const der = Buffer.concat([ED25519_PKCS8, derive('signing')]);
  const signing = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  return { id, line: derive('line'), checkpoint: derive('checkpoint'), signing };
}

/** What stands before the 32 bytes of an Ed25519 key in PKCS #8 and in SPKI (RFC 8410). */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** The 32 bytes of the public half, in base64url. */
export function publicKeyOf({ signing }: Pick<AuditKey, 'signing'>): string {
  const spki = createPublicKey(signing).export({ format: 'der', type: 'spki' });
  return spki.subarray(ED25519_SPKI.length).toString('base64url');
}

/** Of the text that `publicKeyOf` gives; refuses another form with CONFIG_INVALID. */
export function readPublicKey(text: string): KeyObject {
  if (!/^[A-Za-z0-9_-]{43}$/.test(text))
    throw new RouterError('CONFIG_INVALID', 'the public key should be 43 characters of base64url, got another form');
  const der = Buffer.concat([ED25519_SPKI, Buffer.from(text, 'base64url')]);
  return createPublicKey({ key: der, format: 'der', type: 'spki' });
}

/** 64 hex digits. */
export const macOf = (key: Uint8Array, text: string): string => createHmac('sha256', key).update(text).digest('hex');

export function isMac(key: Uint8Array, text: string, mac: string): boolean {
  const want = Buffer.from(macOf(key, text));
  const got = Buffer.from(mac);
  return got.length === want.length && timingSafeEqual(got, want);
}
