/** The strategies by which a request shows a platform who sends it: one file each, named by `auth.strategy` of a platform file. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { apiKey } from './api-key.ts';
import { bearerToken } from './bearer-token.ts';
import type { FixedStrategy, Login, LoginStrategy, Presented } from './login-strategy.ts';
import { loginToken } from './login-token.ts';
import { oauth2ClientCredentials } from './oauth2-client-credentials.ts';
import { session } from './session.ts';

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
