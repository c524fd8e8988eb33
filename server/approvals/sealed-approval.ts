/**
 * Approvals as they are stored: encrypted and authenticated with AES-256-GCM under a key of the router, bound to their id.
 * So whoever can read the store learns no request, and whoever can write to it cannot make an approval.
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import type { Approval } from './approval.ts';

/** Keys of 32 bytes that were derived for this purpose: the first one seals, every one opens. */
export interface SealingKeys {
  readonly current: Uint8Array;
  readonly all: readonly Uint8Array[];
}

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const CIPHER = 'aes-256-gcm';

export function sealApproval(keys: SealingKeys, approval: Approval): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, keys.current, nonce).setAAD(Buffer.from(approval.id));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(approval), 'utf8'), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString('base64');
}

/** The approval, or undefined for a text that was not sealed for this id with one of the keys. */
export function openApproval(keys: SealingKeys, id: string, text: string): Approval | undefined {
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
  for (const key of keys.all) {
    try {
      const opener = createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE_BYTES), { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(id))
        .setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const opened = Buffer.concat([opener.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), opener.final()]);
      return JSON.parse(opened.toString('utf8')) as Approval;
    } catch {
      // Sealed with another key, or altered.
    }
  }
  return undefined;
}
