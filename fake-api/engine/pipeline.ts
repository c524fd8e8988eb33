/**
 * One request from bytes to answer, in the order in which the platform would refuse it: token, path, method, media
 * type, parameters, body, rules. Whatever happens, exactly one record goes to the journal.
 */
import { type Answer, type Refusal, refuse } from './answer.ts';
import { issueToken, tokenProblem } from './behaviours/token.ts';
import { BEHAVIOURS } from './behaviours.ts';
import { readBody } from './body.ts';
import { callByKey } from './by-field.ts';
import type { Call } from './call.ts';
import { canonicalJson, sha256 } from './json.ts';
import { type Operation, successOf } from './operation.ts';
import { canonicalQuery, queryPairs, readParameters } from './parameters.ts';
import type { Platform } from './platform.ts';
import { problemBody } from './problem.ts';
import { countCall } from './rate-window.ts';
import type { State } from './state.ts';
import type { World } from './world.ts';

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
  world: World;
}

/** Path of the token request where no document describes one. */
const TOKEN_PATH = '/as/token';
/** One logical second per accepted write, so that created and updated times order correctly. */
const WRITE_SECONDS = 1;

export function handle(served: Served, state: State, journal: Journal, request: EngineRequest): EngineResponse {
  const { platform } = served;
  const pairs = queryPairs(request.query);
  const at = state.clock.iso();
  const arrivedMs = state.clock.ms;
  const rate = countCall(state, platform.id, platform.limit);
  const match = platform.routes.find(request.path);
  const operation = match?.operations.get(request.method) ?? null;
  const isToken =
    operation?.kind === 'token' || (match === null && request.path === TOKEN_PATH && request.method === 'POST');
  const sequence = journal.next;

  let answer: Answer;
  if (request.refused !== undefined) {
    answer = request.refused;
  } else if (rate.exceeded && !isToken) {
    answer = refuse(429, 'RATE_LIMITED', `calls per hour: expected at most ${platform.limit}, got one more`);
  } else if (isToken) {
    answer = issueToken(state, platform.id, request.body, request.headers);
  } else {
    answer = serveOrConfess(served, state, request, match, operation, pairs);
  }

  const capability = isToken
    ? 'auth'
    : operation === null
      ? classOfUnmatched(request.method)
      : operation.isPoll
        ? 'poll'
        : operation.capability;
  record(state, journal, {
    at,
    platform: platform.id,
    method: request.method,
    path: request.path,
    query: pairs === null ? request.query : canonicalQuery(pairs),
    template: operation?.template ?? null,
    operationId: operation?.id ?? null,
    capability,
    status: answer.status,
    bodyHash: isToken ? null : hashOfBody(request.body),
  });
  return respond(answer, operation, rate.headers, arrivedMs, { seed: state.seed, sequence });
}

/** What every call leaves behind, on whichever platform: one entry, and a second on the clock for an accepted write. */
export function record(state: State, journal: Journal, call: CallRecord): void {
  journal.append(call);
  if (call.status < 300 && (call.capability === 'write' || call.capability === 'destructive'))
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
  pairs: [string, string][] | null,
): Answer {
  const token = tokenProblem(state, headerText(request.headers['authorization']));
  if (token !== null) return refuse(401, 'UNAUTHORIZED', token, { 'www-authenticate': 'Bearer' });
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
  if (operation.kind === 'token')
    return refuse(404, 'UNKNOWN_PATH', 'path: expected a served operation, got a token request');
  const call: Call = {
    platform: served.platform,
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
  return 'kind' in keyed ? keyed : BEHAVIOURS[operation.kind](keyed);
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
  rate: Record<string, string>,
  arrivedMs: number,
  origin: { seed: number; sequence: number },
): EngineResponse {
  const headers: Record<string, string> = { ...rate, date: new Date(arrivedMs).toUTCString(), ...answer.headers };
  if (answer.kind === 'refused') {
    headers['content-type'] = 'application/json';
    return { status: answer.status, headers, body: JSON.stringify(problemBody(answer as Refusal, operation, origin)) };
  }
  if (answer.body === undefined || answer.status === 204) return { status: answer.status, headers, body: '' };
  headers['content-type'] =
    answer.media ?? (operation === null ? 'application/json' : (successOf(operation).media ?? 'application/json'));
  const body =
    typeof answer.body === 'string' && answer.media !== undefined ? answer.body : JSON.stringify(answer.body);
  return { status: answer.status, headers, body };
}
