/** Paths at which a foreign platform gives tokens out: those of the OAuth2 flows and OpenID URLs that its document states. */
import type { OpenApiDocument } from '../../engine/openapi/openapi-document.ts';
import { isObject } from '../../engine/state/json-value.ts';
import { type SecurityScheme, schemesOf } from './security-schemes.ts';

export type AuthEndpoint =
  | { kind: 'token'; scopes: readonly string[] }
  | { kind: 'authorize'; scopes: readonly string[] }
  | { kind: 'discovery'; tokenPath: string; authorizePath: string; scopes: readonly string[] };

const known = new WeakMap<OpenApiDocument, ReadonlyMap<string, AuthEndpoint>>();

/** By method and path, such as `POST /oauth/token`. */
function authEndpointsOf(document: OpenApiDocument): ReadonlyMap<string, AuthEndpoint> {
  const cached = known.get(document);
  if (cached !== undefined) return cached;
  const endpoints = new Map<string, AuthEndpoint>();
  const schemes = [...schemesOf(document).values()];
  const scopes = [...new Set(schemes.flatMap(scopesOf))];
  for (const scheme of schemes) {
    if (scheme.kind === 'oauth2') addFlows(endpoints, document, scheme, scopes);
    if (scheme.kind === 'openIdConnect') addDiscovery(endpoints, document, scheme.url, scopes);
  }
  known.set(document, endpoints);
  return endpoints;
}

/** The endpoint that a request is for, with a slash at its end or without. */
export function authEndpointAt(
  document: OpenApiDocument,
  { method, path }: { method: string; path: string },
): AuthEndpoint | undefined {
  return authEndpointsOf(document).get(`${method} ${withoutLastSlash(path)}`);
}

const withoutLastSlash = (path: string): string => path.replace(/(?<=.)\/$/, '');

function scopesOf(scheme: SecurityScheme): string[] {
  return scheme.kind === 'oauth2' ? scheme.flows.flatMap((flow) => flow.scopes) : [];
}

function addFlows(
  endpoints: Map<string, AuthEndpoint>,
  document: OpenApiDocument,
  { flows }: Extract<SecurityScheme, { kind: 'oauth2' }>,
  scopes: readonly string[],
): void {
  for (const { tokenUrl, refreshUrl, authorizationUrl } of flows) {
    for (const url of [tokenUrl, refreshUrl])
      for (const path of pathsOf(document, url)) endpoints.set(`POST ${path}`, { kind: 'token', scopes });
    for (const path of pathsOf(document, authorizationUrl)) {
      // A document may describe its authorization endpoint: then that operation answers.
      if (!describesGet(document, path)) endpoints.set(`GET ${path}`, { kind: 'authorize', scopes });
    }
  }
}

/** OpenID Connect Discovery 1.0 §4: the other endpoints stand beside the issuer. */
function addDiscovery(
  endpoints: Map<string, AuthEndpoint>,
  document: OpenApiDocument,
  url: string,
  scopes: readonly string[],
): void {
  for (const path of pathsOf(document, url)) {
    const issuer = path.replace(/\/\.well-known\/.*$/, '').replace(/\/$/, '');
    const [tokenPath, authorizePath] = [`${issuer}/token`, `${issuer}/authorize`];
    endpoints.set(`GET ${path}`, { kind: 'discovery', tokenPath, authorizePath, scopes });
    endpoints.set(`POST ${tokenPath}`, { kind: 'token', scopes });
    if (!describesGet(document, authorizePath)) endpoints.set(`GET ${authorizePath}`, { kind: 'authorize', scopes });
  }
}

function describesGet({ paths }: OpenApiDocument, path: string): boolean {
  return Object.hasOwn(paths, path) && isObject(paths[path]?.['get']);
}

/**
 * Where a URL of the document is below the platform's own URL: at its whole path, and without the base path of a server. A
 * URL of another host is served here as well, because the fake stands for all of them.
 */
function pathsOf(document: OpenApiDocument, url: string | null): string[] {
  if (url === null) return [];
  const bases = serverUrls(document);
  const whole = URL.canParse(url) ? new URL(url).pathname : new URL(url, 'http://server.invalid/').pathname;
  const found = new Set([whole]);
  for (const base of bases) {
    const prefix = base.replace(/\/$/, '');
    if (prefix !== '' && whole.startsWith(`${prefix}/`)) found.add(whole.slice(prefix.length));
    // RFC 3986 §5: relative to the server, where the URL has neither host nor leading slash.
    if (!/^([a-z][a-z0-9+.-]*:|\/)/i.test(url)) found.add(new URL(url, `http://server.invalid${prefix}/`).pathname);
  }
  return [...found].map(withoutLastSlash).filter((path) => path !== '/' && path !== '');
}

function serverUrls(document: OpenApiDocument): string[] {
  const servers = Array.isArray(document['servers']) ? document['servers'].filter(isObject) : [];
  return servers.flatMap(({ url }) => {
    const text = String(url).replaceAll(/\{[^{}]*\}/g, 'x');
    return URL.canParse(text, 'http://server.invalid/') ? [new URL(text, 'http://server.invalid/').pathname] : [];
  });
}
