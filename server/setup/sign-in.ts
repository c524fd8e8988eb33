/**
 * A person signs in at an authorization server, and the setup gets a refresh token: authorization code with PKCE (RFC 6749,
 * 4.1; RFC 7636) and a redirect to this machine (RFC 8252, 7.3). Where the browser runs elsewhere, the person pastes the
 * address that it was sent to.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import { asked } from './authorization-server.ts';

export interface SignInRequest {
  /** What messages call it. */
  title: string;
  /** Both named by the operator: the person signs in at one, code and client secret go to the other. */
  authorizationUrl: string;
  tokenUrl: string;
  clientId: string;
  /** Empty for a public client (RFC 6749, 2.1). */
  clientSecret: string;
  scopes: readonly string[];
  /** Issuer that the answer has to name, where it is known (RFC 9207). */
  issuer?: string;
}

export interface SignInMeans {
  egress: Egress;
  /** Shows the address that a browser has to open. */
  show: (url: string) => void;
  /** The address that a person pastes. It may stay open; the signal ends it. */
  pasted: (signal: AbortSignal) => Promise<string>;
  timeoutMs?: number;
}

const TIMEOUT_MS = 10 * 60_000;
const PAGES = { 200: 'Signed in. You can close this page.', 400: 'This address is not the one that was asked for.' };

/** The refresh token. Throws UPSTREAM_FORBIDDEN where the server refuses, UPSTREAM_FAILED where it answers something else. */
export async function signIn(request: SignInRequest, means: SignInMeans): Promise<string> {
  for (const url of [request.authorizationUrl, request.tokenUrl]) checkTransport(url);
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  await using listener = await listen(request, state);
  means.show(authorizationUrl(request, { state, verifier, redirect: listener.redirect }));
  const code = await firstCode(request, state, listener, means);
  return refreshToken(request, { code, verifier, redirect: listener.redirect }, means.egress);
}

/** Only over TLS, or to this machine: the address carries what a person types. */
function checkTransport(url: string): void {
  const { protocol, hostname } = new URL(url);
  const local = ['127.0.0.1', 'localhost', '[::1]'].includes(hostname);
  if (protocol !== 'https:' && !local)
    throw new RouterError('USAGE', `a sign-in needs an https address, got ${JSON.stringify(url)}`);
}

interface Attempt {
  state: string;
  verifier: string;
  redirect: string;
}

function authorizationUrl(request: SignInRequest, { state, verifier, redirect }: Attempt): string {
  const url = new URL(request.authorizationUrl);
  const { scopes } = request;
  const parameters = {
    response_type: 'code',
    client_id: request.clientId,
    redirect_uri: redirect,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...(scopes.length === 0 ? {} : { scope: scopes.join(' ') }),
    // Without consent a server ignores this scope (OpenID Connect Core, 11).
    ...(scopes.includes('offline_access') ? { prompt: 'consent' } : {}),
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

interface Listener extends AsyncDisposable {
  redirect: string;
  code: Promise<string>;
}

/** Any other request than the answer to this sign-in is refused and does not end it. */
async function listen(request: SignInRequest, state: string): Promise<Listener> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  promise.catch(() => undefined);
  const server: Server = createServer((incoming, response) => {
    const answer = incoming.method === 'GET' ? answerIn(`http://127.0.0.1${incoming.url ?? ''}`, state) : undefined;
    const status = answer === undefined ? 400 : 200;
    response.writeHead(status, { 'content-type': 'text/plain; charset=utf-8', connection: 'close' });
    response.end(`${PAGES[status]}\n`);
    if (answer !== undefined) settle(() => codeOf(request, answer), resolve, reject);
  });
  await new Promise<void>((done, failed) => server.once('error', failed).listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    redirect: `http://127.0.0.1:${port}/callback`,
    code: promise,
    [Symbol.asyncDispose]: async () => {
      await new Promise((done) => {
        server.close(done);
        server.closeAllConnections();
      });
    },
  };
}

function settle<T>(make: () => T, resolve: (value: T) => void, reject: (error: unknown) => void): void {
  try {
    resolve(make());
  } catch (error) {
    reject(error);
  }
}

/** The parameters of a redirect with this state; undefined for any other address. */
function answerIn(text: string, state: string): URLSearchParams | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.pathname !== '/callback') return undefined;
  const got = Buffer.from(url.searchParams.get('state') ?? '');
  const expected = Buffer.from(state);
  return got.length === expected.length && timingSafeEqual(got, expected) ? url.searchParams : undefined;
}

function codeOf({ title, issuer }: SignInRequest, answer: URLSearchParams): string {
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

/** An error code as RFC 6749 writes it, and nothing else of what a stranger sent. */
const word = (error: string): string => (/^[\w.-]{1,60}$/.test(error) ? error : 'no error code');

/** From the redirect or from what the person pastes, whichever comes first. A pasted address of another sign-in is refused. */
async function firstCode(
  request: SignInRequest,
  state: string,
  { code }: Listener,
  { pasted, timeoutMs = TIMEOUT_MS }: SignInMeans,
): Promise<string> {
  const ended = new AbortController();
  const typed = pasted(ended.signal).then((text) => {
    const answer = answerIn(text.trim(), state);
    if (answer === undefined)
      throw new RouterError('USAGE', `${request.title}: the pasted address is not the answer to this sign-in`);
    return codeOf(request, answer);
  });
  const late = new Promise<never>((_, reject) => {
    const timer = setTimeout(
      () => reject(new RouterError('UPSTREAM_TIMEOUT', `${request.title}: nobody signed in within ten minutes`)),
      timeoutMs,
    );
    ended.signal.addEventListener('abort', () => clearTimeout(timer));
  });
  typed.catch(() => undefined);
  try {
    return await Promise.race([code, typed, late]);
  } finally {
    ended.abort();
  }
}

async function refreshToken(
  { title, tokenUrl, clientId, clientSecret }: SignInRequest,
  { code, verifier, redirect }: { code: string; verifier: string; redirect: string },
  egress: Egress,
): Promise<string> {
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirect,
    code_verifier: verifier,
    client_id: clientId,
    ...(clientSecret === '' ? {} : { client_secret: clientSecret }),
  };
  const { host } = new URL(tokenUrl);
  const { status, text } = await asked(egress, tokenUrl, {
    method: 'POST',
    headers: { accept: 'application/json', 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });
  const error = text('error');
  if (status !== 200)
    throw new RouterError(
      'UPSTREAM_FORBIDDEN',
      `${title}: the token endpoint at ${host} refused the code (${status}${error === undefined ? '' : `, ${word(error)}`})`,
    );
  const token = text('refresh_token');
  if (token !== undefined && !/[\r\n\0]/.test(token)) return token;
  throw new RouterError('UPSTREAM_FAILED', `${title}: the token endpoint at ${host} gave no refresh token`, {
    remedy: 'ask for the scope that gives one, often offline_access, and permit it for the client',
  });
}
