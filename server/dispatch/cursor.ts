/** Signed cursors: where to go on in a list that the router cut. They carry the place, the client carries them. */
import { digest } from './canonical.ts';
import type { Keys } from './keys.ts';
import { Signer } from './signing.ts';

export class Cursors {
  readonly #signer: Signer;
  readonly #ttlSeconds: number;
  readonly #now: () => number;

  constructor(keys: Keys, ttlSeconds: number, now: () => number = Date.now) {
    this.#signer = new Signer(keys, 'cursor');
    this.#ttlSeconds = ttlSeconds;
    this.#now = now;
  }

  get ttlSeconds(): number {
    return this.#ttlSeconds;
  }

  issue(tool: string, args: unknown, offset: number): string {
    return this.#signer.seal([
      offset,
      Math.floor(this.#now() / 1000) + this.#ttlSeconds,
      digest([tool, args]).slice(0, 16),
    ]);
  }

  /** The offset, or why the cursor is no good here. */
  read(cursor: string, tool: string, args: unknown): { offset: number } | { reason: string } {
    const payload = this.#signer.open(cursor);
    if (!Array.isArray(payload)) return { reason: 'it was not issued by this router, or was altered' };
    const [offset, expiresAt, bound] = payload as [number, number, string];
    if (expiresAt * 1000 <= this.#now()) return { reason: `it expired (its life is ${this.#ttlSeconds} s)` };
    if (bound !== digest([tool, args]).slice(0, 16)) return { reason: 'it belongs to another tool or other arguments' };
    return { offset };
  }
}
