/** Values for parameters that no list of the API offers: the document's own example, or the simplest value that fits. */
import type { ApiOperation, Json, Parameter } from './api-document.ts';

/** Each parameter of that place that the operation cannot do without; undefined where one has no value that is surely valid. */
export function requiredValues(operation: ApiOperation, place: Parameter['in'], at: number): Json | undefined {
  const values: Json = {};
  for (const parameter of operation.parameters) {
    if (parameter.in !== place || !parameter.required) continue;
    const value = simplestOf(parameter.schema, at);
    if (value === undefined) return undefined;
    values[parameter.name] = value;
  }
  return values;
}

const NAMES = ['alder', 'birch', 'cedar', 'hazel', 'maple', 'rowan'];

/** `at` tells values of one parameter apart. */
export function simplestOf(schema: Json, at: number): unknown {
  const { example, enum: values } = schema;
  const listed = Array.isArray(values) ? values : schema['const'] === undefined ? [] : [schema['const']];
  if (listed.length > 0) return listed[at % listed.length];
  const stated = [schema['default'], example].find(isScalar);
  if (stated !== undefined && at === 0) return stated;
  const type = [schema['type']].flat().find((one) => one !== 'null');
  if (type === 'integer' || type === 'number') return Number(schema['minimum'] ?? 1) + at;
  if (type === 'boolean') return at % 2 === 0;
  return type === 'string' || type === undefined ? textFor(schema, at) : undefined;
}

function textFor(schema: Json, at: number): string | undefined {
  const { format, pattern, example } = schema;
  const day = `2026-03-0${(at % 9) + 1}`;
  if (format === 'uuid') return `0b1f7c2e-5d3a-4c8b-9e6f-00000000000${at % 10}`;
  if (format === 'date') return day;
  if (format === 'date-time') return `${day}T08:00:00Z`;
  if (pattern !== undefined || format !== undefined) return typeof example === 'string' ? example : undefined;
  return fitting(NAMES[at % NAMES.length] as string, schema);
}

function fitting(word: string, { minLength, maxLength }: Json): string | undefined {
  const long = word.padEnd(Number(minLength ?? 0), 'x');
  return long.length > Number(maxLength ?? Number.POSITIVE_INFINITY) ? undefined : long;
}

export const isScalar = (value: unknown): value is string | number | boolean =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
