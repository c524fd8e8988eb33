/** The OAuth 2.1 authorization server whose access tokens the router accepts over HTTP. */
import { RouterError } from '../errors.ts';
import { type Environment, invalid } from './environment.ts';
import { isLoopback } from './listen-address.ts';

export interface OAuthSettings {
  /** Issuer identifier of the authorization server, exactly as it stands in `iss` (RFC 8414, section 2). */
  issuer: string;
  /** URL under which clients reach the MCP endpoint: the resource identifier of RFC 9728 and RFC 8707. */
  resource: string;
  /** What `aud` of a token has to hold. */
  audience: string;
  /** Undefined: found through the metadata of the issuer. */
  jwksUrl: string | undefined;
  skewSeconds: number;
  /** Scopes that the challenge of an unauthenticated request asks for. */
  scopes: readonly string[];
  /** What a subject has that no principal of the file matches: what its scopes give, or nothing. */
  unlisted: 'scopes' | 'refuse';
}

const OTHERS = ['SVC_MCP_OAUTH_RESOURCE', 'SVC_MCP_OAUTH_AUDIENCE', 'SVC_MCP_OAUTH_JWKS_URL'] as const;

/** Throws CONFIG_INVALID, CONFIG_CONTRADICTION or UNSAFE_HTTP_BINDING. */
export function readOAuth(
  environment: Environment,
  { transport, host, port }: { transport: 'stdio' | 'streamable-http'; host: string; port: number },
): OAuthSettings | undefined {
  if (environment.set('SVC_MCP_OAUTH_ISSUER') === undefined) {
    const lone = OTHERS.find((name) => environment.set(name) !== undefined);
    if (lone === undefined) return undefined;
    throw new RouterError('CONFIG_INVALID', `SVC_MCP_OAUTH_ISSUER should be set with ${lone}, got nothing`);
  }
  mustBeAlone(environment, transport);
  const issuer = secureUrl(environment, 'SVC_MCP_OAUTH_ISSUER') as string;
  if (issuer.includes('?')) throw invalid('SVC_MCP_OAUTH_ISSUER', 'an issuer without a query', issuer);
  const resource = secureUrl(environment, 'SVC_MCP_OAUTH_RESOURCE') ?? ownAddress(host, port);
  const unlisted = environment.choice<OAuthSettings['unlisted']>('SVC_MCP_OAUTH_UNLISTED');
  if (unlisted === 'refuse' && environment.set('SVC_MCP_PRINCIPALS_PATH') === undefined)
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      'SVC_MCP_OAUTH_UNLISTED=refuse contradicts the absence of SVC_MCP_PRINCIPALS_PATH: no subject would be listed',
    );
  return {
    issuer,
    resource,
    audience: environment.set('SVC_MCP_OAUTH_AUDIENCE') ?? resource,
    jwksUrl: secureUrl(environment, 'SVC_MCP_OAUTH_JWKS_URL'),
    skewSeconds: environment.number('SVC_MCP_OAUTH_CLOCK_SKEW_SECONDS'),
    scopes: environment.list('SVC_MCP_OAUTH_SCOPES'),
    unlisted,
  };
}

/** The one shared token has no audience, no expiry and no scope, so it would be a way around the others. */
function mustBeAlone(environment: Environment, transport: 'stdio' | 'streamable-http'): void {
  if (environment.set('MCP_HTTP_BEARER_TOKEN') !== undefined)
    throw new RouterError(
      'CONFIG_CONTRADICTION',
      'SVC_MCP_OAUTH_ISSUER contradicts MCP_HTTP_BEARER_TOKEN: either the authorization server vouches for callers, or one shared token does',
    );
  if (transport !== 'streamable-http')
    throw new RouterError(
      'UNSAFE_HTTP_BINDING',
      `SVC_MCP_OAUTH_ISSUER is set, but MCP_TRANSPORT=${transport} has no HTTP on which tokens could come`,
      { remedy: 'set MCP_TRANSPORT=streamable-http, or remove SVC_MCP_OAUTH_ISSUER' },
    );
}

/** https, or http on this machine alone: keys and tokens never cross a network in the clear. */
export function isSecureUrl(text: string): boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.username !== '' || url.password !== '' || /#/.test(text)) return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback(url.hostname.replace(/^\[|\]$/g, '')));
}

function secureUrl(
  environment: Environment,
  name: 'SVC_MCP_OAUTH_ISSUER' | 'SVC_MCP_OAUTH_RESOURCE' | 'SVC_MCP_OAUTH_JWKS_URL',
): string | undefined {
  const text = environment.set(name);
  if (text === undefined || isSecureUrl(text)) return text;
  // An address of another form may hold a password, so it is not repeated.
  throw new RouterError(
    'CONFIG_INVALID',
    `${name} should be an https:// address without password and fragment (http:// on loopback), got another form`,
  );
}

/** Where nothing stands in front of the router, clients reach it at the address that it binds. */
function ownAddress(host: string, port: number): string {
  if (isLoopback(host) && port !== 0) return `http://${host.includes(':') ? `[${host}]` : host}:${port}/mcp`;
  throw new RouterError(
    'CONFIG_INVALID',
    `SVC_MCP_OAUTH_RESOURCE should be the URL under which clients reach the MCP endpoint, got nothing; it has a default only on loopback with a fixed MCP_PORT`,
  );
}
