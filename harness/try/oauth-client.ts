/** The client of a server behind OAuth 2.1: client credentials, found and got by the SDK as the MCP specification asks. */
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { ClientCredentialsProvider } from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { OAuthError } from '@modelcontextprotocol/sdk/server/auth/errors.js';
import { HarnessError } from '../harness-errors.ts';

export interface OAuthCredentials {
  /** The only authorization server that gets the secret, whatever the MCP server names. */
  issuer: string;
  client: string;
  secret: string;
  scope?: string | undefined;
}

/** One for all connections of a try: it holds the token, and the transport gets another when the server refuses it. */
export const oauthClient = ({ issuer, client, secret, scope }: OAuthCredentials): OAuthClientProvider =>
  new ClientCredentialsProvider({
    expectedIssuer: issuer,
    clientId: client,
    clientSecret: secret,
    ...(scope === undefined ? {} : { scope }),
  });

/** For messages that no client library sends: the token of a connection before. */
export async function bearerOf(provider: OAuthClientProvider | undefined): Promise<Record<string, string>> {
  const tokens = await provider?.tokens();
  return tokens === undefined ? {} : { authorization: `Bearer ${tokens.access_token}` };
}

/** Why no token was got, or why the server refuses the one it was shown; undefined where something else went wrong. */
export function oauthFault(error: unknown, provider: OAuthClientProvider | undefined): HarnessError | undefined {
  const cause = (error as { cause?: unknown }).cause ?? error;
  if (provider === undefined || !isRefusal(cause)) return undefined;
  const code = cause instanceof OAuthError ? `${cause.errorCode}: ` : '';
  return new HarnessError(
    'SERVER_AUTH',
    `the authorization server should give a token that the server takes, got ${code}${cause.message}`.slice(0, 400),
    { cause, remedy: 'correct --oauth-issuer, --oauth-client, --oauth-secret-env or --oauth-scope' },
  );
}

const isRefusal = (cause: unknown): cause is Error =>
  cause instanceof OAuthError ||
  cause instanceof UnauthorizedError ||
  (cause instanceof Error && /\b(401|403)\b|issuer|authorization server|OAuth|token endpoint/i.test(cause.message));
