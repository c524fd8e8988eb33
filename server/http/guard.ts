/**
 * Stands in front of every route: one well-formed Host, an origin-form target, Host and Origin on the allow-lists, and
 * the bearer token. It decides before a byte of the body is read.
 */
import type { AuthInfo } from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { NO_ACCESS, type PrincipalAccess } from '../access/access-policy.ts';
import type { HttpBinding } from '../config/listen-address.ts';
import type { OAuthCallers } from '../oauth/oauth-callers.ts';
import { challenge, METADATA_PATHS } from '../oauth/resource-metadata.ts';
import { isJwt } from '../oauth/token-verifier.ts';
import type { Principals } from '../principals/principals.ts';
import { bearerCheck, principalOf } from './bearer-check.ts';

export const HEALTH_ROUTES: ReadonlySet<string> = new Set(['/livez', '/healthz', '/readyz']);

/** Where the protocol library reads the caller: a fixed client without a token. It also carries the request's id. */
export type GuardedRaw = FastifyRequest['raw'] & { auth?: AuthInfo };

const HOST = /^(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const ORIGIN = /^(https?):\/\/(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}))?$/i;
const ENTRY = /^(?:(https?):\/\/)?(\[[0-9a-f:.]+\]|[a-z0-9._-]+)(?::(\d{1,5}|\*))?$/i;

interface Name {
  scheme: string | undefined;
  host: string;
  port: string | undefined;
}

/** Who a request comes from; `access` only where there are principals. */
interface Proven {
  name: string;
  access?: PrincipalAccess;
  mayApprove?: boolean;
  metrics?: boolean;
}

type Refused = 'invalid' | 'unavailable' | 'unlisted';
type Proof = Proven | Refused;
type GuardedPrincipals = Pick<Principals, 'find' | 'named'>;

/** Undefined where nobody has to prove anything. */
function proofOf(
  { bearerToken }: HttpBinding,
  principals: GuardedPrincipals | undefined,
  oauth: OAuthCallers | undefined,
): ((given: string | undefined) => Proof | Promise<Proof>) | undefined {
  if (bearerToken === undefined && principals === undefined && oauth === undefined) return undefined;
  const isShared = bearerToken === undefined ? () => false : bearerCheck(bearerToken);
  // The one bearer of the settings has all that the settings permit.
  const shared: Proven = {
    name: bearerToken === undefined ? '' : principalOf(bearerToken),
    ...(principals ? { access: {}, metrics: true } : {}),
  };
  return (given) => {
    if (oauth !== undefined && given !== undefined && isJwt(given)) return oauth.prove(given);
    return (isShared(given) ? shared : principals?.find(given)) ?? 'invalid';
  };
}

/**
 * From here on the request is this caller's. What it may use is looked up whenever it is asked for: over a connection that is kept, a call
 * goes on with this request after a person has answered, and its principal may have been narrowed meanwhile.
 */
function enter(caller: AuthInfo, proven: Proven, now: () => Proven): void {
  const { name, access } = proven;
  caller.clientId = name;
  if (access === undefined) return;
  caller.extra = {
    ...caller.extra,
    get access() {
      return now().access;
    },
    get mayApprove() {
      return now().mayApprove ?? true;
    },
  };
}

/** What the caller of an earlier request may use now. */
function provenNow(
  { name, access }: Proven,
  proof: Proof | Promise<Proof>,
  principals: GuardedPrincipals | undefined,
): Proven | undefined {
  if (proof === 'unlisted') return { name, access: NO_ACCESS, mayApprove: false };
  if (typeof proof === 'object' && !(proof instanceof Promise) && proof.name === name) return proof;
  // Its bearer was rotated or its token ran out, and the answer came with another one of the same name.
  const entry = principals?.named(name);
  return entry && { ...entry, access: access?.scopes ? { ...entry.access, scopes: access.scopes } : entry.access };
}

