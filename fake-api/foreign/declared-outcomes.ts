/** Which declared answer a refusal takes, and the examples that an answer declares. */

import type { Refusal } from '../engine/http/platform-answer.ts';
import { type Outcome, outcomeOf } from '../engine/openapi/declared-outcome.ts';
import { type OpenApiDocument, resolve } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';

/** Where what is wrong may be said, the most fitting status first. */
const WRONG_ARGUMENT = [400, 422, 404, 406, 409, 410, 412, 415, 405, 403, 401];
/** Statuses of refusals of an argument: an operation may have another status for them. */
const OF_ARGUMENTS = new Set([400, 409, 415, 422]);
/** Refusals that do not come from the platform. */
const OF_OTHERS = new Set(['PLANNED_FAULT', 'INVALID_REQUEST']);

/**
 * The status of a refusal: the meant one if the operation declares it (or a range, or a default), else the declared one
 * that comes nearest for a wrong argument, else the meant one.
 */
export function refusalOutcome(operation: Operation | null, { status: meant, code }: Refusal): Outcome {
  const undeclared = { status: meant, media: null, schema: null, response: null };
  if (operation === null) return undeclared;
  const { responses } = operation;
  if (responses[String(meant)] !== undefined) return outcomeOf(operation, String(meant), meant);
  const range = Object.keys(responses).find((entry) => entry.toUpperCase() === `${String(meant)[0]}XX`);
  const mayMove = range === undefined && OF_ARGUMENTS.has(meant) && !OF_OTHERS.has(code);
  const moved = mayMove
    ? (WRONG_ARGUMENT.map(String).find((status) => responses[status] !== undefined) ??
      Object.keys(responses).find((status) => /^4\d\d$/.test(status)))
    : undefined;
  if (moved !== undefined) return outcomeOf(operation, moved, Number(moved));
  const declared = range ?? (responses['default'] === undefined ? undefined : 'default');
  return declared === undefined ? undeclared : outcomeOf(operation, declared, meant);
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

/** The value of the example of this name; undefined where the outcome has none. */
export function namedExample(
  document: OpenApiDocument,
  outcome: Outcome,
  name: string,
): { value: unknown } | undefined {
  const media = outcome.media === null ? undefined : outcome.response?.content?.[outcome.media];
  const { examples } = (media ?? {}) as { examples?: unknown };
  if (!isObject(examples) || !Object.hasOwn(examples, name)) return undefined;
  const [value] = namedExamples(document, { [name]: examples[name] });
  return value === undefined ? undefined : { value };
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
