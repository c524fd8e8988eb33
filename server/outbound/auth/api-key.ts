/** A fixed token in a header, query parameter or cookie of the platform's choice, in a header with a word before it where the platform wants one. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import type { FixedStrategy } from './login-strategy.ts';

export const apiKey: FixedStrategy = {
  present: ({ auth }: PlatformDefinition, account: Account) => ({
    headers: { [(auth.header ?? 'x-api-key').toLowerCase()]: `${auth.prefix ?? ''}${account.apiToken}` },
  }),
};

export const apiKeyQuery: FixedStrategy = {
  present: ({ auth }, account) => ({ headers: {}, query: { [auth.parameter ?? 'api_key']: account.apiToken } }),
};

export const apiKeyCookie: FixedStrategy = {
  present: ({ auth }, account) => ({ headers: {}, cookies: { [auth.parameter ?? 'api_key']: account.apiToken } }),
};
