/** A real OAuth authorization server: client credentials, and JWTs for the resource that is asked for. */
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { freePort } from './free-port.ts';

// @ts-expect-error The package has no types.
const imported: unknown = await import('oidc-provider');
const { default: Provider } = imported as {
  default: new (
    issuer: string,
    configuration: unknown,
  ) => { callback: () => RequestListener; on: (event: 'grant.success', heard: () => void) => unknown };
};

export const CLIENT = { id: 'try-client', secret: 'a-secret-of-the-test-client' };

export interface AuthorizationServer extends AsyncDisposable {
  issuer: string;
  /** Tokens that it gave. */
  given: () => number;
}

/** Tokens live for so many seconds. */
export async function startAuthorizationServer(lifetimeSeconds: number): Promise<AuthorizationServer> {
  const issuer = `http://127.0.0.1:${await freePort()}`;
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        grant_types: ['client_credentials'],
        redirect_uris: [],
        response_types: [],
        scope: 'pets',
      },
    ],
    scopes: ['pets'],
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: (_: unknown, resource: string) => ({
          scope: 'pets',
          audience: resource,
          accessTokenTTL: lifetimeSeconds,
          accessTokenFormat: 'jwt' as const,
        }),
      },
    },
    ttl: { ClientCredentials: lifetimeSeconds },
  });
  let given = 0;
  provider.on('grant.success', () => {
    given++;
  });
  const listener = createServer(provider.callback()).listen(Number(new URL(issuer).port), '127.0.0.1');
  await once(listener, 'listening');
  return {
    issuer,
    given: () => given,
    [Symbol.asyncDispose]: async () => {
      listener.closeAllConnections();
      listener.close();
    },
  };
}
