/**
 * A plan token binds what was previewed to what is applied: tool, arguments, principal, access settings and catalog. It
 * lives 300 seconds and is spent when its request is sent, so the same preview can never be applied twice.
 *
 * The signature covers full digests of everything bound. The token itself carries two bytes of each, which are enough
 * to tell a caller what differs and keep the token short for a model to copy.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { canonicalJson, digest } from './canonical.ts';

export const PLAN_TOKEN_SECONDS = 300;

export interface Plan {
  tool: string;
  arguments: unknown;
  principal: string;
  /** Profile, gate state and confirmation mode: a token from before a setting was touched is void. */
  access: unknown;
  catalog: string;
}

const BOUND = ['tool', 'principal', 'arguments', 'access', 'catalog'] as const;
const REASONS: Record<(typeof BOUND)[number], string> = {
  tool: 'it belongs to another tool',
  principal: 'it was issued to another principal',
  arguments: 'the arguments differ from the ones previewed',
  access: 'the access settings changed since the preview',
  catalog: 'the catalog changed since the preview',
};
const ID_BYTES = 9;
const HINT_BYTES = 2;
const PAYLOAD_BYTES = ID_BYTES + 4 + BOUND.length * HINT_BYTES;

export type PlanCheck = { ok: true; id: string; expiresAt: number } | { ok: false; reason: string };

export class PlanTokens {
  readonly #key: Uint8Array;
  readonly #now: () => number;
  /** Spent ids until they expire anyway. With replicas this becomes a shared store. */
  readonly #spent = new Map<string, number>();

  constructor(key: Uint8Array, now: () => number = Date.now) {
    this.#key = key;
    this.#now = now;
  }

  issue(plan: Plan): string {
    const expires = Buffer.alloc(4);
    expires.writeUInt32BE(Math.floor(this.#now() / 1000) + PLAN_TOKEN_SECONDS);
    const payload = Buffer.concat([randomBytes(ID_BYTES), expires, ...hints(plan)]).toString('base64url');
    return `${payload}.${this.#mac(payload, plan)}`;
  }

  check(token: string, plan: Plan): PlanCheck {
    const [payload = '', mac = ''] = token.length > 200 ? [] : token.split('.', 2);
    const bytes = Buffer.from(payload, 'base64url');
    const want = Buffer.from(this.#mac(payload, plan));
    const got = Buffer.from(mac);
    // Text is compared, not what it decodes to: the unused bits of base64 must match as well.
    if (
      token !== `${payload}.${mac}` ||
      got.length !== want.length ||
      !timingSafeEqual(got, want) ||
      bytes.length !== PAYLOAD_BYTES
    ) {
      return { ok: false, reason: whyNot(bytes, plan) };
    }
    const id = bytes.subarray(0, ID_BYTES).toString('base64url');
    const expiresAt = bytes.readUInt32BE(ID_BYTES) * 1000;
    if (expiresAt <= this.#now()) return { ok: false, reason: `it expired (its life is ${PLAN_TOKEN_SECONDS} s)` };
    if (this.#spent.has(id)) return { ok: false, reason: 'it was already used' };
    return { ok: true, id, expiresAt };
  }

  /** True for the first caller only. */
  spend(id: string, expiresAt: number): boolean {
    const now = this.#now();
    for (const [spent, until] of this.#spent) if (until <= now) this.#spent.delete(spent);
    if (this.#spent.has(id)) return false;
    this.#spent.set(id, expiresAt);
    return true;
  }

  #mac(payload: string, plan: Plan): string {
    const bound = canonicalJson(BOUND.map((part) => plan[part]));
    return createHmac('sha256', this.#key).update(`plan\0${payload}\0${bound}`).digest('base64url');
  }
}

function hints(plan: Plan): Buffer[] {
  return BOUND.map((part) => Buffer.from(digest(plan[part]), 'base64url').subarray(0, HINT_BYTES));
}

/** The token failed already; this only words the refusal. */
function whyNot(bytes: Buffer, plan: Plan): string {
  if (bytes.length === PAYLOAD_BYTES) {
    const own = hints(plan);
    const differs = BOUND.find((_, i) => {
      const from = ID_BYTES + 4 + i * HINT_BYTES;
      return !bytes.subarray(from, from + HINT_BYTES).equals(own[i] as Buffer);
    });
    if (differs) return REASONS[differs];
  }
  return 'it was not issued by this router, or was altered';
}
