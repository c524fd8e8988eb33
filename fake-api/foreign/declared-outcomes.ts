/** Which declared answer a refusal takes, and the examples that an answer declares. */
import type { Refusal } from '../engine/http/platform-answer.ts';
import { type Outcome, outcomeOf } from '../engine/openapi/declared-outcome.ts';
import { type OpenApiDocument, resolve } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject } from '../engine/state/json-value.ts';

/** Where a refusal of an argument may be told, the most fitting status first. */
const INSTEAD: Readonly<Record<number, readonly number[]>> = {
  400: [400, 422],
  409: [409, 422, 400],
  415: [415, 400, 422],
  422: [422, 400],
};
/** Refusals that do not come from the platform. */
const OF_OTHERS = new Set(['PLANNED_FAULT', 'INVALID_REQUEST']);

/**
 * The status of a refusal: the meant one if the operation declares it, else a declared one that means the same, else what the
 * operation declares for the range or by default, else the meant one. A path value that cannot be one is of no thing (404).
 */
export function refusalOutcome(operation: Operation | null, { status: meant, code, message }: Refusal): Outcome {
  const undeclared = { status: meant, media: null, schema: null, response: null };
  if (operation === null) return undeclared;
  const { responses } = operation;
  if (responses[String(meant)] !== undefined) return outcomeOf(operation, String(meant), meant);
  const isOfPath = code === 'INVALID_PARAMETER' && message.startsWith('path ');
  const instead = OF_OTHERS.has(code) ? [] : [...(INSTEAD[meant] ?? []), ...(isOfPath ? [404] : [])];
  const moved = instead.find((status) => responses[String(status)] !== undefined);
  if (moved !== undefined) return outcomeOf(operation, String(moved), moved);
  const range = Object.keys(responses).find((entry) => entry.toUpperCase() === `${String(meant)[0]}XX`);
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
