/** Verifies an ID token (OpenID Connect Core 1.0, 3.1.3.7) with `jose`, which is loaded by the first sign-in. */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { JSONWebKeySet } from 'jose';
import { RouterError } from '../errors.ts';

export interface IdTokenCheck {
  issuer: string;
  clientId: string;
  /** Of this sign-in. */
  nonce: string;
  /** Keys of the issuer, as its `jwks_uri` answers. */
  keys: JSONWebKeySet;
}

/** Signatures of a key pair alone: a client secret never signs, and `none` is no signature. */
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
const LONGEST_SUBJECT = 255;
const OLDEST_SECONDS = 600;
const SKEW_SECONDS = 60;

/** Who signed in: the `sub` claim. Throws UPSTREAM_FORBIDDEN for a token of another client, issuer, sign-in or time. */
export async function subjectOf(token: string, { issuer, clientId, nonce, keys }: IdTokenCheck): Promise<string> {
  const { createLocalJWKSet, jwtVerify } = await import('jose');
  let payload: Record<string, unknown>;
  try {
    ({ payload } = await jwtVerify(token, createLocalJWKSet(keys), {
      issuer,
      audience: clientId,
      algorithms: ALGORITHMS,
      requiredClaims: ['sub', 'iat', 'exp', 'nonce'],
      maxTokenAge: OLDEST_SECONDS,
      clockTolerance: SKEW_SECONDS,
    }));
  } catch (cause) {
    throw refused(reasonOf(cause), cause);
  }
  const { sub, aud, azp } = payload;
  if (!isSame(payload['nonce'], nonce)) throw refused('it belongs to another sign-in (nonce)');
  const others = Array.isArray(aud) && aud.length > 1;
  if ((others || azp !== undefined) && azp !== clientId) throw refused('it was made for another client (azp)');
  if (typeof sub !== 'string' || sub === '' || sub.length > LONGEST_SUBJECT)
    throw refused(`its subject should be text of 1 to ${LONGEST_SUBJECT} characters`);
  return sub;
}

/** Code and claim of a refusal, and no value of the token. */
function reasonOf(cause: unknown): string {
  const { code, claim } = cause as { code?: string; claim?: string };
  const what = claim ?? (code ?? '').replace(/^ERR_/, '').toLowerCase();
  return `it is not valid (${what || 'no reason'})`;
}

/** Digests are compared, because texts of another length would be told apart by time. */
function isSame(got: unknown, expected: string): boolean {
  const digest = (text: string) => createHash('sha256').update(text).digest();
  return typeof got === 'string' && timingSafeEqual(digest(got), digest(expected));
}

const refused = (why: string, cause?: unknown): RouterError =>
  new RouterError('UPSTREAM_FORBIDDEN', `the ID token was refused: ${why}`, { cause });
