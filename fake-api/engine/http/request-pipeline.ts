/**
 * One request from bytes to answer, in the order in which a platform refuses it: credential, path, method, media type,
 * parameters, body, rules. Every request leaves exactly one record in the journal. Documents differ by `Conventions`.
 */
import type { Operation } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import { callByKey } from '../state/by-field.ts';
import { canonicalJson, isObject, own, sha256 } from '../state/json-value.ts';
import type { PlatformBehaviour } from '../state/platform-behaviour.ts';
import { inStage } from '../state/stage.ts';
import type { State } from '../state/state.ts';
import { missingPart } from '../state/target-row.ts';
import type { Call } from './accepted-call.ts';
import { headerOf } from './auth.ts';
import type { AccessRequest, Conventions, Rendered, SentCredential } from './conventions.ts';
import { toldInside } from './hidden-refusal.ts';
import { meantBy } from './operation-of-address.ts';
import { type Answer, done, type Refusal, refuse } from './platform-answer.ts';
import { countCall, type RateReading } from './rate-window.ts';
import { readBody } from './request-body.ts';
import { canonicalQuery, type Pairs, queryPairs, readParameters, readPath } from './request-parameters.ts';
import type { Match } from './routes.ts';
import { SHIPPED_CONVENTIONS } from './shipped-conventions.ts';

export interface EngineRequest {
  method: string;
  /** Document path, without namespace and platform, not decoded. */
  path: string;
  /** Raw query text without the question mark. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer | null;
  /** URL of the platform without a trailing slash, as the caller wrote it. */
  base?: string;
  /** The transport already had to refuse it, for instance because the body was too large to take in. */
  refused?: Refusal;
}

export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
  /** Set where each character of the body is a byte; else it is UTF-8. */
  encoding?: 'latin1';
}

/** What the engine says about each call; the journal numbers and keeps it. */
export interface CallRecord {
  at: string;
  platform: string;
  method: string;
  path: string;
  query: string;
  template: string | null;
  operationId: string | null;
  capability: 'read' | 'diagnostic' | 'write' | 'destructive' | 'poll' | 'auth';
  status: number;
  bodyHash: string | null;
  /** Of a foreign platform: the credentials of the call. */
  credentials?: SentCredential[];
}

export interface Journal {
  /** Records so far but logins: a caller that keeps a token logs in once for several runs. */
  readonly calls: number;
  append(record: CallRecord): void;
}

export interface Served {
  platform: Platform;
  world: PlatformBehaviour;
  /** Those of the shipped documents when left out. */
  conventions?: Conventions;
}

/** One logical second per accepted write, so that created and updated times order correctly. */
const WRITE_SECONDS = 1;

export function handle(served: Served, state: State, journal: Journal, request: EngineRequest): EngineResponse {
  const { platform } = served;
  const { conventions, ...asked } = recognised(served, request);
  const { operation, capability, isAuth } = asked;
  const sent = queryPairs(request.query);
  const credentials = conventions.access.credentialParameters(platform);
  const pairs = sent?.filter(([name]) => !credentials.has(name)) ?? null;
  const arrived = { at: state.clock.iso(), ms: state.clock.ms };
  const rate = countCall(state, platform.id, platform.rate);
  const sequence = journal.calls + 1;

  let answer: Answer;
  if (request.refused !== undefined) answer = request.refused;
  else if (isAuth) {
    const presented = { ...request, pairs: sent ?? [] };
    answer = conventions.access.issue(platform, state, operation, presented);
  } else answer = rateRefusal(platform, rate) ?? serveOrConfess(served, state, request, asked, sent, pairs);

  const rendered =
    answer.kind === 'refused'
      ? conventions.renderRefusal(answer, operation, { platform, state, sequence })
      : conventions.render(answer, operation, headerOf(request, 'accept') || '*/*');
  journal.append({
    at: arrived.at,
    platform: platform.id,
    method: request.method,
    path: request.path,
    query: pairs === null ? request.query : canonicalQuery(pairs),
    template: operation?.template ?? null,
    operationId: operation?.id ?? null,
    capability,
    status: rendered.status,
    bodyHash: isAuth ? null : hashOfBody(request.body),
    ...credentialsOf(conventions, platform, { ...request, pairs: sent ?? [] }),
  });
  if (isAcceptedWrite(answer, rendered, capability)) state.clock.advance(WRITE_SECONDS);
  return responseOf(answer, rendered, rate.headers, arrived.ms);
}

