/** Status, media type and schema that an operation declares for an answer. */
import { preferredMedia } from '../http/media-type.ts';
import type { ResponseObject, Schema } from './openapi-document.ts';
import type { Operation } from './served-operation.ts';

export interface Outcome {
  status: number;
  /** Null where no body is declared. */
  media: string | null;
  schema: Schema | null;
  response: ResponseObject | null;
}

const successes = new WeakMap<Operation, Outcome>();

/**
 * The lowest declared 2xx. An operation that declares only redirects answers the redirect; one that declares only
 * `default`, or nothing, answers 200.
 */
export function successOf(operation: Operation): Outcome {
  const known = successes.get(operation) ?? readSuccess(operation);
  successes.set(operation, known);
  return known;
}

function readSuccess(operation: Operation): Outcome {
  const declared = Object.keys(operation.responses).sort();
  const status =
    declared.find((entry) => /^2(\d\d|XX)$/i.test(entry)) ??
    declared.find((entry) => /^3(\d\d|XX)$/i.test(entry) && entry !== '304') ??
    'default';
  return outcomeOf(operation, status, /^\d{3}$/.test(status) ? Number(status) : status.startsWith('3') ? 302 : 200);
}

/** What is declared under `declared`: a status, a range such as `4XX`, or `default`. */
export function outcomeOf(operation: Operation, declared: string, status: number): Outcome {
  const response = operation.responses[declared] ?? null;
  const content = response?.content ?? {};
  const media = preferredMedia(Object.keys(content));
  return { status, media, schema: media === null ? null : (content[media]?.schema ?? {}), response };
}
