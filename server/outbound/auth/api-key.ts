/** A fixed token in a header of the platform's choice, with a word before it where the platform wants one. */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';

export const apiKey = {
  present: ({ auth }: PlatformDefinition, account: Account) => ({
    headers: { [(auth.header ?? 'x-api-key').toLowerCase()]: `${auth.prefix ?? ''}${account.apiToken}` },
  }),
};