/** Why no route is looked at: the target is not readable, or names a host or origin that is not on the lists. */
function refusalOf(
  request: FastifyRequest,
  host: Name | undefined,
  lists: AllowLists | undefined,
): { status: 400 | 403; body: { error: string; message: string } } | undefined {
  const { url = '' } = request.raw;
  // RFC 9112, section 3.2.1: a target has no fragment. The routes end a path at one, so it would be another path here than there.
  if (host === undefined || !url.startsWith('/') || url.includes('#'))
    return {
      status: 400,
      body: {
        error: 'bad_request',
        message: 'one well-formed Host header and a path without a fragment are required',
      },
    };
  if (lists === undefined || HEALTH_ROUTES.has(pathOf(url))) return undefined;
  const unlisted = unlistedName(lists, host, request.headers.origin);
  if (unlisted === undefined) return undefined;
  return { status: 403, body: { error: 'forbidden', message: `this ${unlisted} is not on the allow-list` } };
}

/** As the routes see it: decoded once. */
export function pathOf(url: string): string {
  const path = url.split('?', 1)[0] as string;
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

const METRICS_ROUTE = '/metrics';

/** Why nobody is let in, without a word of what was given. */
function refuseProof(reply: FastifyReply, proof: Refused, oauth: OAuthCallers | undefined, isGiven: boolean) {
  if (proof === 'unavailable')
    return reply
      .code(503)
      .header('retry-after', '10')
      .send({ error: 'temporarily_unavailable', message: 'the keys of the authorization server cannot be fetched' });
  // Not 401: to sign in again would change nothing.
  if (proof === 'unlisted')
    return reply.code(403).send({ error: 'forbidden', message: 'this subject is no principal of this router' });
  // RFC 6750, section 3.1: no error code where nothing was given.
  const told = oauth && challenge(oauth, isGiven ? { error: 'invalid_token' } : {});
  return reply
    .code(401)
    .header('www-authenticate', told ?? 'Bearer realm="mcp"')
    .send({ error: 'unauthorized', message: 'a valid bearer token is required' });
}

export function addGuard(
  app: FastifyInstance,
  binding: HttpBinding,
  principals?: GuardedPrincipals,
  oauth?: OAuthCallers,
): void {
  const hosts = binding.allowedHosts.map(parseEntry);
  const origins = binding.allowedOrigins.map(parseEntry);
  const lists = binding.checkNames ? { hosts, origins } : undefined;
  const prove = proofOf(binding, principals, oauth);
  const open = new Set([...HEALTH_ROUTES, ...(oauth ? METADATA_PATHS : [])]);
  app.addHook('onRequest', async (request, reply) => {
    const { rawHeaders, url = '' } = request.raw;
    const refusal = refusalOf(request, onlyHost(rawHeaders), lists);
    if (refusal) return reply.code(refusal.status).send(refusal.body);
    const path = pathOf(url);
    if (open.has(path)) return;
    const caller: AuthInfo = { token: '', clientId: '', scopes: [], extra: { request: request.id } };
    (request.raw as GuardedRaw).auth = caller;
    if (prove === undefined) return;
    const given = bearerOf(rawHeaders);
    const asked = prove(given);
    const proven = asked instanceof Promise ? await asked : asked;
    if (typeof proven === 'string') return refuseProof(reply, proven, oauth, given !== undefined);
    enter(caller, proven, () => provenNow(proven, prove(given), principals) ?? proven);
    const isBarred = path === METRICS_ROUTE && proven.access !== undefined && proven.metrics !== true;
    if (isBarred)
      return reply.code(403).send({ error: 'forbidden', message: 'this principal may not read the metrics' });
  });
}

/** The one Host header, or undefined when there is none, two, or something that is not a host. Node keeps only the first. */
function onlyHost(rawHeaders: readonly string[]): Name | undefined {
  const [value = '', ...more] = valuesOf(rawHeaders, 'host');
  const match = more.length === 0 ? HOST.exec(value) : null;
  // What no URL can hold, as `1.2.3.4.5` or a port above 65535, cannot be the host of a request.
  if (!match || !URL.canParse(`http://${value}`)) return undefined;
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
