/** Which status, media type and schema an operation declares for success, and which for a refusal. */

import { type OpenApiDocument, type ResponseObject, resolve, type Schema } from '../engine/openapi/openapi-document.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { ForeignOperation } from './foreign-operations.ts';

export interface Outcome {
  status: number;
  media: string | null;
  schema: Schema | null;
  response: ResponseObject | null;
}

const successes = new WeakMap<ForeignOperation, Outcome>();

/** Lowest declared 2xx; a document that declares only redirects means them; one that declares only `default` means 200. */
export function successOutcome(operation: ForeignOperation): Outcome {
  const known = successes.get(operation) ?? readSuccess(operation);
  successes.set(operation, known);
  return known;
}

function readSuccess(operation: ForeignOperation): Outcome {
  const declared = Object.keys(operation.responses).sort();
  const status =
    declared.find((entry) => /^2(\d\d|XX)$/i.test(entry)) ??
    declared.find((entry) => /^3(\d\d|XX)$/i.test(entry) && entry !== '304') ??
    (declared.includes('default') ? 'default' : undefined);
  if (status === undefined) return { status: 200, media: null, schema: null, response: null };
  return outcomeOf(operation, status, /^\d{3}$/.test(status) ? Number(status) : status.startsWith('3') ? 302 : 200);
}

export function outcomeOf(operation: ForeignOperation, declared: string, status: number): Outcome {
  const response = operation.responses[declared] ?? null;
  const content = response?.content ?? {};
  const media = preferred(Object.keys(content));
  const schema = media === null ? null : (content[media]?.schema ?? {});
  return { status, media, schema, response };
}

export function preferred(media: readonly string[]): string | null {
  return (
    media.find((entry) => /^application\/json/i.test(entry)) ??
    media.find(isJson) ??
    media.find((entry) => entry === '*/*') ??
    media[0] ??
    null
  );
}

export function isJson(media: string): boolean {
  return (
    /^application\/([\w.+-]*\+)?json\b/i.test(media) || /^[\w-]+\/[\w.+-]*\+json\b/i.test(media) || media === '*/*'
  );
}

/** Where what is wrong may be said, the most fitting status first. */
const WRONG_ARGUMENT = [400, 422, 404, 406, 409, 410, 412, 415, 405, 403, 401];

/**
 * The status of a refusal: the meant one if the operation declares it (or a range, or a default), else the declared one
 * that comes nearest for a wrong argument, else the meant one.
 */
export function refusalOutcome(operation: ForeignOperation | null, meant: number, mayMove: boolean): Outcome {
  if (operation === null) return { status: meant, media: null, schema: null, response: null };
  const { responses } = operation;
  const range = Object.keys(responses).find((entry) => entry.toUpperCase() === `${String(meant)[0]}XX`);
  if (responses[String(meant)] !== undefined) return outcomeOf(operation, String(meant), meant);
  const moved = mayMove ? WRONG_ARGUMENT.find((status) => responses[String(status)] !== undefined) : undefined;
  if (range === undefined && moved !== undefined) return outcomeOf(operation, String(moved), moved);
  const other =
    mayMove && range === undefined ? Object.keys(responses).find((entry) => /^4\d\d$/.test(entry)) : undefined;
  if (other !== undefined) return outcomeOf(operation, other, Number(other));
  const declared = range ?? (responses['default'] === undefined ? undefined : 'default');
  return declared === undefined
    ? { status: meant, media: null, schema: null, response: null }
    : outcomeOf(operation, declared, meant);
}

/** The examples an outcome declares, in the order in which they are to be believed. */
export function examplesOf(document: OpenApiDocument, outcome: Outcome): unknown[] {
  const media = outcome.media === null ? undefined : outcome.response?.content?.[outcome.media];
  if (media === undefined) return [];
  const { example, examples } = media as { example?: unknown; examples?: unknown };
  const found: unknown[] = example === undefined ? [] : [example];
  if (isObject(examples)) found.push(...namedExamples(document, examples));
  const schema = media.schema === undefined ? undefined : resolve(document, media.schema);
  if (schema?.examples !== undefined && Array.isArray(schema.examples)) found.push(...schema.examples);
  if (schema?.['example'] !== undefined) found.push(schema['example']);
  return found;
}

function namedExamples(document: OpenApiDocument, examples: Record<string, unknown>): unknown[] {
  return Object.values(examples).flatMap((entry) => {
    const at = isObject(entry) && typeof entry['$ref'] === 'string' ? resolveExample(document, entry) : entry;
    return isObject(at) && at['value'] !== undefined ? [at['value']] : [];
  });
}

function resolveExample(document: OpenApiDocument, entry: Record<string, unknown>): unknown {
  try {
    return resolve(document, entry);
  } catch {
    return undefined;
  }
}
