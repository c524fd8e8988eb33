/** Checks a value against a schema once, at the edge, and says in one sentence what was expected and what came. */
import type { ErrorObject, ValidateFunction } from 'ajv';
import type { Ajv2020 } from 'ajv/dist/2020.js';
import * as lazyImport from '../lazy-import.ts';
import type { Static, TSchema } from './schema.ts';

export interface Problem {
  /** JSON pointer to the value that is wrong. */
  pointer: string;
  expected: string;
  got: string;
  /** The part of the schema that was broken. */
  schema: unknown;
}

let ajv: Ajv2020 | undefined;

/** A compiled check that narrows the type. Compiled on first use: a start that never needs it never pays for it. */
export function schemaCheck<T extends TSchema>(
  schema: T,
): ((value: unknown) => value is Static<T>) & { last: () => ErrorObject[]; value: () => unknown } {
  let compiled: ValidateFunction | undefined;
  let value: unknown;
  const check = (candidate: unknown): candidate is Static<T> => {
    // These schemas are our own and run a few times per start: checking and optimising them would cost more than it gives.
    ajv ??= new (lazyImport.ajv().Ajv2020)({
      strict: false,
      verbose: true,
      logger: false,
      meta: false,
      validateSchema: false,
      code: { optimize: false },
    });
    compiled ??= ajv.compile(schema);
    value = candidate;
    return compiled(candidate) as boolean;
  };
  return Object.assign(check, { last: () => compiled?.errors ?? [], value: () => value });
}

export function firstProblem(check: { last: () => ErrorObject[] }): Problem {
  const error = check.last()[0];
  return error ? problemOf(error) : { pointer: '', expected: 'should be valid', got: 'something else', schema: {} };
}

/** One ajv error as expected/got. `verbose: true` is needed for the value and the schema part. */
export function problemOf(error: ErrorObject): Problem {
  const params = error.params as Record<string, unknown>;
  const at = (pointer: string, expected: string, got: unknown, schema: unknown): Problem => ({
    pointer,
    expected,
    got: describeValue(got),
    schema,
  });
  switch (error.keyword) {
    case 'required':
      return at(`${error.instancePath}/${escapePointer(String(params['missingProperty']))}`, 'is required', undefined, {
        required: error.schema,
      });
    case 'additionalProperties':
    case 'unevaluatedProperties': {
      const name = String(params['additionalProperty'] ?? params['unevaluatedProperty']);
      const known = Object.keys((error.parentSchema as { properties?: object } | undefined)?.properties ?? {});
      return {
        pointer: `${error.instancePath}/${escapePointer(name)}`,
        expected:
          known.length > 0 ? `is not known here; known are ${known.slice(0, 40).join(', ')}` : 'is not known here',
        got: describeValue((error.data as Record<string, unknown> | undefined)?.[name]),
        schema: known.length > 0 ? { properties: known } : {},
      };
    }
    case 'enum':
      return at(
        error.instancePath,
        `should be one of ${JSON.stringify(params['allowedValues']).slice(0, 400)}`,
        error.data,
        { enum: error.schema },
      );
    case 'const':
      return at(error.instancePath, `should be ${JSON.stringify(params['allowedValue'])}`, error.data, {
        const: error.schema,
      });
    case 'type':
      return at(
        error.instancePath,
        `should be ${[params['type']].flat().join(' or ')}`,
        error.data,
        error.parentSchema,
      );
    default:
      return at(error.instancePath, error.message ?? 'should be valid', error.data, error.parentSchema);
  }
}

/** A short picture of a value: enough to recognise it, never a whole payload. */
export function describeValue(value: unknown): string {
  if (value === undefined) return 'nothing';
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
  if (type === 'object')
    return `an object with ${
      Object.keys(value as object)
        .slice(0, 8)
        .join(', ') || 'no keys'
    }`;
  if (type === 'array') return `an array of ${(value as unknown[]).length}`;
  const text = JSON.stringify(value);
  return `${text.length > 80 ? `${text.slice(0, 77)}…"` : text} (${type})`;
}

function escapePointer(segment: string): string {
  return segment.replaceAll('~', '~0').replaceAll('/', '~1');
}
