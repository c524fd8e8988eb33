/** Whether a call carries the credentials its document asks for. Any well-formed one is taken: there is no user here. */
import { isObject } from '../engine/state/json-value.ts';
import type { ForeignOperation } from './foreign-operations.ts';

/** Null when one of the declared sets is complete, else what was expected. */
export function missingCredential(
  operation: ForeignOperation,
  headers: Record<string, string | string[] | undefined>,
  pairs: readonly (readonly [string, string])[],
): string | null {
  if (operation.security.length === 0) return null;
  const schemes = operation.document.components?.['securitySchemes'] ?? {};
  const wanted: string[] = [];
  for (const set of operation.security) {
    const lacking = Object.keys(set).flatMap((name) => {
      const scheme = schemes[name];
      const lack = isObject(scheme) ? lackOf(scheme, headers, pairs) : null;
      return lack === null ? [] : [lack];
    });
    if (lacking.length === 0) return null;
    wanted.push(lacking.join(' and '));
  }
  return [...new Set(wanted)].join(', or ');
}

/** Names of query parameters that carry a credential and are declared nowhere else. */
export function credentialParameters(operation: ForeignOperation): Set<string> {
  const schemes = Object.values(operation.document.components?.['securitySchemes'] ?? {});
  return new Set(
    schemes.flatMap((scheme) =>
      isObject(scheme) && scheme['type'] === 'apiKey' && scheme['in'] === 'query' ? [String(scheme['name'])] : [],
    ),
  );
}

function lackOf(
  scheme: Record<string, unknown>,
  headers: Record<string, string | string[] | undefined>,
  pairs: readonly (readonly [string, string])[],
): string | null {
  const authorization = [headers['authorization']].flat()[0] ?? '';
  switch (scheme['type']) {
    case 'apiKey':
      return missingKey(scheme['in'], String(scheme['name']), headers, pairs);
    case 'http': {
      const kind = String(scheme['scheme']).toLowerCase();
      const given = new RegExp(`^${escaped(kind)} \\S+`, 'i').test(authorization);
      return given ? null : `header "authorization" with ${kind} credentials`;
    }
    case 'oauth2':
    case 'openIdConnect':
      return /^bearer \S+/i.test(authorization) ? null : 'header "authorization" with a bearer token';
    default:
      return null;
  }
}

function missingKey(
  place: unknown,
  name: string,
  headers: Record<string, string | string[] | undefined>,
  pairs: readonly (readonly [string, string])[],
): string | null {
  if (place === 'header') return [headers[name.toLowerCase()]].flat()[0] ? null : `header "${name}"`;
  if (place === 'query')
    return pairs.some(([own, value]) => own === name && value !== '') ? null : `query parameter "${name}"`;
  const cookie = new RegExp(`(^|;\\s*)${escaped(name)}=[^;]+`);
  return cookie.test(String(headers['cookie'] ?? '')) ? null : `cookie "${name}"`;
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
