/** Name and password once, as JSON; the token of the answer goes into a header until it expires. */
import { exchange, loginUrl, textAt, usableUntil } from './exchange.ts';
import type { Login, LoginStrategy } from './login-strategy.ts';

/** Platforms of this kind do not say how long a token lives; a 401 renews it earlier. */
const ASSUMED_LIFETIME_SECONDS = 3600;

export const loginToken: LoginStrategy = {
  url: ({ auth }, account) => loginUrl(account.baseUrl, auth.login_path ?? ''),

  logIn: (platform, account, { now, send }): Promise<Login> =>
    exchange(
      platform,
      {
        url: loginToken.url(platform, account),
        body: JSON.stringify({ username: account.username, password: account.password }),
        contentType: 'application/json',
        endpoint: 'login',
        presenting: 'user name and password',
        expected: 'a token',
      },
      send,
      (answer) => {
        const token = textAt(answer, 'token');
        return token === undefined ? undefined : { token, expiresAt: usableUntil(now(), ASSUMED_LIFETIME_SECONDS) };
      },
    ),

  present: ({ auth }, { token }) => ({ headers: { [(auth.header ?? 'authtoken').toLowerCase()]: token } }),
};
