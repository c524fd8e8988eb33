/**
 * One request from bytes to answer, in the order in which the platform would refuse it: token, path, method, media
 * type, parameters, body, rules. Whatever happens, exactly one record goes to the journal.
 */

import { login, logout } from '../behaviours/login.ts';
import { issueToken } from '../behaviours/token.ts';
import { BEHAVIOURS } from '../openapi/behaviours.ts';
import { type AuthKind, type Kind, type Operation, successOf } from '../openapi/served-operation.ts';
import type { Platform } from '../openapi/served-platform.ts';
import { callByKey } from '../state/by-field.ts';
import { canonicalJson, isObject, sha256 } from '../state/json-value.ts';
import type { PlatformBehaviour } from '../state/platform-behaviour.ts';
import { inStage } from '../state/stage.ts';
import type { State } from '../state/state.ts';
import type { Call } from './accepted-call.ts';
import { authOf, credentialProblem, type Presented, withoutCredential } from './auth.ts';
import type { ErrorStyle } from './error-style.ts';
import { toldInside } from './hidden-refusal.ts';
import { type Answer, type Refusal, refuse } from './platform-answer.ts';
import { problemText } from './problem.ts';
import { countCall } from './rate-window.ts';
import { readBody } from './request-body.ts';
import { canonicalQuery, queryPairs, readParameters } from './request-parameters.ts';

export interface EngineRequest {
  method: string;
  /** Document path, without namespace and platform, not decoded. */
  path: string;
  /** Raw query text without the question mark. */
  query: string;
  headers: Record<string, string | string[] | undefined>;
  body: Buffer | null;
  /** The transport already had to refuse it, for instance because the body was too large to take in. */
  refused?: Refusal;
}

export interface EngineResponse {
  status: number;
  headers: Record<string, string>;
  body: string;
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
}

export interface Journal {
  /** Number the next record will have. */
  readonly next: number;
  append(record: CallRecord): void;
}

export interface Served {
  platform: Platform;
  world: PlatformBehaviour;
}

/** One logical second per accepted write, so that created and updated times order correctly. */
const WRITE_SECONDS = 1;

export function handle(served: Served, state: State, journal: Journal, request: EngineRequest): EngineResponse {
  const { platform } = served;
  const sent = queryPairs(request.query);
  const pairs = sent === null ? null : withoutCredential(authOf(platform), sent);
  const at = state.clock.iso();
  const arrivedMs = state.clock.ms;
  const rate = countCall(state, platform.id, platform.rate);
  const match = platform.routes.find(request.path);
  const operation = match?.operations.get(request.method) ?? null;
  const isAuth = opensOrCloses(platform, request, operation);
  const sequence = journal.next;

  let answer: Answer;
  if (request.refused !== undefined) {
    answer = request.refused;
  } else if (rate.exceeded && platform.rate !== null && !isAuth) {
    answer = refuse(
      429,
      'RATE_LIMITED',
      `calls per ${platform.rate.per}: expected at most ${platform.rate.limit}, got one more`,
    );
  } else if (isAuth) {
    answer = authenticate(platform, state, request, operation, sent ?? []);
  } else {
    answer = serveOrConfess(served, state, request, match, operation, sent, pairs);
  }

  const capability = isAuth ? 'auth' : classOf(request, operation);
  const entry: CallRecord = {
    at,
    platform: platform.id,
    method: request.method,
    path: request.path,
    query: pairs === null ? request.query : canonicalQuery(pairs),
    template: operation?.template ?? null,
    operationId: operation?.id ?? null,
    capability,
    status: answer.status,
    bodyHash: isAuth ? null : hashOfBody(request.body),
  };
  record(state, journal, entry, answer.kind === 'done' && answer.refusedInside !== true);
  return respond(answer, operation, platform.errors, rate.headers, arrivedMs, { seed: state.seed, sequence });
}

/** Which operation a request is for and what it may do, before anything is done about it. */
export function recognised(
  platform: Platform,
  request: Pick<EngineRequest, 'method' | 'path' | 'body'>,
): { operation: Operation | null; capability: CallRecord['capability'] } {
  const operation = platform.routes.find(request.path)?.operations.get(request.method) ?? null;
  const isAuth = opensOrCloses(platform, request, operation);
  return { operation, capability: isAuth ? 'auth' : classOf(request, operation) };
}

