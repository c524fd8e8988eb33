/**
 * A plan token binds what was previewed to what is applied: tool, arguments, principal, access settings and catalog. It
 * lives 300 seconds and is spent when its request is sent, so the same preview can never be applied twice.
 *
 * The signature covers full digests of everything bound. The token itself carries two bytes of each, which are enough
 * to tell a caller what differs and keep the token short for a model to copy.
 */
import { randomBytes } from 'node:crypto';
import { canonicalJson, digest } from './canonical.ts';
import { type Keys, keysFor } from './keys.ts';
import { isSigned, macOf } from './signing.ts';
import type { SingleUse } from './single-use.ts';

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
  readonly #keys: Keys;
  readonly #used: SingleUse;
  readonly #now: () => number;

  constructor(keys: Keys, used: SingleUse, now: () => number = Date.now) {
    this.#keys = keysFor(keys, 'plan');
    this.#used = used;
    this.#now = now;
  }

  issue(plan: Plan): string {
    const expires = Buffer.alloc(4);
    expires.writeUInt32BE(Math.floor(this.#now() / 1000) + PLAN_TOKEN_SECONDS);
    const payload = Buffer.concat([randomBytes(ID_BYTES), expires, ...hints(plan)]).toString('base64url');
    return `${payload}.${macOf(this.#keys.current, this.#signedOf(payload, plan))}`;
  }

  async check(token: string, plan: Plan): Promise<PlanCheck> {
    const [payload = '', mac = ''] = token.length > 200 ? [] : token.split('.', 2);
    const bytes = Buffer.from(payload, 'base64url');
    // Text is compared, not what it decodes to: the unused bits of base64 must match as well.
    const whole = token === `${payload}.${mac}` && bytes.length === PAYLOAD_BYTES;
    if (!whole || !isSigned(this.#keys, this.#signedOf(payload, plan), mac))
      return { ok: false, reason: whyNot(bytes, plan) };
    const id = bytes.subarray(0, ID_BYTES).toString('base64url');
    const expiresAt = bytes.readUInt32BE(ID_BYTES) * 1000;
    if (expiresAt <= this.#now()) return { ok: false, reason: `it expired (its life is ${PLAN_TOKEN_SECONDS} s)` };
    if (await this.#used.isSpent(id, expiresAt)) return { ok: false, reason: 'it was already used' };
    return { ok: true, id, expiresAt };
  }

  /** True for the first caller only, whichever replica it calls. */
  spend({ id, expiresAt }: PlanCheck & { ok: true }): Promise<boolean> {
    return this.#used.spend(id, expiresAt);
  }

  /** What is signed beside the payload; the store is part of it, so that no other store can let it pass again. */
  #signedOf(payload: string, plan: Plan): string {
    return `${payload}\0${canonicalJson([...BOUND.map((part) => plan[part]), this.#used.id])}`;
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
