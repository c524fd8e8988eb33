/**
 * A plan token binds what was previewed to what is applied: tool, arguments, principal, access settings, catalog, account
 * and the state of the target. It lives 300 seconds, or longer where operators answer, and is spent when its request is sent, so the same preview can never
 * be applied twice.
 *
 * The signature covers full digests of everything bound. The token itself carries two bytes of each, which are enough
 * to tell a caller what differs and keep the token short for a model to copy. It also carries eight bytes of the digest of
 * the target, because that digest is compared with a later read and not with the arguments of the call.
 */
import { randomBytes } from 'node:crypto';
import { canonicalJson, digest } from './canonical-json.ts';
import { type Keys, keysFor } from './keyring.ts';
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
  /** Account and origin that the request goes to; null for a tool that sends several. */
  account: unknown;
}

const BOUND = ['tool', 'principal', 'arguments', 'access', 'catalog', 'account'] as const;
const REASONS: Record<(typeof BOUND)[number], string> = {
  tool: 'it belongs to another tool',
  principal: 'it was issued to another principal',
  arguments: 'the arguments differ from the ones previewed',
  access: 'the access settings changed since the preview',
  catalog: 'the catalog changed since the preview',
  account: 'the account or the address of the platform changed since the preview',
};
const ID_BYTES = 9;
const HINT_BYTES = 2;
const HINTS_AT = ID_BYTES + 4;
const TARGET_BYTES = 8;
const TARGET_AT = HINTS_AT + BOUND.length * HINT_BYTES;
const PAYLOAD_BYTES = TARGET_AT + TARGET_BYTES;
/** In place of the digest of a target that the preview could not read. */
const NO_TARGET = Buffer.alloc(TARGET_BYTES);

export type PlanCheck =
  | {
      ok: true;
      id: string;
      /** Milliseconds since 1970. */
      expiresAt: number;
      /** Is this the target that the preview read? True for every target where the preview read none. */
      isTarget: (digest: string | undefined) => boolean;
      /** Did the preview read a target at all? */
      readTarget: boolean;
    }
  /** `changed` names what differs from the preview; without it the token itself is no good. `used`: an earlier call brought it. */
  | { ok: false; reason: string; changed?: (typeof BOUND)[number]; used?: true };

export class PlanTokens {
  readonly #keys: Keys;
  readonly #used: SingleUse;
  readonly #now: () => number;
  /** Life of a token, in seconds. */
  readonly seconds: number;

  constructor(keys: Keys, used: SingleUse, now: () => number = Date.now, seconds = PLAN_TOKEN_SECONDS) {
    this.#keys = keysFor(keys, 'plan');
    this.#used = used;
    this.#now = now;
    this.seconds = seconds;
  }

  /** Of the store that a token is bound to. */
  get storeId(): string {
    return this.#used.id;
  }

  /** `target` is the digest of the target as the preview read it; undefined where it read none. */
  issue(plan: Plan, target?: string): string {
    const expires = Buffer.alloc(4);
    expires.writeUInt32BE(Math.floor(this.#now() / 1000) + this.seconds);
    const payload = Buffer.concat([randomBytes(ID_BYTES), expires, ...hints(plan), targetBytes(target)]).toString(
      'base64url',
    );
    return `${payload}.${macOf(this.#keys.current, this.#signedOf(payload, plan))}`;
  }

  async check(token: string, plan: Plan): Promise<PlanCheck> {
    const [payload = '', mac = ''] = token.length > 200 ? [] : token.split('.', 2);
    const bytes = Buffer.from(payload, 'base64url');
    // Text is compared, not what it decodes to: the unused bits of base64 must match as well.
    const whole = token === `${payload}.${mac}` && bytes.length === PAYLOAD_BYTES;
    if (!whole || !isSigned(this.#keys, this.#signedOf(payload, plan), mac))
      return { ok: false, ...whyNot(bytes, plan) };
    const id = bytes.subarray(0, ID_BYTES).toString('base64url');
    const expiresAt = bytes.readUInt32BE(ID_BYTES) * 1000;
    if (expiresAt <= this.#now()) return { ok: false, reason: `it expired (its life is ${this.seconds} s)` };
    if (await this.#used.isConsumed(id, expiresAt)) return { ok: false, reason: 'it was already used', used: true };
    const read = bytes.subarray(TARGET_AT);
    const readTarget = !read.equals(NO_TARGET);
    return {
      ok: true,
      id,
      expiresAt,
      readTarget,
      isTarget: (digest) => !readTarget || read.equals(targetBytes(digest)),
    };
  }

  /** True for the first caller only, whichever replica it calls. */
  consume({ id, expiresAt }: PlanCheck & { ok: true }): Promise<boolean> {
    return this.#used.consume(id, expiresAt);
  }

  /** The signed data beside the payload. It includes the store, so that a token is valid at one store only. */
  #signedOf(payload: string, plan: Plan): string {
    return `${payload}\0${canonicalJson([...BOUND.map((part) => plan[part]), this.#used.id])}`;
  }
}

function hints(plan: Plan): Buffer[] {
  return BOUND.map((part) => Buffer.from(digest(plan[part]), 'base64url').subarray(0, HINT_BYTES));
}

function targetBytes(target: string | undefined): Buffer {
  return target === undefined ? NO_TARGET : Buffer.from(digest(target), 'base64url').subarray(0, TARGET_BYTES);
}

/** The token failed already; this only words the refusal. */
function whyNot(bytes: Buffer, plan: Plan): { reason: string; changed?: (typeof BOUND)[number] } {
  if (bytes.length === PAYLOAD_BYTES) {
    const own = hints(plan);
    const changed = BOUND.find((_, i) => {
      const from = HINTS_AT + i * HINT_BYTES;
      return !bytes.subarray(from, from + HINT_BYTES).equals(own[i] as Buffer);
    });
    if (changed) return { reason: REASONS[changed], changed };
  }
  return { reason: 'it was not issued by this router, or was altered' };
}