function opensOrCloses(
  platform: Platform,
  request: Pick<EngineRequest, 'method' | 'path'>,
  operation: Operation | null,
): boolean {
  if (operation !== null) return ['token', 'login', 'logout'].includes(operation.kind);
  const auth = authOf(platform);
  return auth.kind === 'oauth2-client-credentials' && request.path === auth.tokenPath && request.method === 'POST';
}

function authenticate(
  platform: Platform,
  state: State,
  request: EngineRequest,
  operation: Operation | null,
  pairs: [string, string][],
): Answer {
  const auth = authOf(platform);
  if (operation === null || operation.kind === 'token')
    return issueToken(state, platform.id, operation, request.body, request.headers);
  if (operation.kind === 'login')
    return login(auth, state, operation, headerText(request.headers['content-type']), request.body);
  return logout(auth, state, operation, { ...request, pairs });
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
    return (isObject(sent) ? escalates.values[String(sent[escalates.field])] : undefined) ?? null;
  } catch {
    return null;
  }
}

/** What every call leaves behind, on whichever platform: one entry, and a second on the clock for an accepted write. */
export function record(state: State, journal: Journal, call: CallRecord, accepted = true): void {
  journal.append(call);
  if (accepted && call.status < 300 && (call.capability === 'write' || call.capability === 'destructive'))
    state.clock.advance(WRITE_SECONDS);
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
  match: { operations: Map<string, Operation>; values: string[] } | null,
  operation: Operation | null,
  sent: [string, string][] | null,
  pairs: [string, string][] | null,
): Answer {
  const { platform } = served;
  const presented: Presented = { ...request, pairs: sent ?? [] };
  const problem = credentialProblem(authOf(platform), state, platform.id, presented);
  if (problem !== null) return problem;
  if (match === null) {
    return refuse(404, 'UNKNOWN_PATH', `path: expected one of this platform, got "${request.path.slice(0, 200)}"`);
  }
  if (operation === null) {
    const allowed = [...match.operations.keys()].join(', ');
    return refuse(405, 'METHOD_NOT_ALLOWED', `method: expected one of ${allowed}, got ${request.method}`, {
      allow: allowed,
    });
  }
  // The media type is judged before the parameters, the content of the body after them.
  const body = readBody(operation, headerText(request.headers['content-type']), request.body);
  if (body.kind === 'refused' && body.status === 415) return body;
  if (pairs === null)
    return refuse(400, 'INVALID_QUERY', 'query: expected percent-encoded UTF-8 pairs, got text that cannot be decoded');
  const parameters = readParameters(operation, match.values, pairs, request.headers);
  if ('kind' in parameters) return parameters;
  if (body.kind !== 'body') return body;
  const call: Call = {
    platform,
    operation,
    state,
    world: served.world,
    concretePath: request.path,
    values: match.values,
    path: parameters.path,
    query: parameters.query,
    headers: parameters.headers,
    body: body.value,
  };
  const keyed = operation.by === null ? call : callByKey(call);
  if ('kind' in keyed) return toldInside(keyed, operation);
  return toldInside(inStage(keyed, BEHAVIOURS[operation.kind as Exclude<Kind, AuthKind>]), operation);
}

function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
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

function respond(
  answer: Answer,
  operation: Operation | null,
  errors: ErrorStyle,
  rate: Record<string, string>,
  arrivedMs: number,
  origin: { seed: number; sequence: number },
): EngineResponse {
  const headers: Record<string, string> = { ...rate, date: new Date(arrivedMs).toUTCString(), ...answer.headers };
  if (answer.kind === 'refused') {
    headers['content-type'] = errors.media;
    return { status: answer.status, headers, body: problemText(answer, operation, errors, origin) };
  }
  if (answer.body === undefined || answer.status === 204) return { status: answer.status, headers, body: '' };
  headers['content-type'] =
    answer.media ?? (operation === null ? 'application/json' : (successOf(operation).media ?? 'application/json'));
  const body =
    typeof answer.body === 'string' && answer.media !== undefined ? answer.body : JSON.stringify(answer.body);
  return { status: answer.status, headers, body };
}