/** Nothing where the ledger has nothing to say of credentials. */
function credentialsOf(
  { access }: Conventions,
  platform: Platform,
  request: AccessRequest,
): Pick<CallRecord, 'credentials'> {
  const credentials = access.sent?.(platform, request) ?? [];
  return credentials.length === 0 ? {} : { credentials };
}

function rateRefusal(platform: Platform, rate: RateReading): Refusal | null {
  if (!rate.exceeded || platform.rate === null) return null;
  const { per, limit } = platform.rate;
  return refuse(429, 'RATE_LIMITED', `calls per ${per}: expected at most ${limit}, got one more`);
}

function isAcceptedWrite(answer: Answer, rendered: Rendered, capability: CallRecord['capability']): boolean {
  if (answer.kind === 'refused' || answer.refusedInside === true || rendered.status >= 300) return false;
  return capability === 'write' || capability === 'destructive';
}

function responseOf(
  answer: Answer,
  { status, media, ...content }: Rendered,
  rate: Record<string, string>,
  arrivedMs: number,
): EngineResponse {
  const headers = { ...rate, date: new Date(arrivedMs).toUTCString(), ...answer.headers };
  return { status, headers: media === null ? headers : { ...headers, 'content-type': media }, ...content };
}

export interface Recognised {
  conventions: Conventions;
  /** Routes that fit the path; null for a path that cannot be decoded. */
  matches: Match[] | null;
  operation: Operation | null;
  /** Path values of the operation, decoded. */
  values: string[];
  isAuth: boolean;
  capability: CallRecord['capability'];
}

/** Which operation a request is for and what it may do, before anything is done about it. */
export function recognised(
  served: Served,
  request: Pick<EngineRequest, 'method' | 'path' | 'query' | 'headers' | 'body'>,
): Recognised {
  const { platform, conventions = SHIPPED_CONVENTIONS } = served;
  const matches = platform.routes.find(request.path, conventions.impliesMethods === true ? request.method : undefined);
  const { operation, values } = chosenOperation(matches ?? [], request, conventions) ?? NO_OPERATION;
  const isAuth = conventions.access.issues(platform, operation, request);
  const capability = isAuth ? 'auth' : classOf(request, operation);
  return { conventions, matches, operation, values, isAuth, capability };
}

const NO_OPERATION = { operation: null, values: [] };

/** Of several routes with the method, the first whose path parameters accept the values, else the first. */
function chosenOperation(
  matches: readonly Match[],
  request: Pick<EngineRequest, 'method' | 'query' | 'headers'>,
  { checkParameter, impliesMethods }: Conventions,
): { operation: Operation; values: string[] } | undefined {
  const { method } = request;
  const able = ableFor(matches, method);
  // RFC 9110 §9.3.2: HEAD is GET without the content, which the transport leaves out.
  if (able.length === 0 && method === 'HEAD' && impliesMethods === true) able.push(...ableFor(matches, 'GET'));
  if (able.length < 2) return able[0];
  const accepting = able.filter(({ operation, values }) => !('kind' in readPath(operation, values, checkParameter)));
  const chosen = accepting.length > 1 ? meantBy(request, accepting) : accepting[0];
  return chosen ?? able[0];
}

function ableFor(matches: readonly Match[], method: string): { operation: Operation; values: string[] }[] {
  return matches.flatMap(({ route, values }) =>
    (route.operations.get(method) ?? []).map((operation) => ({ operation, values })),
  );
}

/** What a call may do: its operation's class, which a word in the body can raise. */
function classOf(
  request: Pick<EngineRequest, 'method' | 'body'>,
  operation: Operation | null,
): CallRecord['capability'] {
  if (operation === null) return classOfUnmatched(request.method);
  if (operation.isPoll) return 'poll';
  return raisedBy(request.body, operation) ?? operation.capability;
}

