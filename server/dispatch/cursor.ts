/** Signed cursors: where to go on in a list that the router cut. They carry the place, the client carries them. */
import { digest } from './canonical-json.ts';
import type { Keys } from './keyring.ts';
import { Signer } from './signing.ts';

/** The list that a cursor goes on with, and who asked for it. */
export interface CursorOf {
  tool: string;
  arguments: unknown;
  principal: string;
}

const boundTo = ({ tool, arguments: args, principal }: CursorOf): string =>
  digest([tool, args, principal]).slice(0, 16);

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

  issue(of: CursorOf, offset: number): string {
    return this.#signer.seal([offset, Math.floor(this.#now() / 1000) + this.#ttlSeconds, boundTo(of)]);
  }

  /** The offset, or why the cursor is no good here; `isForeign` where it is none of the router's. */
  read(cursor: string, of: CursorOf): { offset: number } | { reason: string; isForeign?: true } {
    const payload = this.#signer.open(cursor);
    if (!Array.isArray(payload)) return { reason: 'it was not issued by this router, or was altered', isForeign: true };
    const [offset, expiresAt, bound] = payload as [number, number, string];
    if (expiresAt * 1000 <= this.#now()) return { reason: `it expired (its life is ${this.#ttlSeconds} s)` };
    if (bound !== boundTo(of)) return { reason: 'it belongs to another tool, other arguments or another principal' };
    return { offset };
  }
}
