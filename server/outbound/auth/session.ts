/** Name and password once, as a form; a session id then goes into the query and a second value into a header. */
import { RouterError } from '../../errors.ts';
import { exchange, loginUrl, textAt, usableUntil } from './exchange.ts';
import type { Login, LoginStrategy } from './login-strategy.ts';

/** Such sessions end after idle time that no answer states; a 401 opens a new one. */
const ASSUMED_LIFETIME_SECONDS = 900;

export const session: LoginStrategy = {
  url: ({ auth }, account) => loginUrl(account.baseUrl, auth.login_path ?? ''),

  logIn: (platform, account, { now, send }): Promise<Login> => {
    const { session: at, csrf: csrfAt } = answerPlaces(platform);
    return exchange(
      platform,
      {
        url: session.url(platform, account),
        body: new URLSearchParams({ username: account.username, password: account.password }).toString(),
        contentType: 'application/x-www-form-urlencoded',
        endpoint: 'login',
        presenting: 'user name and password',
        expected: `a session in \`${at}\` and \`${csrfAt}\``,
      },
      send,
      (answer) => {
        const token = textAt(answer, at);
        const csrf = textAt(answer, csrfAt);
        if (token === undefined || csrf === undefined) return undefined;
        return { token, csrf, expiresAt: usableUntil(now(), ASSUMED_LIFETIME_SECONDS) };
      },
    );
  },

  present: ({ auth }, { token, csrf }) => ({
    headers: csrf === undefined ? {} : { [(auth.header ?? 'x-csrf-token').toLowerCase()]: csrf },
    query: { [auth.session_parameter ?? 'session-id']: token },
  }),
};

function answerPlaces({ id, auth }: Parameters<LoginStrategy['present']>[0]): { session: string; csrf: string } {
  if (auth.answer) return auth.answer;
  throw new RouterError(
    'PLATFORM_FILE_INVALID',
    `${id}: \`/auth/answer\` should say where a login answers the session`,
  );
}
