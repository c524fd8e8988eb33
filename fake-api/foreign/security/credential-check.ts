/**
 * Whether a call carries the credentials its operation asks for: one complete requirement object, in which every scheme is
 * needed. A well-formed credential is enough, because there is no user here. A token that this fake issued is also asked for
 * its age and its scopes.
 */
import type { Presented } from '../../engine/http/auth.ts';
import { type Answer, refuse } from '../../engine/http/platform-answer.ts';
import type { OpenApiDocument } from '../../engine/openapi/openapi-document.ts';
import type { Operation } from '../../engine/openapi/served-operation.ts';
import type { State } from '../../engine/state/state.ts';
import type { ForeignPlatform } from '../foreign-platform.ts';
import { isDigestFor, nonceOf } from './digest-credential.ts';
import { isAccessToken, issuedGrant } from './issued-grants.ts';
import { challengeFor, expectedFor, presentedFor } from './presented-credential.ts';
import { type SecurityScheme, schemesOf } from './security-schemes.ts';

export interface CheckedCall extends Presented {
  path: string;
}

/** What a call lacks for one scheme. */
interface Lack {
  kind: 'missing' | 'invalid' | 'scope';
  scheme: SecurityScheme;
  /** Scopes of the operation, for a lack of scope. */
  scopes: readonly string[];
}

/** Null when one of the declared requirement objects is complete, else 401 or 403. */
export function credentialRefusal(
  platform: ForeignPlatform,
  state: State,
  operation: Operation,
  call: CheckedCall,
): Answer | null {
  const sets = platform.security.get(operation) ?? [];
  if (sets.length === 0) return null;
  const lacks = sets.map((set) => lacksOf(platform, state, set, call));
  if (lacks.some((lack) => lack.length === 0)) return null;
  const scoped = lacks.find((lack) => lack.every(({ kind }) => kind === 'scope'));
  return scoped === undefined ? unauthorized(platform, state, lacks) : forbidden(platform, scoped[0] as Lack);
}

function lacksOf(
  platform: ForeignPlatform,
  state: State,
  set: Readonly<Record<string, unknown>>,
  call: CheckedCall,
): Lack[] {
  const schemes = schemesOf(platform.document);
  return Object.entries(set).flatMap(([name, stated]) => {
    const scheme = schemes.get(name);
    if (scheme === undefined || scheme.kind === 'unseen') return [];
    const scopes = Array.isArray(stated) ? stated.map(String) : [];
    const kind = lackOf(platform, state, scheme, scopes, call);
    return kind === null ? [] : [{ kind, scheme, scopes }];
  });
}

function lackOf(
  platform: ForeignPlatform,
  state: State,
  scheme: SecurityScheme,
  scopes: readonly string[],
  call: CheckedCall,
): Lack['kind'] | null {
  const credential = presentedFor(scheme, call);
  if (credential === null) return 'missing';
  switch (scheme.kind) {
    case 'http':
      return isWellFormed(platform, state, scheme.scheme, credential, call) ? null : 'invalid';
    case 'oauth2':
    case 'openIdConnect':
      return tokenLack(platform, state, credential, scopes);
    default:
      return null;
  }
}

function isWellFormed(
  platform: ForeignPlatform,
  state: State,
  scheme: string,
  credential: string,
  { method, path }: CheckedCall,
): boolean {
  if (scheme === 'basic') return isBasic(credential);
  if (scheme !== 'digest') return !/\s/.test(credential) || !/^bearer$/.test(scheme);
  return isDigestFor(credential, { method, path, nonce: nonceOf(state.seed, platform.id), realm: platform.id });
}

/** RFC 7617: base64 of a user id, a colon and a password. */
function isBasic(credential: string): boolean {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(credential)) return false;
  return Buffer.from(credential, 'base64').toString('utf8').includes(':');
}

/** A token of another issuer is taken with every scope: the fake knows nothing of it. */
function tokenLack(
  platform: ForeignPlatform,
  state: State,
  token: string,
  scopes: readonly string[],
): Lack['kind'] | null {
  if (/\s/.test(token)) return 'invalid';
  if (!isAccessToken(token)) return null;
  const grant = issuedGrant(state, platform.id, token);
  if (grant === null) return 'invalid';
  return scopes.every((scope) => grant.scopes.includes(scope)) ? null : 'scope';
}

function unauthorized(platform: ForeignPlatform, state: State, lacks: readonly Lack[][]): Answer {
  const wanted = lacks.map((lack) => lack.map(({ scheme }) => expectedFor(scheme)).join(' and '));
  const isInvalid = lacks.some((lack) => lack.every(({ kind }) => kind === 'invalid'));
  const nonce = nonceOf(state.seed, platform.id);
  const challenges = new Set(
    lacks.flat().map(({ scheme, kind }) => {
      const challenge = challengeFor(scheme, platform.id, nonce);
      return kind === 'invalid' && challenge.startsWith('Bearer') ? `${challenge}, error="invalid_token"` : challenge;
    }),
  );
  const message = `credentials: expected ${[...new Set(wanted)].join(', or ')}, got ${isInvalid ? 'an invalid one' : 'none'}`;
  return refuse(401, 'UNAUTHORIZED', message, { 'www-authenticate': [...challenges].join(', ') });
}

function forbidden(platform: ForeignPlatform, { scopes }: Lack): Answer {
  const named = scopes.join(' ').replaceAll(/["\\\r\n]/g, '');
  const challenge = `Bearer realm="${platform.id}", error="insufficient_scope", scope="${named}"`;
  return refuse(403, 'FORBIDDEN', `credentials: expected a token with scope "${named}", got one without`, {
    'www-authenticate': challenge,
  });
}

/** Names of the query parameters that carry a credential. */
export function credentialParameters(document: OpenApiDocument): ReadonlySet<string> {
  const schemes = [...schemesOf(document).values()];
  return new Set(
    schemes.flatMap((scheme) => (scheme.kind === 'apiKey' && scheme.place === 'query' ? scheme.field : [])),
  );
}
