/**
 * Access tokens in JWT form (RFC 9068, RFC 8725): signature by a key of the issuer, issuer, audience and times. A token that was
 * verified is kept by its hash until it expires, so that each further call with it costs one hash.
 */
import { hash } from 'node:crypto';
import type { JWTPayload } from 'jose';
import type { OAuthSettings } from '../config/oauth-settings.ts';
import * as lazyImport from '../lazy-import.ts';
import type { Logger } from '../telemetry/logger.ts';
import type { KeySet } from './key-set.ts';

/** No `none`, and no HS*: with those the public key of the issuer would be the secret. */
const ALGORITHMS = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'ES512',
  'EdDSA',
  'Ed25519',
];
const TYPES = [undefined, 'at+jwt', 'application/at+jwt', 'jwt', 'application/jwt'];
const MOST_BYTES = 8 * 1024;
const MOST_KEPT = 1_024;
const LONGEST_SUBJECT = 256;
/** Each reason is told once in so long, with how often it was not: nobody needs a token to be refused. */
const LOG_EVERY_MS = 1_000;

export interface VerifiedToken {
  /** One object per token as long as it is kept. */
  claims: Readonly<JWTPayload> & { sub: string };
  /** Seconds since 1970; after it, with the skew, the token is refused. */
  expiresAt: number;
}

/** `unavailable`: the key is not known, and the authorization server cannot be asked for it. */
export type Verified = VerifiedToken | 'invalid' | 'unavailable';

/** A JWS in compact form, and so no bearer of a principal. */
export const isJwt = (bearer: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]*$/.test(bearer);

export interface TokenVerifierOptions {
  settings: Pick<OAuthSettings, 'issuer' | 'audience' | 'skewSeconds'>;
  keys: KeySet;
  logger: Logger;
  /** Milliseconds since 1970. */
  now?: () => number;
}

export class TokenVerifier {
  readonly #options: TokenVerifierOptions;
  readonly #now: () => number;
  /** In the order of their last use. */
  readonly #kept = new Map<string, VerifiedToken>();
  #version = 0;
  /** By reason: when it was told, of a clock that never goes back, and how many refusals since then. */
  readonly #told = new Map<string, { at: number; since: number }>();

  constructor(options: TokenVerifierOptions) {
    this.#options = options;
    this.#now = options.now ?? Date.now;
  }

  /** At once for a token that was verified before. */
  verify(token: string): Verified | Promise<Verified> {
    if (token.length > MOST_BYTES) return this.#refused('too_long');
    this.#options.keys.keepFresh();
    const id = hash('sha256', token, 'base64url');
    const kept = this.#find(id);
    return kept ?? this.#check(token, id);
  }

  #find(id: string): VerifiedToken | undefined {
    const { keys } = this.#options;
    if (this.#version !== keys.version) {
      this.#kept.clear();
      this.#version = keys.version;
    }
    const kept = this.#kept.get(id);
    if (kept === undefined) return undefined;
    this.#kept.delete(id);
    // Checked anew then, which names the reason.
    if (this.#isOver(kept)) return undefined;
    this.#kept.set(id, kept);
    return kept;
  }

  async #check(token: string, id: string): Promise<Verified> {
    const { settings, keys } = this.#options;
    const { jwtVerify, errors } = await lazyImport.jose();
    const { version } = keys;
    let verified: { payload: JWTPayload; protectedHeader: { typ?: string } };
    try {
      verified = await jwtVerify(token, keys.keyOf, {
        algorithms: ALGORITHMS,
        issuer: settings.issuer,
        audience: settings.audience,
        clockTolerance: settings.skewSeconds,
        currentDate: new Date(this.#now()),
        requiredClaims: ['exp', 'sub'],
      });
    } catch (error) {
      if (error instanceof errors.JWKSNoMatchingKey && !keys.isReachable) return this.#unavailable();
      return this.#refused(reasonOf(error));
    }
    const problem = this.#problemOf(verified);
    if (problem !== undefined) return this.#refused(problem);
    const { payload } = verified;
    const found = { claims: payload as VerifiedToken['claims'], expiresAt: payload.exp as number };
    // Keys that changed meanwhile may not hold the one that verified it.
    if (version === keys.version) this.#keep(id, found);
    return found;
  }

  /** What the library leaves to the caller. */
  #problemOf({ payload, protectedHeader }: { payload: JWTPayload; protectedHeader: { typ?: string } }) {
    const { sub, iat, cnf } = payload;
    if (!TYPES.includes(protectedHeader.typ?.toLowerCase())) return 'other_type';
    if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT) return 'no_subject';
    if (typeof iat === 'number' && iat > this.#now() / 1000 + this.#options.settings.skewSeconds)
      return 'not_yet_valid';
    // RFC 7800: bound to a key that this request does not prove.
    return cnf === undefined ? undefined : 'bound_to_a_key';
  }

  #keep(id: string, found: VerifiedToken): void {
    this.#kept.set(id, found);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > MOST_KEPT && oldest !== undefined) this.#kept.delete(oldest);
  }

  #isOver({ expiresAt }: VerifiedToken): boolean {
    return expiresAt + this.#options.settings.skewSeconds <= this.#now() / 1000;
  }

  #refused(reason: string): 'invalid' {
    this.#tell('info', reason);
    return 'invalid';
  }

  #unavailable(): 'unavailable' {
    this.#tell('warn', 'keys_unreachable');
    return 'unavailable';
  }

  /** Of the token only the reason is told. */
  #tell(level: 'info' | 'warn', reason: string): void {
    const now = performance.now();
    const { at, since } = this.#told.get(reason) ?? { at: Number.NEGATIVE_INFINITY, since: 0 };
    const isDue = now - at >= LOG_EVERY_MS;
    this.#told.set(reason, isDue ? { at: now, since: 0 } : { at, since: since + 1 });
    if (isDue)
      this.#options.logger[level]('oauth.token_refused', { reason, ...(since === 0 ? {} : { untold: since }) });
  }
}

/** A word of a closed list; an error of the library may repeat what the token says. */
function reasonOf(error: unknown): string {
  const { code, claim } = error as { code?: unknown; claim?: unknown };
  if (code === 'ERR_JWT_EXPIRED') return 'expired';
  if (code === 'ERR_JWT_CLAIM_VALIDATION_FAILED') return CLAIMS.get(String(claim)) ?? 'other_claim';
  if (code === 'ERR_JWS_SIGNATURE_VERIFICATION_FAILED') return 'signature';
  if (code === 'ERR_JWKS_NO_MATCHING_KEY') return 'unknown_key';
  return code === 'ERR_JOSE_ALG_NOT_ALLOWED' ? 'algorithm' : 'malformed';
}

const CLAIMS: ReadonlyMap<string, string> = new Map([
  ['iss', 'other_issuer'],
  ['aud', 'other_audience'],
  ['nbf', 'not_yet_valid'],
  ['exp', 'no_expiry'],
  ['sub', 'no_subject'],
]);
