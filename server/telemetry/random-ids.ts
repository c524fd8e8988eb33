/** Ids of traces and spans (W3C Trace Context). Random bytes are drawn for many at once, because one draw costs more than the rest of a span. */
import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 4_096;

export class RandomIds {
  readonly #pool = Buffer.alloc(POOL_BYTES);
  #at = POOL_BYTES;

  /** 16 bytes for a trace, 8 for a span, in hex. Never all zeros, which the standard forbids. */
  next(bytes: 8 | 16): string {
    if (this.#at + bytes > POOL_BYTES) {
      randomFillSync(this.#pool);
      this.#at = 0;
    }
    const id = this.#pool.toString('hex', this.#at, this.#at + bytes);
    this.#at += bytes;
    return /[^0]/.test(id) ? id : this.next(bytes);
  }
}
