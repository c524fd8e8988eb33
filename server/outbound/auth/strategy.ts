/** The strategies by which a request shows a platform who sends it: one file each, named by `auth.strategy` of a platform file. */
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { apiKey, apiKeyCookie, apiKeyQuery } from './api-key.ts';
import { basic } from './basic.ts';
import { bearerToken } from './bearer-token.ts';
import { digest } from './digest.ts';
import type { FixedStrategy, Login, LoginStrategy, OwnPresented, Presented, Signing } from './login-strategy.ts';
import { loginToken } from './login-token.ts';
import { oauth2ClientCredentials } from './oauth2-client-credentials.ts';
import { oauth2RefreshToken } from './oauth2-refresh-token.ts';
import type { Credential } from './security-requirement.ts';
import { session } from './session.ts';

type StrategyName = PlatformDefinition['auth']['strategy'];

const LOGIN_STRATEGIES: Partial<Record<StrategyName, LoginStrategy>> = {
  'oauth2-client-credentials': oauth2ClientCredentials,
  'oauth2-refresh-token': oauth2RefreshToken,
  'login-token': loginToken,
  digest,
  session,
};

const FIXED_STRATEGIES: Partial<Record<StrategyName, FixedStrategy>> = {
  'bearer-token': bearerToken,
  'api-key': apiKey,
  'api-key-query': apiKeyQuery,
  'api-key-cookie': apiKeyCookie,
  basic,
  none: { present: () => ({ headers: {} }) },
};

/** The strategy of a platform that has to log in first, if it has to. */
export function loginStrategyOf({ auth }: Pick<PlatformDefinition, 'auth'>): LoginStrategy | undefined {
  return LOGIN_STRATEGIES[auth.strategy];
}

/** A credential with the login that it needs, if it needs one. */
export interface ReadyCredential extends Credential {
  login?: Login | undefined;
}

/** Everything that says who sends a request: what each credential presents, and the account's workspace. */
export function presented(credentials: readonly ReadyCredential[], signing?: Omit<Signing, 'account'>): Presented {
  const own = credentials.map((credential) => ownOf(credential, signing));
  const headers = Object.assign({}, ...own.map((part) => part.headers)) as Record<string, string>;
  const query = merged(own.map((part) => part.query));
  const cookies = merged(own.map((part) => part.cookies));
  const workspaces = credentials.map(({ platform: { auth }, account }) =>
    auth.workspace_header === undefined || account.workspaceId === undefined
      ? {}
      : { [auth.workspace_header.toLowerCase()]: account.workspaceId },
  );
  return {
    credentials: Object.keys(headers),
    headers: Object.assign({}, headers, ...workspaces),
    ...(query === undefined ? {} : { query }),
    ...(cookies === undefined ? {} : { cookies }),
  };
}

function ownOf(
  { platform, account, login }: ReadyCredential,
  signing: Omit<Signing, 'account'> | undefined,
): OwnPresented {
  const own =
    login === undefined
      ? FIXED_STRATEGIES[platform.auth.strategy]?.present(platform, account)
      : loginStrategyOf(platform)?.present(platform, login, signing && { ...signing, account });
  return own ?? { headers: {} };
}

function merged(parts: readonly (Readonly<Record<string, string>> | undefined)[]): Record<string, string> | undefined {
  const found = parts.filter((part) => part !== undefined);
  return found.length === 0 ? undefined : Object.assign({}, ...found);
}
