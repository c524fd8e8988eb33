/** What an operation may answer: its success, and the refusals that platform.yaml declares for its kind. */
import { ExpandError } from '../model/expand-errors.ts';
import type { Platform } from '../model/platform-folder-model.ts';
import type { Operation } from '../operations/modelled-operation.ts';
import type { Schema } from './schema-object.ts';

const reasons: Readonly<Record<number, readonly [name: string, text: string]>> = {
  304: ['NotModified', 'The object is as the caller knows it'],
  400: ['BadRequest', 'The request does not follow this document'],
  401: ['Unauthorized', 'The access token is missing, wrong or expired'],
  403: ['Forbidden', 'The account may not do this'],
  404: ['NotFound', 'Nothing exists under this path'],
  406: ['NotAcceptable', 'The answer cannot be given in a media type the caller takes'],
  409: ['Conflict', 'The object exists already, or is still in use'],
  412: ['PreconditionFailed', 'The object has changed since the caller read it'],
  415: ['UnsupportedMediaType', 'The body is not in the media type this operation takes'],
  422: ['Unprocessable', 'The request is well formed but breaks a rule of the platform'],
  429: ['TooManyRequests', 'The request limit is used up'],
  500: ['ServerError', 'The platform failed'],
};

export function responsesOf(operation: Operation, platform: Platform): Schema {
  const { always, item, write, inside } = platform.model.errors;
  const { success } = operation;
  const headers = Object.fromEntries(
    [...(platform.model.rateLimit?.headers.keys() ?? [])].map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );
  const onItem = operation.path.includes('{');
  const changes = operation.capability === 'write' || operation.capability === 'destructive';
  const codes = new Set([
    ...always,
    ...(onItem ? item : []),
    ...(changes || operation.kind === 'diagnostic' ? write : []),
    ...(takesPrecondition(operation) ? [412] : []),
  ]);
  if ('x-svc-outcome' in operation.extensions) for (const code of inside?.codes ?? []) codes.delete(code);
  return {
    [success.status]: {
      description: success.text,
      headers: { ...headers, ...success.headers },
      ...(success.schema ? { content: { [success.media ?? 'application/json']: { schema: success.schema } } } : {}),
    },
    ...Object.fromEntries([...codes].map((code) => [code, { $ref: `#/components/responses/${reasonOf(code)[0]}` }])),
  };
}

function takesPrecondition(operation: Operation): boolean {
  return operation.query.some((parameter) => parameter['name'] === 'If-Match');
}

function reasonOf(code: number): readonly [string, string] {
  const reason = reasons[code];
  if (reason) return reason;
  throw new ExpandError('MODEL_SHAPE', {
    expected: `error codes of ${Object.keys(reasons).join(', ')}`,
    got: String(code),
  });
}

export function errorResponses(platform: Platform, error: Schema): Schema {
  const { always, item, write, media } = platform.model.errors;
  const guarded = [...platform.model.styles.values()].some((style) => style.patch.ifMatch);
  return Object.fromEntries(
    [...new Set([...always, ...item, ...write, ...(guarded ? [412] : [])])].map((code) => {
      const [name, description] = reasonOf(code);
      return [name, { description, content: { [media]: { schema: error } } }];
    }),
  );
}

export function rateHeaders(platform: Platform): Schema {
  return Object.fromEntries(
    [...(platform.model.rateLimit?.headers ?? [])].map(([name, description]) => [
      name,
      { description, schema: { type: 'integer', minimum: 0 } },
    ]),
  );
}
