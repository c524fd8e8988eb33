/** A fixed token in `Authorization: Bearer` (RFC 6750). */
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';

export const bearerToken = {
  present: (_platform: PlatformDefinition, account: Account) => ({
    headers: { authorization: `Bearer ${account.apiToken}` },
  }),
};
