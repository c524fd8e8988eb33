/**
 * A person signs in at an authorization server, and the setup gets a refresh token: authorization code with PKCE (RFC 6749,
 * 4.1; RFC 7636) and a redirect to this machine (RFC 8252, 7.3). Where the browser runs elsewhere, the person pastes the
 * address that it was sent to.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Egress } from '../egress/egress.ts';
import { RouterError } from '../errors.ts';
import {
  authorizationUrl,
  type CodeClient,
  codeOf,
  exchangeCode,
  hasState,
  mustBeSafe,
} from '../oidc/authorization-code.ts';

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
export async function signIn(request: CodeClient, means: SignInMeans): Promise<string> {
  for (const url of [request.authorizationUrl, request.tokenUrl]) mustBeSafe(url);
  const state = randomBytes(32).toString('base64url');
  const verifier = randomBytes(32).toString('base64url');
  await using listener = await listen(request, state);
  means.show(authorizationUrl(request, { state, verifier, redirect: listener.redirect }));
  const code = await firstCode(request, state, listener, means);
  return refreshToken(request, { code, verifier, redirect: listener.redirect }, means.egress);
}

interface Listener extends AsyncDisposable {
  redirect: string;
  code: Promise<string>;
}

/** Any other request than the answer to this sign-in is refused and does not end it. */
async function listen(request: CodeClient, state: string): Promise<Listener> {
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
  return hasState(url.searchParams, state) ? url.searchParams : undefined;
}

/** From the redirect or from what the person pastes, whichever comes first. A pasted address of another sign-in is refused. */
async function firstCode(
  request: CodeClient,
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

/** Given for the code. */
async function refreshToken(
  client: CodeClient,
  answer: Parameters<typeof exchangeCode>[1],
  egress: Egress,
): Promise<string> {
  const token = (await exchangeCode(client, answer, egress)).text('refresh_token');
  if (token !== undefined && !/[\r\n\0]/.test(token)) return token;
  const { host } = new URL(client.tokenUrl);
  throw new RouterError('UPSTREAM_FAILED', `${client.title}: the token endpoint at ${host} gave no refresh token`, {
    remedy: 'ask for the scope that gives one, often offline_access, and permit it for the client',
  });
}
