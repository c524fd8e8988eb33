import { expect, test } from 'vitest';
import { joinTokenSchemes } from './token-schemes.ts';

const SCHEMES = {
  implicit: { type: 'oauth2', flows: { implicit: { authorizationUrl: 'https://a.example/auth', scopes: {} } } },
  code: { type: 'oauth2', flows: { authorizationCode: { tokenUrl: 'https://a.example/token', scopes: {} } } },
  bearer: { type: 'http', scheme: 'Bearer' },
  basic: { type: 'http', scheme: 'basic' },
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  raw: { type: 'apiKey', in: 'header', name: 'authorization' },
};

const joinedOf = (requirement: object) => {
  const holder = { security: [requirement] };
  joinTokenSchemes(SCHEMES, [holder]);
  return holder.security;
};

test.each([
  ['two flows of one server', { implicit: ['read'], code: ['write', 'read'] }, [{ code: ['read', 'write'] }]],
  ['a flow and a bearer', { bearer: [], implicit: ['read'] }, [{ implicit: ['read'] }]],
  ['a token and a key', { code: ['read'], key: [] }, [{ code: ['read'], key: [] }]],
  ['a token and a password, which clash and stay', { code: [], basic: [] }, [{ code: [], basic: [] }]],
  [
    'a token and a key of its header, of which one is sent',
    { raw: [], key: [], bearer: [] },
    [
      { key: [], bearer: [] },
      { raw: [], key: [] },
    ],
  ],
  ['names that objects inherit', { constructor: [], code: [] }, [{ constructor: [], code: [] }]],
])('%s', (_, requirement, expected) => {
  expect(joinedOf(requirement)).toEqual(expected);
});

test('what has no list of requirements stays as it is', () => {
  const holders = [{ security: null }, { security: [null, 'code'] }, {}];
  joinTokenSchemes(SCHEMES, holders);
  expect(holders).toEqual([{ security: null }, { security: [null, 'code'] }, {}]);
});
