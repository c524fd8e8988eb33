/** What a client learns without a token: the protected-resource metadata (RFC 9728) and the challenges that name it. */
import type { OAuthCallers } from './oauth-callers.ts';

const WELL_KNOWN = '/.well-known/oauth-protected-resource';

/** The paths of the metadata: of the server, and of the MCP endpoint (RFC 9728, section 3.1). */
export const METADATA_PATHS: readonly string[] = [WELL_KNOWN, `${WELL_KNOWN}/mcp`];

/** RFC 9728, section 2. */
export function resourceMetadata({ settings, supported }: Pick<OAuthCallers, 'settings' | 'supported'>) {
  return {
    resource: settings.resource,
    authorization_servers: [settings.issuer],
    scopes_supported: supported,
    // RFC 6750, section 2.3 warns of tokens in query strings: they end in logs. Here none is looked for.
    bearer_methods_supported: ['header'],
    resource_name: 'MCP Tool Router',
  };
}

export interface Challenge {
  error?: 'invalid_token' | 'insufficient_scope';
  /** What the client is told to ask for. */
  scopes?: readonly string[];
}

/** The value of WWW-Authenticate (RFC 6750, section 3; RFC 9728, section 5.1). No value holds a quote or a backslash. */
export function challenge(
  { settings }: Pick<OAuthCallers, 'settings'>,
  { error, scopes = settings.scopes }: Challenge,
): string {
  const parts = [
    ...(error === undefined ? [] : [`error="${error}"`]),
    ...(scopes.length === 0 ? [] : [`scope="${scopes.join(' ')}"`]),
    `resource_metadata="${metadataUrl(settings.resource)}"`,
  ];
  return `Bearer ${parts.join(', ')}`;
}

/** The metadata of the MCP endpoint has the path that this router serves, whatever a proxy in front of it maps to it. */
function metadataUrl(resource: string): string {
  const { origin, pathname } = new URL(resource);
  return `${origin}${WELL_KNOWN}${pathname === '/' ? '' : pathname}`;
}
