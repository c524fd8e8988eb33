/**
 * An OpenID provider whose answers a test bends: discovery, keys and tokens over real HTTP, signed by a real key. The person
 * at it needs no password: `code` gives what the browser would bring back.
 */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';

export interface BentToken {
  claims?: Record<string, unknown>;
  /** Signed by a key that the provider does not publish. */
  strangeKey?: boolean;
  /** With the client secret, as a symmetric signature. */
  symmetric?: boolean;
  /** In place of the whole token. */
  text?: string;
}

export interface TestProvider extends AsyncDisposable {
  issuer: string;
  /** Requests to the token endpoint, as forms. */
  asked: URLSearchParams[];
  /** Signs this person in for the address that the console sent the browser to. */
  code: (authorizationUrl: string, subject: string) => string;
  bend: (bent: BentToken) => void;
  /** Fields of the configuration that are another. */
  configured: (other: Record<string, string>) => void;
}

interface Given {
  subject: string;
  nonce: string;
  challenge: string;
  redirect: string;
}

export async function startProvider(clientId: string, clientSecret: string): Promise<TestProvider> {
  const [own, strange] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')];
  const keys = { keys: [{ ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'ES256', use: 'sig' }] };
  const given = new Map<string, Given>();
  const asked: URLSearchParams[] = [];
  let bent: BentToken = {};
  let other: Record<string, string> = {};
  const tokenFor = async ({ subject, nonce }: Given): Promise<string> => {
    if (bent.text !== undefined) return bent.text;
    const now = Math.floor(Date.now() / 1000);
    const claims = { iss: issuer, aud: clientId, sub: subject, nonce, iat: now, exp: now + 300, ...bent.claims };
    const alg = bent.symmetric ? 'HS256' : 'ES256';
    const key = bent.symmetric ? new TextEncoder().encode(clientSecret) : (bent.strangeKey ? strange : own).privateKey;
    return new SignJWT(claims).setProtectedHeader({ alg, kid: 'own' }).sign(key);
  };
  const exchanged = async (form: URLSearchParams): Promise<[number, object]> => {
    asked.push(form);
    const code = form.get('code') ?? '';
    const known = given.get(code);
    given.delete(code);
    const challenge = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = known?.challenge === challenge && known.redirect === form.get('redirect_uri');
    if (known === undefined || !fits || form.get('client_secret') !== clientSecret)
      return [400, { error: 'invalid_grant' }];
    return [200, { access_token: 'a', token_type: 'Bearer', id_token: await tokenFor(known) }];
  };
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    if (request.url === '/jwks') return answer(response, 200, keys);
    if (request.url === '/token') return answer(response, ...(await exchanged(new URLSearchParams(body))));
    const endpoints = {
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
    };
    return answer(response, 200, { issuer, ...endpoints, ...other });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    asked,
    code: (url, subject) => {
      const asking = new URL(url).searchParams;
      const part = (name: string) => asking.get(name) ?? '';
      const code = createHash('sha256').update(`${url} ${given.size}`).digest('base64url');
      given.set(code, {
        subject,
        nonce: part('nonce'),
        challenge: part('code_challenge'),
        redirect: part('redirect_uri'),
      });
      return code;
    },
    bend: (next) => {
      bent = next;
    },
    configured: (next) => {
      other = next;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

function answer(response: ServerResponse, status: number, value: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
}
