/** User name and password on every call (RFC 7617), as UTF-8. */
import type { FixedStrategy } from './login-strategy.ts';

export const basic: FixedStrategy = {
  present: (_platform, { username, password }) => ({
    headers: { authorization: `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}` },
  }),
};
