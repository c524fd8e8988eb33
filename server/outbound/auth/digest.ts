/**
 * HTTP digest (RFC 7616) with `qop=auth` or, for old servers, without: MD5 or SHA-256, each also as `-sess`. The challenge
 * comes from a GET of the base URL or of the path that is called, without credentials and without a body. A write is sent
 * only with a challenge that this process got, so that it need not be sent twice.
 */
import { createHash, randomBytes } from 'node:crypto';
import { RouterError } from '../../errors.ts';
import { brokenOff, hostOf } from '../failure.ts';
import type { Login, LoginStrategy, Signing } from './login-strategy.ts';

/** Servers do not say how long a nonce lives; a 401 gets a new one earlier. */
const NONCE_LIFETIME_MS = 60_000;
const REQUEST_TIMEOUT_MS = 15_000;

interface Challenge {
  realm: string;
  nonce: string;
  opaque?: string;
  /** As the server spells it. */
  algorithm?: string;
  qop: boolean;
}

/** Requests that were made with a challenge: each has to count up (RFC 7616, 3.4). */
const counts = new WeakMap<Login, number>();

export const digest: LoginStrategy = {
  url: (_platform, account) => account.baseUrl,
  ownProcess: true,

  logIn: async (platform, account, { now, send, path }): Promise<Login> => {
    const url = account.baseUrl + path;
    let response: Response;
    try {
      response = await send(url, { method: 'GET', signal: AbortSignal.timeout(REQUEST_TIMEOUT_MS) });
      await response.body?.cancel();
    } catch (cause) {
      if (cause instanceof RouterError) throw cause;
      throw brokenOff(platform.id, url, cause);
    }
    const challenge = challengeIn(response.headers.get('www-authenticate') ?? '');
    if (response.status === 401 && challenge !== undefined)
      return { token: JSON.stringify(challenge), expiresAt: now() + NONCE_LIFETIME_MS };
    throw new RouterError(
      'UPSTREAM_FAILED',
      `${platform.id}: ${hostOf(url)} should answer a call without credentials 401 with a digest challenge (MD5 or SHA-256, qop auth), got ${response.status}`,
      { details: { upstream_status: response.status } },
    );
  },

  present: (_platform, login, signing) => ({
    headers: { authorization: signing === undefined || login.token === '' ? '' : authorization(login, signing) },
  }),
};

function authorization(login: Login, { account, method, target }: Signing): string {
  const { realm, nonce, opaque, algorithm, qop } = JSON.parse(login.token) as Challenge;
  const name = /^sha-256/i.test(algorithm ?? '') ? 'sha256' : 'md5';
  const hash = (text: string) => createHash(name).update(text, 'utf8').digest('hex');
  const count = (counts.get(login) ?? 0) + 1;
  counts.set(login, count);
  const nc = count.toString(16).padStart(8, '0');
  const cnonce = randomBytes(12).toString('hex');
  const { username, password } = account;
  const secret = hash(`${username}:${realm}:${password}`);
  const ha1 = /-sess$/i.test(algorithm ?? '') ? hash(`${secret}:${nonce}:${cnonce}`) : secret;
  const ha2 = hash(`${method}:${target}`);
  const response = hash(qop ? `${ha1}:${nonce}:${nc}:${cnonce}:auth:${ha2}` : `${ha1}:${nonce}:${ha2}`);
  const quoted = (text: string) => `"${text.replace(/["\\]/g, '\\$&')}"`;
  return `Digest ${[
    `username=${quoted(username)}`,
    `realm=${quoted(realm)}`,
    `nonce=${quoted(nonce)}`,
    `uri=${quoted(target)}`,
    ...(algorithm === undefined ? [] : [`algorithm=${algorithm}`]),
    `response="${response}"`,
    ...(opaque === undefined ? [] : [`opaque=${quoted(opaque)}`]),
    ...(qop || /-sess$/i.test(algorithm ?? '') ? [`cnonce="${cnonce}"`] : []),
    ...(qop ? ['qop=auth', `nc=${nc}`] : []),
  ].join(', ')}`;
}

/** The strongest digest challenge of a `WWW-Authenticate` header that this router can answer. */
function challengeIn(header: string): Challenge | undefined {
  const found = challengesIn(header)
    .filter((text) => /^Digest\s/i.test(text))
    .flatMap((text) => {
      const parts = new Map(
        [...text.matchAll(/([a-z-]{1,30})\s{0,5}=\s{0,5}(?:"((?:[^"\\]|\\.){0,2000})"|([^\s,"]{1,2000}))/gi)].map(
          ([, name, quoted, plain]) => [(name as string).toLowerCase(), quoted?.replace(/\\(.)/g, '$1') ?? plain ?? ''],
        ),
      );
      const challenge = answerable(parts);
      return challenge === undefined ? [] : [challenge];
    });
  return found.find(({ algorithm }) => /^sha-256/i.test(algorithm ?? '')) ?? found[0];
}

/** Each from its scheme on. The name of a scheme within quotation marks is text. */
function challengesIn(header: string): string[] {
  const starts = [...header.matchAll(/"(?:[^"\\]|\\.){0,2000}"|\b(?:Digest|Basic|Bearer|Negotiate|NTLM)\s/gi)]
    .filter(([text]) => !text.startsWith('"'))
    .map(({ index }) => index);
  return starts.map((start, at) => header.slice(start, starts[at + 1]));
}

function answerable(parts: ReadonlyMap<string, string>): Challenge | undefined {
  const [realm, nonce, qop, algorithm] = ['realm', 'nonce', 'qop', 'algorithm'].map((name) => parts.get(name));
  if (realm === undefined || nonce === undefined || !/^(md5|sha-256)(-sess)?$/i.test(algorithm ?? 'MD5'))
    return undefined;
  const offered = qop?.split(',').map((text) => text.trim().toLowerCase());
  if (offered !== undefined && !offered.includes('auth')) return undefined;
  const opaque = parts.get('opaque');
  return {
    realm,
    nonce,
    qop: offered !== undefined,
    ...(algorithm === undefined ? {} : { algorithm }),
    ...(opaque === undefined ? {} : { opaque }),
  };
}
