/** How a request shows a platform who sends it: one file per strategy, named by `auth.strategy` of a platform file. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { apiKey } from './api-key.ts';
import { bearerToken } from './bearer-token.ts';
import type { Send } from './exchange.ts';
import { loginToken } from './login-token.ts';
import { oauth2ClientCredentials } from './oauth2-client-credentials.ts';
import { session } from './session.ts';

/** What a login gave: values to present until the platform forgets them. */
export interface Login {
  token: string;
  /** Second value of a session, presented in a header against forged requests. */
  csrf?: string;
  /** Epoch milliseconds after which it is not used any more. */
  expiresAt: number;
}

/** What a request carries for its sender. Header names in lower case, so that no header of a caller stands beside it. */
export interface Presented {
  headers: Readonly<Record<string, string>>;
  /** Names of those headers whose value is a credential. */
  credentials: readonly string[];
  /** Pairs for the query, never part of what is shown or logged. */
  query?: Readonly<Record<string, string>>;
}

/** What a strategy itself presents: every header of it is a credential. */
type OwnPresented = Omit<Presented, 'credentials'>;

interface FixedStrategy {
  present(platform: PlatformDefinition, account: Account): OwnPresented;
}

export interface LoginStrategy {
  /** Where the login is sent; part of the account's identity in the cache. */
  url(platform: PlatformDefinition, account: Account): string;
  /** One request for a login. Refused credentials are UPSTREAM_FORBIDDEN, anything unexpected UPSTREAM_FAILED. */
  logIn(platform: PlatformDefinition, account: Account, means: { now: () => number; send: Send }): Promise<Login>;
  present(platform: PlatformDefinition, login: Login): OwnPresented;
}

type StrategyName = PlatformDefinition['auth']['strategy'];

const LOGIN_STRATEGIES: Partial<Record<StrategyName, LoginStrategy>> = {
  'oauth2-client-credentials': oauth2ClientCredentials,
  'login-token': loginToken,
  session,
};

const FIXED_STRATEGIES: Partial<Record<StrategyName, FixedStrategy>> = {
  'bearer-token': bearerToken,
  'api-key': apiKey,
  none: { present: () => ({ headers: {} }) },
};

/** The strategy of a platform that has to log in first, if it has to. */
export function loginStrategyOf({ auth }: Pick<PlatformDefinition, 'auth'>): LoginStrategy | undefined {
  return LOGIN_STRATEGIES[auth.strategy];
}

/** Everything that says who sends a request: the login or the fixed token, and the account's workspace. */
export function presented(platform: PlatformDefinition, account: Account, login: Login | undefined): Presented {
  const own =
    login === undefined
      ? FIXED_STRATEGIES[platform.auth.strategy]?.present(platform, account)
      : loginStrategyOf(platform)?.present(platform, login);
  const { headers = {}, query } = own ?? {};
  const workspace = platform.auth.workspace_header;
  return {
    credentials: Object.keys(headers),
    headers:
      workspace === undefined || account.workspaceId === undefined
        ? headers
        : { ...headers, [workspace.toLowerCase()]: account.workspaceId },
    ...(query === undefined ? {} : { query }),
  };
}
