/**
 * A proxy between a server with one address and one header, or none, and the fake. It forwards each call to its
 * platform with that platform's credential and returns the answer unchanged.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { openLoopback } from '../loopback.ts';
import { type Account, type Credential, loginOf, type PlatformLogin } from './merged-login.ts';
import type { PlatformDocuments } from './served-documents.ts';

export interface CredentialProxy extends AsyncDisposable {
  url: string;
  close: () => Promise<void>;
}

export interface CredentialProxyOptions {
  /** Where `/<platform>` begins. */
  target: string;
  documents: PlatformDocuments;
  account: Account;
}

/** Of the way between two neighbours, and the credential that is replaced. */
const NOT_PASSED_ON = new Set([
  ...['host', 'connection', 'keep-alive', 'transfer-encoding', 'content-length', 'upgrade', 'te', 'trailer'],
  ...['authorization', 'accept-encoding', 'expect'],
]);
const NOT_PASSED_BACK = new Set([
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'content-encoding',
]);

export async function openCredentialProxy(options: CredentialProxyOptions): Promise<CredentialProxy> {
  const { target, documents, account } = options;
  const logins = new Map([...documents].map(([id, own]) => [id, loginOf(own.values(), account)] as const));
  const held = new Map<string, Promise<Credential>>();
  const credentialFor = (platform: string, login: PlatformLogin): Promise<Credential> => {
    const known = held.get(platform) ?? logIn(`${target}/${platform}`, login);
    held.set(platform, known);
    known.catch(() => held.delete(platform));
    return known;
  };
  const server = createServer((incoming, outgoing) => {
    pass(incoming, outgoing).catch((error: unknown) => {
      if (!outgoing.headersSent) outgoing.writeHead(502, { 'content-type': 'text/plain' });
      outgoing.end(String(error));
    });
  });
  const pass = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await buffer(incoming);
    const platform = /^\/([^/?]+)/.exec(incoming.url ?? '')?.[1] ?? '';
    const login = logins.get(platform);
    if (login === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    let answer = await send(target, incoming, body, await credentialFor(platform, login));
    if (answer.status === 401 && login.kind === 'login') {
      // A reset of the fake forgets what it gave out.
      held.delete(platform);
      answer = await send(target, incoming, body, await credentialFor(platform, login));
    }
    const headers = [...answer.headers].filter(([name]) => !NOT_PASSED_BACK.has(name));
    outgoing.writeHead(answer.status, Object.fromEntries(headers)).end(Buffer.from(await answer.arrayBuffer()));
  };
  return openLoopback(server);
}

async function logIn(base: string, login: PlatformLogin): Promise<Credential> {
  if (login.kind === 'fixed') return login.credential;
  const headers = { 'content-type': login.contentType };
  const answer = await fetch(`${base}${login.path}`, { method: 'POST', headers, body: login.body });
  if (!answer.ok) throw new Error(`${base}${login.path} should give a credential, got ${answer.status}`);
  return login.credentialOf((await answer.json()) as Record<string, unknown>);
}

function send(target: string, incoming: IncomingMessage, body: Buffer, credential: Credential): Promise<Response> {
  const url = new URL(`${target}${incoming.url}`);
  for (const [name, value] of Object.entries(credential.query)) url.searchParams.set(name, value);
  const headers = new Headers(credential.headers);
  for (const [name, value] of Object.entries(incoming.headers)) {
    if (NOT_PASSED_ON.has(name) || value === undefined || headers.has(name)) continue;
    headers.set(name, [value].flat().join(', '));
  }
  const method = incoming.method ?? 'GET';
  return fetch(url, {
    method,
    headers,
    redirect: 'manual',
    ...(body.length === 0 ? {} : { body: new Uint8Array(body) }),
  });
}
