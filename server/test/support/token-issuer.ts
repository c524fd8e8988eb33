/** An issuer of access tokens that signs whatever a test asks for, with metadata and a key set over HTTP. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, SignJWT } from 'jose';

export const RESOURCE = 'https://router.example/mcp';

export interface SigningKey {
  kid: string;
  alg: 'RS256' | 'ES256' | 'EdDSA';
  publicKey: KeyObject;
  privateKey: KeyObject;
}

export function signingKey(kid: string, alg: SigningKey['alg'] = 'ES256'): SigningKey {
  const pair =
    alg === 'RS256'
      ? generateKeyPairSync('rsa', { modulusLength: 2048 })
      : alg === 'ES256'
        ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
        : generateKeyPairSync('ed25519');
  return { kid, alg, ...pair };
}

export interface TokenIssuer extends AsyncDisposable {
  issuer: string;
  /** Keys of the published set; a test exchanges them. */
  keys: SigningKey[];
  /** Times that the key set was fetched. */
  fetches: () => number;
  /** False: every answer is 503. */
  isUp: boolean;
  /** A token of this issuer; `claims` replace or, where undefined, remove its claims. */
  token: (claims?: Record<string, unknown>, more?: TokenMore) => Promise<string>;
}

export interface TokenMore {
  key?: SigningKey;
  header?: Record<string, unknown>;
}

const seconds = () => Math.floor(Date.now() / 1000);

export async function startTokenIssuer(): Promise<TokenIssuer> {
  let fetches = 0;
  const server = createServer(async ({ url }, response) => {
    if (!found.isUp) return void response.writeHead(503).end();
    const isKeys = url === '/keys';
    if (isKeys) fetches += 1;
    else if (url !== '/.well-known/oauth-authorization-server') return void response.writeHead(404).end();
    const keys = await Promise.all(
      found.keys.map(async ({ kid, alg, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, alg, use: 'sig' })),
    );
    const body = isKeys ? { keys } : { issuer, jwks_uri: `${issuer}/keys`, code_challenge_methods_supported: ['S256'] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const found: TokenIssuer = {
    issuer,
    keys: [signingKey('first')],
    fetches: () => fetches,
    isUp: true,
    token: (claims = {}, { key = found.keys[0] as SigningKey, header = {} } = {}) => {
      const now = seconds();
      const payload = {
        iss: issuer,
        aud: RESOURCE,
        sub: 'ada',
        iat: now,
        exp: now + 300,
        scope: 'mcp:read',
        ...claims,
      };
      return new SignJWT(JSON.parse(JSON.stringify(payload)))
        .setProtectedHeader({ alg: key.alg, kid: key.kid, typ: 'at+jwt', ...header })
        .sign(key.privateKey);
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
  return found;
}

const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Says that it is not signed (RFC 7519, section 6). */
export function unsignedToken(claims: object): string {
  return `${part({ alg: 'none', typ: 'at+jwt' })}.${part(claims)}.`;
}

/** Signed by HS256 with the text of the public key as its secret: what a verifier accepts that trusts `alg`. */
export async function confusedToken(claims: Record<string, unknown>, { publicKey, kid }: SigningKey): Promise<string> {
  const secret = new TextEncoder().encode(await exportSPKI(publicKey));
  return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', kid, typ: 'at+jwt' }).sign(secret);
}

/** Claims of a token, not verified. */
export const claimsIn = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] as string, 'base64url').toString());
