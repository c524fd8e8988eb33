/** Logins of a foreign document: client credentials, code with PKCE, refresh, scopes, discovery. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sha256 } from '../../engine/state/json-value.ts';
import { answering, foreignDocument, type Part } from '../../test/foreign-sample-document.ts';
import { type ServedDocument, servedDocument } from '../../test/served-document.ts';

interface TokenAnswer {
  access_token: string;
  refresh_token?: string;
  expires_in?: number;
  scope?: string;
  error?: string;
}

const scopes = { read: '', write: '' };
const securitySchemes: Part = {
  oauth: {
    type: 'oauth2',
    flows: {
      clientCredentials: { tokenUrl: 'https://login.example/v2/oauth/token', scopes },
      authorizationCode: {
        tokenUrl: 'oauth/token',
        authorizationUrl: 'oauth/authorize',
        refreshUrl: 'oauth/renew',
        scopes,
      },
    },
  },
  id: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/t1/.well-known/openid-configuration' },
};
const scoped = (...wanted: string[]): Part => ({ get: answering({ const: 1 }, { security: [{ oauth: wanted }] }) });

let zoo: ServedDocument;
beforeAll(async () => {
  const paths = {
    '/read': scoped('read'),
    '/write': scoped('read', 'write'),
    '/id': { get: answering({ const: 1 }, { security: [{ id: [] }] }) },
  };
  zoo = await servedDocument(
    foreignDocument(paths, { servers: [{ url: 'https://api.example/v2' }], components: { securitySchemes } }),
  );
});
afterAll(() => zoo[Symbol.asyncDispose]());

async function ask(path: string, fields: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${zoo.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers });
  return { status: response.status, headers: response.headers, ...((await response.json()) as TokenAnswer) };
}
const basic = { authorization: `Basic ${Buffer.from('a%3Ab:s%20t').toString('base64')}` };
const client = { grant_type: 'client_credentials', client_id: 'c', client_secret: 's' };
async function open(path: string, token: string): Promise<[number, string | null]> {
  const response = await fetch(`${zoo.url}${path}`, { headers: { authorization: `Bearer ${token}` } });
  return [response.status, response.headers.get('www-authenticate')];
}

test('client credentials, in the body or as basic credentials, below the whole path or below that of the server', async () => {
  for (const [path, sent, headers] of [
    ['/oauth/token', client, {}],
    ['/v2/oauth/token', { grant_type: 'client_credentials' }, basic],
  ] as const) {
    const granted = await ask(path, sent, headers);
    expect(granted).toMatchObject({ status: 200, expires_in: 3600, scope: 'read write' });
    expect(granted.refresh_token).toBeUndefined();
    expect(await open('/write', granted.access_token)).toEqual([200, null]);
  }
  const entries = (await zoo.ledger()).filter(({ capability }) => capability === 'auth').slice(-2);
  expect(entries.map(({ credentials }) => credentials)).toEqual([
    [{ scheme: 'client_credentials', in: 'body', name: 'client', digest: sha256('c:s') }],
    [{ scheme: 'client_credentials', in: 'header', name: 'client', digest: sha256('a:b:s t') }],
  ]);
});

test('a token has the scopes that were asked for, and 403 names those that an operation needs', async () => {
  const { access_token, scope } = await ask('/oauth/token', { ...client, scope: 'read' });
  expect(scope).toBe('read');
  expect((await zoo.ledger()).at(-1)?.credentials?.[0]?.scope).toBe('read');
  expect((await open('/read', access_token))[0]).toBe(200);
  expect(await open('/write', access_token)).toEqual([
    403,
    'Bearer realm="zoo", error="insufficient_scope", scope="read write"',
  ]);
  expect(await open('/read', `${access_token}x`)).toEqual([401, 'Bearer realm="zoo", error="invalid_token"']);
});

test('a code is exchanged once, with its redirect and its verifier, and its refresh token gives new tokens', async () => {
  const verifier = 'v'.repeat(50);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  const redirect = 'http://127.0.0.1:9/callback';
  const codeFor = async (): Promise<string> => {
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: 'c',
      redirect_uri: redirect,
      state: 'st',
      scope: 'read',
      code_challenge: challenge,
      code_challenge_method: 'S256',
    });
    const answer = await fetch(`${zoo.url}/oauth/authorize?${query}`, { redirect: 'manual' });
    const target = new URL(answer.headers.get('location') ?? '');
    expect([answer.status, target.searchParams.get('state')]).toEqual([302, 'st']);
    return target.searchParams.get('code') as string;
  };
  const exchange = (code: string, more: Record<string, string> = {}) =>
    ask('/oauth/token', {
      grant_type: 'authorization_code',
      client_id: 'c',
      redirect_uri: redirect,
      code_verifier: verifier,
      code,
      ...more,
    });
  expect(await exchange(await codeFor(), { code_verifier: 'w' })).toMatchObject({
    status: 400,
    error: 'invalid_grant',
  });
  expect(await exchange(await codeFor(), { redirect_uri: 'http://127.0.0.1:9/other' })).toMatchObject({
    error: 'invalid_grant',
  });
  const code = await codeFor();
  const granted = await exchange(code);
  expect(granted).toMatchObject({ status: 200, scope: 'read' });
  expect(await exchange(code)).toMatchObject({ error: 'invalid_grant' });

  const renewed = await ask('/oauth/renew', {
    grant_type: 'refresh_token',
    refresh_token: granted.refresh_token ?? '',
  });
  expect(renewed).toMatchObject({ status: 200, scope: 'read' });
  expect(renewed.access_token).not.toBe(granted.access_token);
  expect((await open('/read', renewed.access_token))[0]).toBe(200);
  const more = { grant_type: 'refresh_token', refresh_token: granted.refresh_token ?? '', scope: 'write' };
  expect(await ask('/oauth/renew', more)).toMatchObject({ error: 'invalid_scope' });
});

test('OpenID discovery leads to a token that opens the operation', async () => {
  const found = (await (await fetch(`${zoo.url}/t1/.well-known/openid-configuration`)).json()) as Record<
    string,
    string
  >;
  expect(found['issuer']).toBe(`${zoo.url}/t1`);
  const answer = await fetch(found['token_endpoint'] as string, { method: 'POST', body: new URLSearchParams(client) });
  const { access_token } = (await answer.json()) as TokenAnswer;
  expect((await open('/id', access_token))[0]).toBe(200);
});

test.each([
  [{ ...client, client_secret: '' }, 401, 'invalid_client'],
  [{ grant_type: 'magic' }, 400, 'unsupported_grant_type'],
  [{ grant_type: 'refresh_token', refresh_token: 'fake-refresh-unknown' }, 400, 'invalid_grant'],
])('refuses %o', async (fields, status, error) => {
  expect(await ask('/oauth/token', fields)).toMatchObject({ status, error });
});

test('a token endpoint that the document describes answers in the media type and with the fields of there', async () => {
  const media = 'application/vnd.zoo.login+json';
  const content = (schema: Part): Part => ({ content: { [media]: { schema } } });
  const granted = {
    type: 'object',
    required: ['access_token', 'token_type', 'keeper'],
    properties: { access_token: { type: 'string' }, token_type: { enum: ['bearer'] }, keeper: { type: 'string' } },
  };
  const asked = { type: 'object', properties: { grant_type: { type: 'string' } } };
  const post: Part = { requestBody: content(asked), responses: { 200: { description: '', ...content(granted) } } };
  const flows = { clientCredentials: { tokenUrl: '/login', scopes: {} } };
  const components = { securitySchemes: { oauth: { type: 'oauth2', flows } } };
  const paths = { '/login': { post }, '/read': { get: answering({ const: 1 }, { security: [{ oauth: [] }] }) } };
  await using described = await servedDocument(foreignDocument(paths, { components }));
  const body = JSON.stringify({ grant_type: 'client_credentials' });
  const answer = await fetch(`${described.url}/login`, {
    method: 'POST',
    headers: { 'content-type': media },
    body,
  });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, `${media}; charset=utf-8`]);
  const token = (await answer.json()) as TokenAnswer;
  expect(token).toMatchObject({ token_type: 'bearer', keeper: expect.any(String) });
  const headers = { authorization: `Bearer ${token.access_token}` };
  expect((await fetch(`${described.url}/read`, { headers })).status).toBe(200);
});
