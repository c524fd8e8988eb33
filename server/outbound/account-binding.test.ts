/** What makes two accounts the same one for a write that was approved. */
import { expect, test } from 'vitest';
import { bindingOf } from './account-binding.ts';
import type { Sender } from './auth/security-requirement.ts';

const BASE = {
  section: 'acme',
  baseUrl: 'https://acme.example',
  clientId: '',
  username: '',
  apiToken: '',
  clientSecret: '',
};

function identityOf(fields: Partial<typeof BASE>): string {
  const account = { ...BASE, ...fields };
  const credentials = [{ platform: { auth: { section: 'acme' } }, account, scopes: [] }];
  return bindingOf({ account, credentials } as unknown as Sender).identity;
}

test('an account that is a token alone is another one with another token, and its token is not told', () => {
  const apiToken = 'a-token-of-the-first-tenant';
  expect(identityOf({ apiToken })).toBe(identityOf({ apiToken }));
  expect(identityOf({ apiToken })).not.toBe(identityOf({ apiToken: 'a-token-of-the-second-tenant' }));
  expect(identityOf({ apiToken })).toMatch(/^acme:[0-9a-f]{16}\+[0-9a-f]{16}$/);
});

test.each([
  ['client', { clientId: 'me', clientSecret: 'before' }, { clientId: 'me', clientSecret: 'after' }],
  ['user with a token', { username: 'me', apiToken: 'before' }, { username: 'me', apiToken: 'after' }],
])('a rotated secret of the same %s is no difference', (_, before, after) => {
  expect(identityOf(before)).toBe(identityOf(after));
  expect(identityOf(before)).toMatch(/^acme:[0-9a-f]{16}$/);
});
