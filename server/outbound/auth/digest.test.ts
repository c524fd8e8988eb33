/** Challenges of `WWW-Authenticate` headers: which one is answered, and what it says. */
import { expect, test } from 'vitest';
import type { Account } from '../../config/credentials.ts';
import type { PlatformDefinition } from '../../config/platform-file.ts';
import { digest } from './digest.ts';
import type { LoginMeans } from './login-strategy.ts';

async function challengeOf(header: string): Promise<unknown> {
  const { token } = await digest.logIn(
    { id: 'shop' } as PlatformDefinition,
    { baseUrl: 'http://shop.test' } as Account,
    {
      now: Date.now,
      path: '/things',
      send: async () => new Response('', { status: 401, headers: { 'www-authenticate': header } }),
    } as unknown as LoginMeans,
  );
  return JSON.parse(token);
}

test.each([
  ['Digest Authentication', 'Digest realm="Digest Authentication", nonce="n1", qop="auth"'],
  ['Basic Auth', 'Digest nonce="n1", realm="Basic Auth", qop="auth"'],
  ['a "Basic b", nonce=n2', String.raw`Digest realm="a \"Basic b\", nonce=n2", nonce="n1", qop="auth"`],
  ['Bearer of news', 'Basic realm="Digest of x", DIGEST realm="Bearer of news", nonce="n1", qop=auth, Negotiate'],
])('a realm that holds the name of a scheme is text: %s', async (realm, header) => {
  expect(await challengeOf(header)).toEqual({ realm, nonce: 'n1', qop: true });
});

test('a challenge that stands in the realm of another scheme is none', async () => {
  await expect(challengeOf('Basic realm="Digest realm=r, nonce=n1"')).rejects.toMatchObject({
    code: 'UPSTREAM_FAILED',
  });
});
