/** OAuth2 client credentials (RFC 6749, 4.4): id and secret as form fields, a bearer token back. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { exchange, loginUrl, textAt, usableUntil } from './exchange.ts';
import type { Login, LoginStrategy } from './login-strategy.ts';

/** Lifetime of a token without `expires_in`, which RFC 6749 leaves open. */
const ASSUMED_LIFETIME_SECONDS = 3600;

export const oauth2ClientCredentials: LoginStrategy = {
  url: ({ auth }: PlatformDefinition, account: Account) =>
    account.tokenUrl ?? loginUrl(account.baseUrl, auth.token_path ?? ''),

  logIn: (platform, account, { now, send }): Promise<Login> =>
    exchange(
      platform,
      {
        url: oauth2ClientCredentials.url(platform, account),
        body: new URLSearchParams({
          grant_type: 'client_credentials',
          client_id: account.clientId,
          client_secret: account.clientSecret,
        }).toString(),
        contentType: 'application/x-www-form-urlencoded',
        endpoint: 'token endpoint',
        presenting: 'client credentials',
        expected: 'access_token and expires_in',
      },
      send,
      (answer) => {
        const token = textAt(answer, 'access_token');
        const lifetime = Number(
          (answer as { expires_in?: unknown } | undefined)?.expires_in ?? ASSUMED_LIFETIME_SECONDS,
        );
        return token !== undefined && lifetime > 0 ? { token, expiresAt: usableUntil(now(), lifetime) } : undefined;
      },
    ),

  present: (_platform, { token }) => ({ headers: { authorization: `Bearer ${token}` } }),
};
