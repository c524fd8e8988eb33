/**
 * A plan token binds what was previewed to what is applied: tool, arguments, principal, access settings and catalog. It
 * lives 300 seconds and is spent when its request is sent, so the same preview can never be applied twice.
 */
import { randomBytes } from 'node:crypto';
import { digest } from './canonical.ts';
import { Signer } from './signing.ts';

export const PLAN_TOKEN_SECONDS = 300;

export interface Plan {
  tool: string;
  arguments: unknown;
  principal: string;
  /** Profile and gate state: a token from before a gate was touched is void. */
  access: unknown;
  catalog: string;
}

const BOUND = ['tool', 'arguments', 'principal', 'access', 'catalog'] as const;
const REASONS: Record<(typeof BOUND)[number], string> = {
  tool: 'it belongs to another tool',
  arguments: 'the arguments differ from the ones previewed',
  principal: 'it was issued to another principal',
  access: 'the access settings changed since the preview',
  catalog: 'the catalog changed since the preview',
};

export type PlanCheck = { ok: true; id: string; expiresAt: number } | { ok: false; reason: string };

export class PlanTokens {
  readonly #signer: Signer;
  readonly #now: () => number;
  /** Spent ids until they expire anyway. With replicas this becomes a shared store. */
  readonly #spent = new Map<string, number>();

  constructor(key: Uint8Array, now: () => number = Date.now) {
    this.#signer = new Signer(key, 'plan');
    this.#now = now;
  }

  issue(plan: Plan): string {
    const expiresAt = Math.floor(this.#now() / 1000) + PLAN_TOKEN_SECONDS;
    return this.#signer.seal([
      randomBytes(9).toString('base64url'),
      expiresAt,
      ...BOUND.map((part) => short(plan[part])),
    ]);
  }

  check(token: string, plan: Plan): PlanCheck {
    const payload = this.#signer.open(token);
    if (!Array.isArray(payload)) return { ok: false, reason: 'it was not issued by this router, or was altered' };
    const [id, expiresAt, ...bound] = payload as [string, number, ...string[]];
    if (expiresAt * 1000 <= this.#now())
      return { ok: false, reason: `it expired (its life is ${PLAN_TOKEN_SECONDS} s)` };
    const differs = BOUND.find((part, i) => bound[i] !== short(plan[part]));
    if (differs) return { ok: false, reason: REASONS[differs] };
    if (this.#spent.has(id)) return { ok: false, reason: 'it was already used' };
    return { ok: true, id, expiresAt: expiresAt * 1000 };
  }

  /** True for the first caller only. */
  spend(id: string, expiresAt: number): boolean {
    const now = this.#now();
    for (const [spent, until] of this.#spent) if (until <= now) this.#spent.delete(spent);
    if (this.#spent.has(id)) return false;
    this.#spent.set(id, expiresAt);
    return true;
  }
}

/** 96 bits of a digest: the whole token is signed, these only have to tell two values apart. */
function short(value: unknown): string {
  return digest(value).slice(0, 16);
}
