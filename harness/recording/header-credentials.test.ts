import { expect, test } from 'vitest';
import { credentialsIn } from './header-credentials.ts';

test('credentials among headers are told by the name of the header, or by their scheme, and nothing else is one', () => {
  const headers = {
    Authorization: 'Bearer 0123456789abcdef',
    'Proxy-Authorization': 'Basic  dXNlcjpwYXNz',
    'x-api-key': 'abcdefghijkl',
    apikey: 'zyxwvutsrqpo',
    'x-gateway': 'bearer of-the-gateway',
    'x-signed-auth': 'Signature keyId="a", signature="b"',
    'x-other-token': 'short',
    'x-tenant': 'the-tenant-of-somebody',
    'user-agent': 'somebodys client-of-their-own',
    accept: 'application/json',
  };
  const credentials = {
    Authorization: '0123456789abcdef',
    'Proxy-Authorization': 'dXNlcjpwYXNz',
    'x-api-key': 'abcdefghijkl',
    apikey: 'zyxwvutsrqpo',
    'x-gateway': 'of-the-gateway',
    'x-signed-auth': 'keyId="a", signature="b"',
  };
  expect(credentialsIn(headers)).toEqual({ ...credentials, 'x-other-token': 'short' });
  expect(credentialsIn(headers, 12)).toEqual(credentials);
});
