/**
 * Stands in front of every route: one well-formed Host, an origin-form target, Host and Origin on the allow-lists, and
 * the bearer token. It decides before a byte of the body is read.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { HttpBinding } from '../config/listen-address.ts';
import { bearerCheck, principalOf } from './bearer-check.ts';

export const HEALTH_ROUTES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/** Where the protocol library reads the caller: a fixed client without a token. It also carries the request's id. */
export type GuardedRaw = FastifyRequest['raw'] & { auth?: AuthInfo };

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i;
const ORIGIN = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9.-]+)(?::(\d{1,5}))?$/i;
const ENTRY = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}|\*))?$/i;

interface Name {
  scheme: string | undefined;
  host: string;
  port: string | undefined;
}

export function addGuard(app: FastifyInstance, binding: HttpBinding): void {
  const hosts = binding.allowedHosts.map(parseEntry);
  const origins = binding.allowedOrigins.map(parseEntry);
  const { bearerToken } = binding;
  const bearer =
    bearerToken === undefined ? undefined : { isRight: bearerCheck(bearerToken), principal: principalOf(bearerToken) };
  app.addHook('onRequest', async (request, reply) => {
    const { rawHeaders, url = '' } = request.raw;
    const host = onlyHost(rawHeaders);
    if (host === undefined || !url.startsWith('/'))
      return reply
        .code(400)
        .send({ error: 'bad_request', message: 'one well-formed Host header and a path are required' });
    const path = url.split('?', 1)[0] as string;
    if (HEALTH_ROUTES.has(path)) return;
    if (binding.checkNames) {
      const unlisted = unlistedName({ hosts, origins }, host, request.headers.origin);
      if (unlisted !== undefined)
        return reply.code(403).send({ error: 'forbidden', message: `this ${unlisted} is not on the allow-list` });
    }
    const caller = { token: '', clientId: '', scopes: [], extra: { request: request.id } };
    (request.raw as GuardedRaw).auth = caller;
    if (bearer === undefined) return;
    if (!bearer.isRight(bearerOf(rawHeaders))) {
      return reply
        .code(401)
        .header('www-authenticate', 'Bearer realm="mcp"')
        .send({ error: 'unauthorized', message: 'a valid bearer token is required' });
    }
    caller.clientId = bearer.principal;
  });
}

/** The one Host header, or undefined when there is none, two, or something that is not a host. Node keeps only the first. */
function onlyHost(rawHeaders: readonly string[]): Name | undefined {
  const values = valuesOf(rawHeaders, 'host');
  const match = values.length === 1 ? HOST.exec(values[0] as string) : null;
  if (!match || Number(match[2] ?? 0) > 65535) return undefined;
  return { scheme: undefined, host: (match[1] as string).toLowerCase(), port: match[2] };
}

/** The one bearer token, or undefined when there is none, two headers, or something else. */
function bearerOf(rawHeaders: readonly string[]): string | undefined {
  const [given, ...more] = valuesOf(rawHeaders, 'authorization');
  return more.length === 0 ? /^Bearer +([^\s]+) *$/i.exec(given ?? '')?.[1] : undefined;
}

/** Every value under a name: of most headers Node shows only the first. */
function valuesOf(rawHeaders: readonly string[], name: string): string[] {
  const values: string[] = [];
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const found = rawHeaders[at] as string;
    if (found.length === name.length && found.toLowerCase() === name) values.push(rawHeaders[at + 1] as string);
  }
  return values;
}

function parseOrigin(origin: string): Name | undefined {
  const match = ORIGIN.exec(origin);
  return match
    ? { scheme: (match[1] as string).toLowerCase(), host: (match[2] as string).toLowerCase(), port: match[3] }
    : undefined;
}

function parseEntry(entry: string): Name {
  const match = ENTRY.exec(entry);
  return { scheme: match?.[1]?.toLowerCase(), host: (match?.[2] ?? '').toLowerCase(), port: match?.[3] };
}

interface AllowLists {
  hosts: readonly Name[];
  origins: readonly Name[];
}

/** The header whose name is on no list; a client that is no browser sends no Origin. */
function unlistedName({ hosts, origins }: AllowLists, host: Name, origin: string | undefined): string | undefined {
  if (!isListed(hosts, host)) return 'Host';
  return origin === undefined || isListed(origins, parseOrigin(origin)) ? undefined : 'Origin';
}

const isListed = (entries: readonly Name[], name: Name | undefined) =>
  name !== undefined && entries.some((entry) => matches(entry, name));

function matches(entry: Name, name: Name): boolean {
  if (entry.host !== name.host) return false;
  if (entry.scheme !== undefined && entry.scheme !== name.scheme) return false;
  return entry.port === '*' || entry.port === name.port;
}