function raisedBy(body: Buffer | null, operation: Operation): CallRecord['capability'] | null {
  const { escalates } = operation;
  if (escalates === null || body === null) return null;
  try {
    const sent: unknown = JSON.parse(body.toString('utf8'));
    return (isObject(sent) ? own(escalates.values, String(own(sent, escalates.field))) : undefined) ?? null;
  } catch {
    return null;
  }
}

/** A defect of the fake must not look like the client's fault, and must not escape the ledger. */
function serveOrConfess(...of: Parameters<typeof serve>): Answer {
  try {
    return serve(...of);
  } catch (cause) {
    console.error(cause);
    return refuse(500, 'FAKE_DEFECT', 'the fake failed on this request; its cause is on the error output of the fake');
  }
}

function serve(
  served: Served,
  state: State,
  request: EngineRequest,
  { matches, operation, values }: Omit<Recognised, 'conventions'>,
  sent: Pairs | null,
  pairs: Pairs | null,
): Answer {
  const { platform, world, conventions = SHIPPED_CONVENTIONS } = served;
  const refused = conventions.access.refusal(platform, state, operation, { ...request, pairs: sent ?? [] });
  if (refused !== null) return refused;
  if (operation === null) return unknownOperation(request, matches, conventions);
  const preferred = conventions.preferred?.(operation, state, request) ?? null;
  if (preferred !== null) return preferred;
  // The media type is judged before the parameters, the content of the body after them.
  const body = readBody(operation, headerOf(request, 'content-type'), request.body, conventions.body);
  if (body.kind === 'refused' && body.status === 415) return body;
  if (pairs === null)
    return refuse(400, 'INVALID_QUERY', 'query: expected percent-encoded UTF-8 pairs, got text that cannot be decoded');
  // A document may declare the credential as a parameter, too.
  const read = (sent as Pairs).filter((pair) => pairs.includes(pair) || declaresQuery(operation, pair[0]));
  const parameters = readParameters(operation, values, read, request.headers, conventions.checkParameter);
  if ('kind' in parameters) return parameters;
  if (body.kind !== 'body') return body;
  const call: Call = {
    platform,
    operation,
    state,
    world,
    concretePath: request.path,
    ...(request.base === undefined ? {} : { base: request.base }),
    values,
    ...parameters,
    body: body.value,
    bodySchema: body.schema,
    bodyMedia: body.media,
  };
  const keyed = operation.by === null ? call : callByKey(call);
  if ('kind' in keyed) return toldInside(keyed, operation);
  return toldInside(missingPart(keyed) ?? inStage(keyed, conventions.behaviourOf(operation)), operation);
}

function declaresQuery({ parameters }: Operation, name: string): boolean {
  return parameters.some((parameter) => parameter.in === 'query' && parameter.name === name);
}

function unknownOperation(
  { path, method }: EngineRequest,
  matches: readonly Match[] | null,
  { undecodablePath, impliesMethods }: Conventions,
): Answer {
  if (matches === null && undecodablePath === 400)
    return refuse(400, 'INVALID_PATH', 'path: expected percent-encoded UTF-8, got text that cannot be decoded');
  if (matches === null || matches.length === 0)
    return refuse(404, 'UNKNOWN_PATH', `path: expected one of this platform, got "${path.slice(0, 200)}"`);
  const allowed = [...new Set(matches.flatMap(({ route }) => [...route.operations.keys()]))].join(', ');
  if (method === 'OPTIONS' && impliesMethods === true) return done(204, undefined, { allow: `${allowed}, OPTIONS` });
  const message = `method: expected one of ${allowed}, got ${method}`;
  return refuse(405, 'METHOD_NOT_ALLOWED', message, { allow: allowed });
}

/** By the method alone: what the call would have been, had its path existed. */
export function classOfUnmatched(method: string): CallRecord['capability'] {
  if (method === 'GET' || method === 'HEAD' || method === 'OPTIONS') return 'read';
  return method === 'DELETE' ? 'destructive' : 'write';
}

export function hashOfBody(body: Buffer | null): string | null {
  if (body === null || body.length === 0) return null;
  try {
    return sha256(canonicalJson(JSON.parse(body.toString('utf8'))));
  } catch {
    return sha256(body);
  }
}
