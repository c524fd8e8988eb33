/**
 * The authorization code flow with PKCE (RFC 6749, 4.1; RFC 7636): the address that a browser opens, the answer that it
 * brings back, and the request that gives the code away. Whoever uses it keeps state and verifier.
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { asked, type ServerAnswer } from './authorization-server.ts';

export interface CodeClient {
  /** What messages call it. */
  title: string;
  /** The person signs in at one, code and client secret go to the other. */
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  /** Empty for a public client (RFC 6749, 2.1). */
  clientSecret: string;
  scopes: readonly string[];
  /** Issuer that the answer has to name, where it is known (RFC 9207). */
  issuer?: string;
}

/** One sign-in: its state, its verifier (both base64url) and where the browser is sent back to. */
export interface Attempt {
  state: string;
  verifier: string;
  redirect: string;
  /** Binds the ID token to this sign-in (OpenID Connect Core 1.0, 3.1.2.1). */
  nonce?: string;
}

/** Only over TLS, or to this machine: the address carries what a person types. */
export function mustBeSafe(url: string): void {
  const { protocol, hostname } = new URL(url);
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !local)
    throw new RouterError('USAGE', `a sign-in needs an https address, got ${JSON.stringify(url)}`);
}

/** What the browser has to open. */
export function authorizationUrl(client: CodeClient, { state, verifier, redirect, nonce }: Attempt): string {
  const url = new URL(client.authorizationUrl);
  const { scopes } = client;
  const parameters = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: redirect,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(nonce === undefined ? {} : { nonce }),
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    // Without consent a server ignores this scope (OpenID Connect Core, 11).
    ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

/** Whether an answer belongs to the sign-in with this state. */
export function hasState(answer: URLSearchParams, state: string): boolean {
  const got = Buffer.from(answer.get('state') ?? '');
  const expected = Buffer.from(state);
  return got.length === expected.length && timingSafeEqual(got, expected);
}

/** The code of an answer; throws UPSTREAM_FORBIDDEN where the server refused, UPSTREAM_FAILED where there is none. */
export function codeOf({ title, issuer }: CodeClient, answer: URLSearchParams): string {
  const error = answer.get('error');
  if (error !== null)
    throw new RouterError(
      'UPSTREAM_FORBIDDEN',
      `${title}: the authorization server refused the sign-in (${word(error)})`,
    );
  const from = answer.get('iss');
  if (issuer !== undefined && from !== null && from !== issuer)
    throw new RouterError('UPSTREAM_FORBIDDEN', `${title}: the sign-in was answered by another authorization server`);
  const code = answer.get('code');
  if (code === null || code === '')
    throw new RouterError('UPSTREAM_FAILED', `${title}: the authorization server should answer with a code, got none`);
  return code;
}

/** Gives the code away, once. Throws UPSTREAM_FORBIDDEN where the token endpoint refuses it. */
export async function exchangeCode(
  { title, tokenUrl, clientId, clientSecret }: CodeClient,
  { code, verifier, redirect }: Pick<Attempt, 'verifier' | 'redirect'> & { code: string },
  egress: Egress,
): Promise<ServerAnswer> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
    client_id: clientId,
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
  };
  const answer = await asked(egress, tokenUrl, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  if (answer.status === 200) return answer;
  const error = answer.text('error');
  throw new RouterError(
    'UPSTREAM_FORBIDDEN',
    `${title}: the token endpoint at ${new URL(tokenUrl).host} refused the code (${answer.status}${error === undefined ? '' : `, ${word(error)}`})`,
  );
}

/** An error code as RFC 6749 writes it, and nothing else of what a stranger sent. */
const word = (error: string): string => (/^[\w.-]{1,60}$/.test(error) ? error : 'no error code');
