/** Who calls with an access token, and what it may use: its scopes, narrowed by the principal of the file that its claims match. */
import { hash } from 'node:crypto';
import type { Config } from '../config/config.ts';
import type { OAuthSettings } from '../config/oauth-settings.ts';
import type { Egress } from '../egress/egress.ts';
import type { Principal } from '../principals/principal.ts';
import { DEFAULT_LIMITS } from '../principals/principal.ts';
import type { Principals } from '../principals/principals.ts';
import type { Logger } from '../telemetry/logger.ts';
import { KeySet, type KeySetTimes } from './key-set.ts';
import { mustBeScopes, scopedAccess, supportedScopes } from './oauth-scopes.ts';
import { type TokenVerifier, type VerifiedToken, TokenVerifier as Verifier } from './token-verifier.ts';

/** Like a principal of the file, without bearers. */
export type OAuthCaller = Omit<Principal, 'hashes'>;

/** `unlisted`: the token is good, and the settings admit listed principals alone. */
export type Proof = OAuthCaller | 'invalid' | 'unavailable' | 'unlisted';

export interface OAuthCallersOptions {
  config: Pick<Config, 'platforms' | 'localToolsets'>;
  settings: OAuthSettings;
  egress: Egress;
  principals: Pick<Principals, 'ofClaims'> | undefined;
  logger: Logger;
  times?: Partial<KeySetTimes>;
  /** Milliseconds since 1970. */
  now?: () => number;
}

/** Of one token: found anew when the file of the principals was read again. */
interface Known {
  principal: Principal | undefined;
  caller: OAuthCaller | undefined;
}

export class OAuthCallers {
  readonly settings: OAuthSettings;
  /** Every scope that means something on this router. */
  readonly supported: readonly string[];
  readonly #options: OAuthCallersOptions;
  readonly #supported: ReadonlySet<string>;
  readonly #verifier: TokenVerifier;
  readonly #known = new WeakMap<VerifiedToken, Known>();

  /** Throws CONFIG_INVALID for an unknown scope of the settings. */
  constructor(options: OAuthCallersOptions) {
    const { settings, config, logger, now, egress, times } = options;
    mustBeScopes(settings.scopes, config);
    this.#options = options;
    this.settings = settings;
    this.supported = supportedScopes(config);
    this.#supported = new Set(this.supported);
    const keys = new KeySet({ ...settings, egress, logger, ...(times ? { times } : {}) });
    this.#verifier = new Verifier({ settings, keys, logger, ...(now ? { now } : {}) });
  }

  /** At once for a token that was verified before. */
  prove(token: string): Proof | Promise<Proof> {
    const verified = this.#verifier.verify(token);
    if (verified instanceof Promise) return verified.then((found) => this.#proofOf(found));
    return this.#proofOf(verified);
  }

  #proofOf(verified: VerifiedToken | 'invalid' | 'unavailable'): Proof {
    if (typeof verified === 'string') return verified;
    const { principals } = this.#options;
    const principal = principals?.ofClaims(verified.claims);
    const known = this.#known.get(verified);
    if (known !== undefined && known.principal === principal) return known.caller ?? 'unlisted';
    const caller = this.#callerOf(verified, principal);
    this.#known.set(verified, { principal, caller });
    return caller ?? 'unlisted';
  }

  #callerOf({ claims }: VerifiedToken, principal: Principal | undefined): OAuthCaller | undefined {
    const { settings, logger } = this.#options;
    const scopes = scopedAccess(claims['scope'] ?? claims['scp'], this.#supported);
    if (principal !== undefined) {
      const { hashes: _, ...own } = principal;
      return { ...own, access: Object.freeze({ ...own.access, scopes }) };
    }
    if (settings.unlisted === 'refuse') {
      logger.info('oauth.token_refused', { reason: 'unlisted_subject' });
      return undefined;
    }
    const name = nameOf(claims.sub, settings.issuer);
    return { name, access: Object.freeze({ scopes, ...DEFAULT_LIMITS }), mayApprove: true, metrics: false };
  }
}

/**
 * `ada@id.example~` and 24 hex digits: no name of the file has this form, and issuer and subject in full decide the digits. So two
 * subjects never share plan tokens, sessions or approvals, however alike they are spelled.
 */
export function nameOf(subject: string, issuer: string): string {
  const shown = subject.replace(/[^A-Za-z0-9._-]/g, '_').slice(0, 24);
  const digits = hash('sha256', JSON.stringify([issuer, subject]), 'hex').slice(0, 24);
  return `${shown}@${new URL(issuer).hostname.slice(0, 64)}~${digits}`;
}
