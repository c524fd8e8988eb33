/** OAuth2 client credentials (RFC 6749, 4.4): id and secret as form fields, a bearer token back. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { loginUrl } from './exchange.ts';
import type { Login, LoginStrategy } from './login-strategy.ts';
import { bearerOf, tokenRequest } from './oauth2-token.ts';

export const oauth2ClientCredentials: LoginStrategy = {
  url: ({ auth }: PlatformDefinition, account: Account) =>
    account.tokenUrl ?? loginUrl(account.baseUrl, auth.token_path ?? ''),

  logIn: async (platform, account, { now, send, scopes }): Promise<Login> => {
    const { token, expiresAt } = await tokenRequest(platform, {
      url: oauth2ClientCredentials.url(platform, account),
      form: {
        grant_type: 'client_credentials',
        client_id: account.clientId,
        client_secret: account.clientSecret,
        ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
      },
      presenting: 'client credentials',
      now,
      send,
    });
    // A new token needs no refresh token here (RFC 6749, 4.4.3).
    return { token, expiresAt };
  },

  present: (_platform, login) => bearerOf(login),
};
