/** Signed text that a client carries for us: plan tokens and cursors. The text itself is compared, so no bit may differ. */
import { createHmac, timingSafeEqual } from 'node:crypto';

export class Signer {
  readonly #key: Uint8Array;
  readonly #purpose: string;

  /** The purpose keeps a cursor from ever being accepted as a plan token. */
  constructor(key: Uint8Array, purpose: string) {
    this.#key = key;
    this.#purpose = purpose;
  }

  seal(payload: unknown): string {
    const text = Buffer.from(JSON.stringify(payload)).toString('base64url');
    return `${text}.${this.#mac(text)}`;
  }

  /** The payload, or undefined when the text is not ours to the last bit. */
  open(sealed: string): unknown {
    const dot = sealed.indexOf('.');
    if (dot < 1 || sealed.length > 1024) return undefined;
    const text = sealed.slice(0, dot);
    const got = Buffer.from(sealed.slice(dot + 1));
    const want = Buffer.from(this.#mac(text));
    if (got.length !== want.length || !timingSafeEqual(got, want)) return undefined;
    return JSON.parse(Buffer.from(text, 'base64url').toString());
  }

  #mac(text: string): string {
    return createHmac('sha256', this.#key).update(`${this.#purpose}\0${text}`).digest('base64url');
  }
}
