/** The security schemes of a foreign document, read once (OpenAPI 3.1, "Security Scheme Object"). */
import { lookUp, type OpenApiDocument } from '../../engine/openapi/openapi-document.ts';
import { isObject } from '../../engine/state/json-value.ts';

export type SecurityScheme =
  | { kind: 'apiKey'; name: string; place: 'header' | 'query' | 'cookie'; field: string }
  | { kind: 'http'; name: string; scheme: string }
  | { kind: 'oauth2'; name: string; flows: OAuthFlow[] }
  | { kind: 'openIdConnect'; name: string; url: string }
  /** Mutual TLS, or a type that is unknown: the fake cannot see it. */
  | { kind: 'unseen'; name: string; type: string };

export interface OAuthFlow {
  /** `clientCredentials`, `authorizationCode`, `password`, `implicit` or `deviceAuthorization`. */
  kind: string;
  tokenUrl: string | null;
  refreshUrl: string | null;
  authorizationUrl: string | null;
  scopes: string[];
}

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, SecurityScheme>>();

/** By name. A scheme may be a reference to another place of the document. */
export function schemesOf(document: OpenApiDocument): ReadonlyMap<string, SecurityScheme> {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const schemes = new Map<string, SecurityScheme>();
  for (const [name, stated] of Object.entries(document.components?.['securitySchemes'] ?? {})) {
    const scheme = isObject(stated) && typeof stated['$ref'] === 'string' ? targetOf(document, stated['$ref']) : stated;
    if (isObject(scheme)) schemes.set(name, readScheme(name, scheme));
  }
  known.set(document, schemes);
  return schemes;
}

function targetOf(document: OpenApiDocument, reference: string): unknown {
  return lookUp(document as unknown as Record<string, unknown>, reference);
}

function readScheme(name: string, scheme: Record<string, unknown>): SecurityScheme {
  switch (scheme['type']) {
    case 'apiKey': {
      const place = scheme['in'] === 'query' || scheme['in'] === 'cookie' ? scheme['in'] : 'header';
      return { kind: 'apiKey', name, place, field: String(scheme['name']) };
    }
    case 'http':
      return { kind: 'http', name, scheme: String(scheme['scheme']).toLowerCase() };
    case 'oauth2':
      return { kind: 'oauth2', name, flows: flowsOf(scheme['flows']) };
    case 'openIdConnect':
      return { kind: 'openIdConnect', name, url: textOf(scheme['openIdConnectUrl']) ?? '' };
    default:
      return { kind: 'unseen', name, type: String(scheme['type']) };
  }
}

function flowsOf(flows: unknown): OAuthFlow[] {
  if (!isObject(flows)) return [];
  return Object.entries(flows).flatMap(([kind, flow]) =>
    isObject(flow)
      ? [
          {
            kind,
            tokenUrl: textOf(flow['tokenUrl']),
            refreshUrl: textOf(flow['refreshUrl']),
            authorizationUrl: textOf(flow['authorizationUrl']),
            scopes: isObject(flow['scopes']) ? Object.keys(flow['scopes']) : [],
          },
        ]
      : [],
  );
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}
