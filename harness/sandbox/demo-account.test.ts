import { expect, test } from 'vitest';
import { redact } from '../recording/redact-recording.ts';
import { ACCOUNT_SECRETS, demoAccount } from './demo-account.ts';

test('no credential of the account is left standing in a recording', () => {
  const { api_token, client_secret, password } = demoAccount('http://x');
  const told = redact([`Authorization: Token ${api_token}`, client_secret, password], ACCOUNT_SECRETS);
  expect(told).toEqual(['Authorization: Token «secret:api_token»', '«secret:client_secret»', '«secret:client_secret»']);
});
