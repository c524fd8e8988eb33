/**
 * One request of a foreign platform from bytes to answer. The order of refusals and the one record per call are those
 * of our own platforms; what is refused and how follows the document alone.
 */

import { canonicalQuery, queryPairs } from '../engine/http/request-parameters.ts';
import type { EngineRequest, EngineResponse, Journal } from '../engine/http/request-pipeline.ts';
import { classOfUnmatched, hashOfBody, record } from '../engine/http/request-pipeline.ts';
import type { State } from '../engine/state/state.ts';
import { readForeignBody } from './foreign-body.ts';
import type { ForeignAnswer } from './foreign-call.ts';
import { refused } from './foreign-call.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import { readForeignParameters } from './foreign-parameters.ts';
import type { ForeignPlatform } from './foreign-platform.ts';
import { Things } from './foreign-resources.ts';
import { credentialParameters, missingCredential } from './foreign-security.ts';
import { answer } from './inferred-behaviour.ts';
import type { Found } from './path-templates.ts';
import { rendered, renderedRefusal } from './rendered-answer.ts';

export function handleForeign(
  platform: ForeignPlatform,
  state: State,
  journal: Journal,
  request: EngineRequest,
): EngineResponse {
  const pairs = queryPairs(request.query);
  const arrivedMs = state.clock.ms;
  const at = state.clock.iso();
  const found = platform.templates.find(request.path);
  const chosen = found === null ? null : choose(found, request.method, pairs ?? [], request);
  const operation = chosen?.operation ?? null;
  let said: ForeignAnswer;
  try {
    said = serve(platform, state, request, found, chosen, pairs);
  } catch (cause) {
    // A defect of the fake must not look like the client's fault, and must not escape the ledger.
    console.error(cause);
    said = refused(500, 'the fake failed on this request; its cause is on the error output of the fake', false);
  }
  const response =
    said.kind === 'refused'
      ? renderedRefusal(platform, state, operation, said, journal.next)
      : rendered(operation as ForeignOperation, said, accept(request));
  const capability = operation === null ? classOfUnmatched(request.method) : operation.capability;
  record(state, journal, {
    at,
    platform: platform.id,
    method: request.method,
    path: request.path,
    query: pairs === null ? request.query : canonicalQuery(pairs),
    template: operation?.template ?? null,
    operationId: operation?.id ?? null,
    capability,
    status: response.status,
    bodyHash: hashOfBody(request.body),
  });
  return { ...response, headers: { date: new Date(arrivedMs).toUTCString(), ...response.headers } };
}

interface Chosen {
  operation: ForeignOperation;
  values: string[];
}

/** Of several templates with the method the first whose parameters accept the values, else the first. */
function choose(found: Found[], method: string, pairs: [string, string][], request: EngineRequest): Chosen | null {
  const able = found.flatMap(({ template, values }) => {
    const operation = template.operations.get(method) as ForeignOperation | undefined;
    return operation === undefined ? [] : [{ operation, values }];
  });
  if (able.length < 2) return able[0] ?? null;
  const fitting = able.find(({ operation, values }) => {
    const read = readForeignParameters(operation, values, pairs, request.headers);
    return !('place' in read) || read.place !== 'path';
  });
  return fitting ?? (able[0] as Chosen);
}

function serve(
  platform: ForeignPlatform,
  state: State,
  request: EngineRequest,
  found: Found[] | null,
  chosen: Chosen | null,
  pairs: [string, string][] | null,
): ForeignAnswer {
  if (request.refused !== undefined) return refused(request.refused.status, request.refused.message, false);
  if (found === null)
    return refused(400, 'path: expected percent-encoded UTF-8, got text that cannot be decoded', false);
  if (found.length === 0)
    return refused(404, `path: expected one of this document, got "${request.path.slice(0, 200)}"`, false);
  if (chosen === null) {
    const allowed = [...new Set(found.flatMap(({ template }) => [...template.operations.keys()]))].join(', ');
    return {
      ...refused(405, `method: expected one of ${allowed}, got ${request.method}`, false),
      headers: { allow: allowed },
    };
  }
  const { operation, values } = chosen;
  const credential = missingCredential(operation, request.headers, pairs ?? []);
  if (credential !== null) return refused(401, `credentials: expected ${credential}, got none`, false);
  if (pairs === null)
    return refused(400, 'query: expected percent-encoded UTF-8 pairs, got text that cannot be decoded', true);
  const body = readForeignBody(operation, [request.headers['content-type']].flat()[0], request.body);
  if (body.kind === 'problem' && body.status === 415) return refused(415, body.message, true);
  const credentials = credentialParameters(operation);
  const parameters = readForeignParameters(
    operation,
    values,
    credentials.size === 0 ? pairs : pairs.filter(([name]) => !credentials.has(name)),
    request.headers,
  );
  if ('place' in parameters) return refused(400, parameters.message, true);
  if (body.kind === 'problem') return refused(body.status, body.message, true);
  return answer({
    platform,
    operation,
    state,
    things: new Things(state, platform.id),
    path: request.path,
    values,
    parameters,
    body,
  });
}

function accept(request: EngineRequest): string {
  return [request.headers['accept']].flat()[0] ?? '*/*';
}
