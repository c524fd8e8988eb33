/** Signed text that a client carries for us, such as a cursor. The text itself is compared, so no bit may differ. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Keys, keysFor } from './keyring.ts';

export class Signer {
  readonly #keys: Keys;

  /** The purpose keeps a cursor from ever being accepted as a plan token. */
  constructor(keys: Keys, purpose: string) {
    this.#keys = keysFor(keys, purpose);
  }

  seal(payload: unknown): string {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${macOf(this.#keys.current, text)}`;
  }

  /** The payload, or undefined when the text is not ours to the last bit. */
  open(sealed: string): unknown {
    const dot = sealed.indexOf('.');
    if (dot < 1 || sealed.length > 1024) return undefined;
    const text = sealed.slice(0, dot);
    if (!isSigned(this.#keys, text, sealed.slice(dot + 1))) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  }
}

/**
 * Whether base64url text is what its bytes are written as, the one way: no padding, no blank, no bit to spare. For a codec that
 * compares bytes, and so takes several texts for one.
 */
export function isCanonical(text: string): boolean {
  return Buffer.from(text, 'base64url').toString('base64url') === text;
}

export function macOf(key: Uint8Array, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Does any of the keys sign this text so? */
export function isSigned(keys: Keys, text: string, mac: string): boolean {
  const got = Buffer.from(mac);
  return keys.all.some((key) => {
    const want = Buffer.from(macOf(key, text));
    return got.length === want.length && timingSafeEqual(got, want);
  });
}
