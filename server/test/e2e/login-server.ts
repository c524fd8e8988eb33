/** A real authorization server for MCP clients: resource indicators, JWT access tokens, both ways of registration, refresh and revocation. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { freePort } from '../support/programs.ts';

// @ts-expect-error The package has no types.
const imported: unknown = await import('oidc-provider');
const { default: Provider } = imported as {
  default: new (issuer: string, configuration: unknown) => { callback: () => RequestListener };
};

export const REDIRECT = 'http://127.0.0.1:3000/callback';
/** A Client ID Metadata Document has an https address, so the server is given this one without a network. */
export const CLIENT_DOCUMENT = 'https://client.example/mcp-client.json';

export const CLIENT_METADATA = {
  client_name: 'test client',
  redirect_uris: [REDIRECT],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native',
};

export interface LoginServer extends AsyncDisposable {
  issuer: string;
  /** Clients that registered themselves, and fetches of the metadata document. */
  registrations: () => number;
  documents: () => number;
}

interface LoginServerOptions {
  /** The only resource that it gives tokens for. */
  resource: string;
  scopes: readonly string[];
  lifetimeSeconds: number;
}

export async function startLoginServer({
  resource,
  scopes,
  lifetimeSeconds,
}: LoginServerOptions): Promise<LoginServer> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  let documents = 0;
  let registrations = 0;
  const provider = new Provider(issuer, {
    cookies: { keys: ['a key of the test'] },
    scopes: ['openid', 'offline_access', ...scopes],
    pkce: { required: () => true },
    issueRefreshToken: async () => true,
    ttl: { AccessToken: lifetimeSeconds, RefreshToken: 3600, Grant: 3600, Session: 3600, Interaction: 600 },
    fetch: async (url: string | URL, init?: RequestInit) => {
      if (String(url) !== CLIENT_DOCUMENT) return fetch(url, init);
      documents += 1;
      return Response.json({ client_id: CLIENT_DOCUMENT, ...CLIENT_METADATA });
    },
    features: {
      devInteractions: { enabled: true },
      registration: { enabled: true },
      revocation: { enabled: true },
      clientIdMetadataDocument: { enabled: true, ack: 'draft-02' },
      resourceIndicators: {
        enabled: true,
        useGrantedResource: async () => true,
        getResourceServerInfo: (_: unknown, asked: string) => {
          if (asked !== resource) throw new Error(`no such resource: ${asked}`);
          return {
            scope: scopes.join(' '),
            audience: resource,
            accessTokenTTL: lifetimeSeconds,
            accessTokenFormat: 'jwt' as const,
          };
        },
      },
    },
  });
  const listener = createServer((request, response) => {
    if (request.url === '/reg' && request.method === 'POST') registrations += 1;
    provider.callback()(request, response);
  }).listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(listener, 'listening');
  return {
    issuer,
    registrations: () => registrations,
    documents: () => documents,
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}
