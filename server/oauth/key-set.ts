/**
 * The signing keys of the authorization server (RFC 7517). They are fetched at the first token and again when a token names a key that is
 * not among them, at most once in a while. Where the server cannot be reached, the keys that are known go on.
 */
import type { JSONWebKeySet, JWSHeaderParameters, LocalJWKSet } from 'jose';
import type { Egress } from '../egress/egress.ts';
import * as lazyImport from '../lazy-import.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { fetchJson } from './fetch-json.ts';
import { issuerMetadata } from './issuer-metadata.ts';

const MOST_KEYS = 64;
/** Asymmetric ones: a shared secret in a published key set would let everybody sign. */
const KEY_TYPES = ['RSA', 'EC', 'OKP', 'AKP'];

export interface KeySetTimes {
  /** Between two fetches that tokens with unknown keys cause, in milliseconds. */
  cooldownMs: number;
  /** After so long the keys are fetched again, so that a withdrawn key ends. */
  maxAgeMs: number;
}

export const KEY_SET_TIMES: KeySetTimes = { cooldownMs: 10_000, maxAgeMs: 300_000 };

export interface KeySetOptions {
  issuer: string;
  jwksUrl: string | undefined;
  egress: Egress;
  logger: Logger;
  times?: Partial<KeySetTimes>;
  /** Milliseconds of a clock that never goes back. */
  now?: () => number;
}

export class KeySet {
  readonly #options: KeySetOptions;
  readonly #times: KeySetTimes;
  readonly #now: () => number;
  #keys: LocalJWKSet | undefined;
  #text = '';
  #version = 0;
  #askedAt = Number.NEGATIVE_INFINITY;
  #asking: Promise<void> | undefined;
  #isReachable = true;

  constructor(options: KeySetOptions) {
    this.#options = options;
    this.#times = { ...KEY_SET_TIMES, ...options.times };
    this.#now = options.now ?? (() => performance.now());
  }

  /** Changes with the keys: what was verified with earlier ones has to be verified again. */
  get version(): number {
    return this.#version;
  }

  /** False after a fetch that failed. */
  get isReachable(): boolean {
    return this.#isReachable;
  }

  /** Fetches the keys in the background once they are old. Cheap enough for every call. */
  keepFresh(): void {
    if (this.#now() - this.#askedAt > this.#times.maxAgeMs) void this.#ask();
  }

  /** The key of a token's header. Throws jose's JWKSNoMatchingKey where there is none. */
  keyOf = async (header: JWSHeaderParameters): ReturnType<LocalJWKSet> => {
    const { JWKSNoMatchingKey } = (await lazyImport.jose()).errors;
    if (this.#keys === undefined) await this.#askAgain();
    try {
      if (this.#keys === undefined) throw new JWKSNoMatchingKey();
      return await this.#keys(header);
    } catch (error) {
      if (!(error instanceof JWKSNoMatchingKey)) throw error;
    }
    await this.#askAgain();
    if (this.#keys === undefined) throw new JWKSNoMatchingKey();
    return this.#keys(header);
  };

  async #askAgain(): Promise<void> {
    if (this.#asking === undefined && this.#now() - this.#askedAt < this.#times.cooldownMs) return;
    await this.#ask();
  }

  #ask(): Promise<void> {
    // From its end on: a server that lets each request time out takes longer than the pause, and would be asked without one.
    this.#asking ??= this.#readKeys().finally(() => {
      this.#askedAt = this.#now();
      this.#asking = undefined;
    });
    return this.#asking;
  }

  async #readKeys(): Promise<void> {
    const { issuer, jwksUrl, egress, logger } = this.#options;
    try {
      const url = jwksUrl ?? (await issuerMetadata(egress, issuer)).jwksUrl;
      const { value } = await fetchJson(egress, url);
      // An issuer that withdrew its only key publishes none until it has another one.
      const jwks = publicKeys(value);
      const text = JSON.stringify(jwks);
      this.#isReachable = true;
      if (text === this.#text) return;
      const { createLocalJWKSet } = await lazyImport.jose();
      this.#keys = createLocalJWKSet(jwks);
      this.#text = text;
      this.#version += 1;
      logger[jwks.keys.length === 0 ? 'error' : 'info']('oauth.keys_read', { keys: jwks.keys.length });
    } catch (error) {
      this.#isReachable = false;
      logger.error('oauth.keys_unreachable', { known_keys: this.#keys !== undefined, ...errorFields(error) });
    }
  }
}

/** Throws where it is no key set with a key that can verify. */
export function usableKeys(value: Readonly<Record<string, unknown>>): JSONWebKeySet {
  const usable = publicKeys(value);
  if (usable.keys.length === 0) throw new TypeError('the key set should hold a public key for signatures');
  return usable;
}

/** Those that can verify, which may be none. Throws where it is no key set, or too large a one. */
function publicKeys({ keys }: Readonly<Record<string, unknown>>): JSONWebKeySet {
  if (!Array.isArray(keys) || keys.length > MOST_KEYS)
    throw new TypeError(`the key set should hold at most ${MOST_KEYS} keys`);
  const usable = keys.filter(
    (key) => typeof key === 'object' && key !== null && KEY_TYPES.includes(key.kty) && (key.use ?? 'sig') === 'sig',
  );
  return { keys: usable };
}
