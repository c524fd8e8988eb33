/** Whether a call carries the credentials its document asks for. Any well-formed one is taken: there is no user here. */
import { headerOf, type Presented } from '../engine/http/auth.ts';
import type { OpenApiDocument } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject, own } from '../engine/state/json-value.ts';
import type { ForeignPlatform } from './foreign-platform.ts';

/** Null when one of the declared sets is complete, else what was expected. */
export function missingCredential(platform: ForeignPlatform, operation: Operation, call: Presented): string | null {
  const security = platform.security.get(operation) ?? [];
  const schemes = platform.document.components?.['securitySchemes'];
  const wanted = new Set<string>();
  for (const set of security) {
    const missing = Object.keys(set).flatMap((name) => {
      const scheme = own(schemes, name);
      return (isObject(scheme) ? missingPart(scheme, call) : null) ?? [];
    });
    if (missing.length === 0) return null;
    wanted.add(missing.join(' and '));
  }
  return security.length === 0 ? null : [...wanted].join(', or ');
}

/** Names of the query parameters that carry a credential. */
export function credentialParameters(document: OpenApiDocument): ReadonlySet<string> {
  const schemes = Object.values(document.components?.['securitySchemes'] ?? {}).filter(isObject);
  const inQuery = schemes.filter((scheme) => scheme['type'] === 'apiKey' && scheme['in'] === 'query');
  return new Set(inQuery.map((scheme) => String(scheme['name'])));
}

function missingPart(scheme: Record<string, unknown>, call: Presented): string | null {
  const authorization = headerOf(call, 'authorization');
  switch (scheme['type']) {
    case 'apiKey':
      return missingKey(scheme['in'], String(scheme['name']), call);
    case 'http': {
      const kind = String(scheme['scheme']).toLowerCase();
      const isSent = new RegExp(`^${RegExp.escape(kind)} \\S+`, 'i').test(authorization);
      return isSent ? null : `header "authorization" with ${kind} credentials`;
    }
    case 'oauth2':
    case 'openIdConnect':
      return /^bearer \S+/i.test(authorization) ? null : 'header "authorization" with a bearer token';
    default:
      return null;
  }
}

function missingKey(place: unknown, name: string, call: Presented): string | null {
  if (place === 'header') return headerOf(call, name) === '' ? `header "${name}"` : null;
  if (place === 'query')
    return call.pairs.some(([key, value]) => key === name && value !== '') ? null : `query parameter "${name}"`;
  const cookie = new RegExp(`(^|;\\s*)${RegExp.escape(name)}=[^;]+`);
  return cookie.test(headerOf(call, 'cookie')) ? null : `cookie "${name}"`;
}
