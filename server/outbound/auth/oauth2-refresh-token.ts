/** OAuth2 refresh token (RFC 6749, 6), which a person obtained once by the authorization code flow. A server may replace it with each use. */
import { loginUrl } from './exchange.ts';
import type { Login, LoginStrategy } from './login-strategy.ts';
import { bearerOf, tokenRequest } from './oauth2-token.ts';

export const oauth2RefreshToken: LoginStrategy = {
  url: ({ auth }, account) => account.tokenUrl ?? loginUrl(account.baseUrl, auth.token_path ?? ''),

  rotates: true,
  logIn: async (platform, account, { now, send, previous }): Promise<Login> => {
    const refresh = previous?.refresh ?? account.refreshToken;
    const login = await tokenRequest(platform, {
      url: oauth2RefreshToken.url(platform, account),
      form: {
        grant_type: 'refresh_token',
        refresh_token: refresh,
        client_id: account.clientId,
        ...(account.clientSecret === '' ? {} : { client_secret: account.clientSecret }),
      },
      presenting: 'refresh token',
      now,
      send,
    });
    // Without a new one the old one stays valid. The configured one is not kept on disk.
    return login.refresh !== undefined || previous?.refresh === undefined ? login : { ...login, refresh };
  },

  present: (_platform, login) => bearerOf(login),
};
