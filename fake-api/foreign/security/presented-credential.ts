/** The credential that a call presents for a security scheme. */
import { headerOf, type Presented } from '../../engine/http/auth.ts';
import { cookieNamed } from '../../engine/http/request-parameters.ts';
import type { SecurityScheme } from './security-schemes.ts';

/** Null where the call has none for this scheme; of a header with a scheme, what stands after the scheme. */
export function presentedFor(scheme: SecurityScheme, call: Presented): string | null {
  switch (scheme.kind) {
    case 'apiKey':
      return keyOf(scheme.place, scheme.field, call);
    case 'http':
      return afterScheme(scheme.scheme, call);
    case 'oauth2':
    case 'openIdConnect':
      return afterScheme('bearer', call);
    case 'unseen':
      return null;
  }
}

/** What a caller who lacks the credential has to send. */
export function expectedFor(scheme: SecurityScheme): string {
  switch (scheme.kind) {
    case 'apiKey':
      return scheme.place === 'query' ? `query parameter "${scheme.field}"` : `${scheme.place} "${scheme.field}"`;
    case 'http':
      return `header "authorization" with ${scheme.scheme} credentials`;
    default:
      return 'header "authorization" with a bearer token';
  }
}

/** Challenge of RFC 9110 §11.6.1. `ApiKey` is no registered scheme, but a 401 without a challenge is not allowed. */
export function challengeFor(scheme: SecurityScheme, realm: string, nonce: string): string {
  switch (scheme.kind) {
    case 'http':
      if (scheme.scheme === 'digest') return `Digest realm="${realm}", qop="auth", algorithm=SHA-256, nonce="${nonce}"`;
      return `${scheme.scheme.charAt(0).toUpperCase()}${scheme.scheme.slice(1)} realm="${realm}"`;
    case 'apiKey':
      return `ApiKey realm="${realm}", in="${scheme.place}", name="${scheme.field.replaceAll(/["\\\r\n]/g, '')}"`;
    default:
      return `Bearer realm="${realm}"`;
  }
}

function keyOf(place: 'header' | 'query' | 'cookie', field: string, call: Presented): string | null {
  const sent =
    place === 'header'
      ? headerOf(call, field)
      : place === 'query'
        ? call.pairs.find(([name]) => name === field)?.[1]
        : cookieNamed(call.headers, field);
  return sent === undefined || sent === '' ? null : sent;
}

function afterScheme(scheme: string, call: Presented): string | null {
  const header = headerOf(call, 'authorization');
  const cut = header.indexOf(' ');
  if (cut < 0 || header.slice(0, cut).toLowerCase() !== scheme) return null;
  const rest = header.slice(cut + 1).trim();
  return rest === '' ? null : rest;
}
