/**
 * `oneOf` refuses a value that fits two branches (JSON Schema 2020-12, 10.2.1.3). Authors list branches of which each value of one is
 * one of another as well, such as two open objects without a required field. What is sent is taken where it fits any of them.
 */
import { flat } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { isObject, own } from '../engine/state/json-value.ts';

/** Objects inside of objects that are compared. */
const DEPTH = 4;

/** The same schema, or a copy with `anyOf` in place of `oneOf`. */
export function withJoinedUnion(document: OpenApiDocument, schema: Schema): Schema {
  const { oneOf, ...rest } = schema;
  if (!Array.isArray(oneOf) || oneOf.length < 2 || rest.anyOf !== undefined) return schema;
  const branches = oneOf.map((branch) => (isObject(branch) ? flat(document, branch as Schema) : {}));
  const overlap = branches.some((branch, at) =>
    branches.some((other, place) => at !== place && isInside({ document, depth: 0 }, branch, other)),
  );
  return overlap ? ({ ...rest, anyOf: oneOf } as Schema) : schema;
}

interface Comparison {
  document: OpenApiDocument;
  depth: number;
}

/** Limits that are compared as they are written. */
const LIMITS = [
  'const', 'pattern', 'format', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength',
  'minItems', 'maxItems', 'uniqueItems', 'minProperties', 'maxProperties',
]; // biome-ignore format: names side by side
/** Keywords with which a branch is not compared. */
const BEYOND = [
  'oneOf',
  'anyOf',
  'not',
  'if',
  'contains',
  'propertyNames',
  'patternProperties',
  'dependentSchemas',
  'prefixItems',
];

/** Whether every value with no other fields than those that `left` names fits `right` too. */
function isInside(of: Comparison, left: Schema, right: Schema): boolean {
  const at = left as Record<string, unknown>;
  const to = right as Record<string, unknown>;
  if (of.depth > DEPTH || BEYOND.some((keyword) => at[keyword] !== undefined || to[keyword] !== undefined))
    return false;
  if (LIMITS.some((keyword) => to[keyword] !== undefined && to[keyword] !== at[keyword])) return false;
  return (
    areTypesInside(left, right) &&
    areValuesInside(left, right) &&
    areFieldsInside(of, left, right) &&
    areItemsInside(of, left, right)
  );
}

const kindsOf = (schema: Schema): string[] =>
  schema.type === undefined && schema.properties !== undefined ? ['object'] : typesOf(schema);

function areTypesInside(left: Schema, right: Schema): boolean {
  const wide = kindsOf(right);
  const narrow = kindsOf(left);
  if (wide.length === 0) return true;
  return (
    narrow.length > 0 && narrow.every((type) => wide.includes(type) || (type === 'integer' && wide.includes('number')))
  );
}

function areValuesInside({ enum: narrow, const: only }: Schema, { enum: wide }: Schema): boolean {
  if (wide === undefined) return true;
  const values = narrow ?? (only === undefined ? undefined : [only]);
  return values?.every((value) => wide.includes(value)) ?? false;
}

function areFieldsInside({ document, depth }: Comparison, left: Schema, right: Schema): boolean {
  const required = new Set(left.required ?? []);
  if ((right.required ?? []).some((name) => !required.has(name))) return false;
  const others: unknown = right.additionalProperties ?? right.unevaluatedProperties;
  return Object.entries(left.properties ?? {}).every(([name, field]) => {
    const wide = own(right.properties, name);
    if (wide === undefined) return others !== false && !isObject(others);
    return isInside({ document, depth: depth + 1 }, flat(document, field), flat(document, wide));
  });
}

function areItemsInside({ document, depth }: Comparison, left: Schema, right: Schema): boolean {
  if (right.items === undefined) return true;
  return isInside({ document, depth: depth + 1 }, flat(document, left.items ?? {}), flat(document, right.items));
}
