/** A schema with its reference and its `allOf` parts in one: what a value here has to have. Unions stay. */
import { byName } from '../state/json-value.ts';
import { type OpenApiDocument, resolve, type Schema, typesOf } from './openapi-document.ts';

const known = new WeakMap<Schema, Schema>();
const DEPTH = 16;

export function flat(document: OpenApiDocument, schema: Schema): Schema {
  const cached = known.get(schema);
  if (cached !== undefined) return cached;
  const made = flatten(document, schema, 0);
  known.set(schema, made);
  return made;
}

function flatten(document: OpenApiDocument, schema: Schema, depth: number): Schema {
  if (depth > DEPTH) return {};
  let at = schema;
  if (at.$ref !== undefined) {
    const { $ref, ...own } = at;
    at = merged(flatten(document, resolve(document, { $ref } as Schema), depth + 1), own);
  }
  if (at.allOf === undefined) return at;
  const { allOf, ...own } = at;
  let whole: Schema = {};
  for (const part of allOf) whole = merged(whole, flatten(document, part, depth + 1));
  return merged(whole, own);
}

const present = new WeakMap<Schema, Schema>();

/** The same without the null that may stand in its place: "this or null" is this. */
export function flatWithoutNull(document: OpenApiDocument, schema: Schema, depth = 0): Schema {
  const cached = present.get(schema);
  if (cached !== undefined) return cached;
  const { oneOf, anyOf, ...shared } = flat(document, schema);
  const [form, ...others] = (oneOf ?? anyOf ?? []).filter((each) => flat(document, each).type !== 'null');
  const isOne = form !== undefined && others.length === 0 && depth <= DEPTH;
  const made = isOne ? merged(shared, flatWithoutNull(document, form, depth + 1)) : flat(document, schema);
  present.set(schema, made);
  return made;
}

/** Both hold: names and demands of either, the narrower limit, the later word for the rest. */
export function merged(left: Schema, right: Schema): Schema {
  const both: Schema = { ...left, ...right };
  if (left.properties !== undefined && right.properties !== undefined)
    both.properties = mergedProperties(left.properties, right.properties);
  if (left.required !== undefined && right.required !== undefined)
    both.required = [...new Set([...left.required, ...right.required])];
  mergeLimits(left, right, both);
  if (left.enum !== undefined && right.enum !== undefined) {
    const marks = new Set(left.enum.map((entry) => JSON.stringify(entry)));
    both.enum = right.enum.filter((entry) => marks.has(JSON.stringify(entry)));
  }
  if (left.type !== undefined && right.type !== undefined) both.type = commonTypes(left, right) ?? right.type;
  for (const keyword of ['oneOf', 'anyOf'] as const) {
    // Two unions on one value: the second is kept as a demand of its own.
    if (left[keyword] !== undefined && right[keyword] !== undefined) both[keyword] = left[keyword];
  }
  return both;
}

function mergedProperties(left: Record<string, Schema>, right: Record<string, Schema>): Record<string, Schema> {
  const both = new Map(Object.entries(left));
  for (const [name, property] of Object.entries(right)) {
    const other = both.get(name);
    both.set(name, other === undefined || other === property ? property : { allOf: [other, property] });
  }
  return Object.fromEntries(both);
}

function mergeLimits(left: Schema, right: Schema, both: Schema): void {
  for (const keyword of ['minimum', 'minLength', 'minItems', 'minProperties'] as const)
    if (left[keyword] !== undefined && right[keyword] !== undefined)
      both[keyword] = Math.max(left[keyword], right[keyword]);
  for (const keyword of ['maximum', 'maxLength', 'maxItems'] as const)
    if (left[keyword] !== undefined && right[keyword] !== undefined)
      both[keyword] = Math.min(left[keyword], right[keyword]);
}

/** Types that both take, a whole number being a number; null when there is none. */
function commonTypes(left: Schema, right: Schema): string[] | null {
  const taken = typesOf(right);
  const types = typesOf(left).filter(
    (type) => taken.includes(type) || (type === 'integer' && taken.includes('number')),
  );
  return types.length === 0 ? null : types;
}

/** Every name a value may have here (an object without a prototype), those of the branches of a union included. */
export function propertiesOf(document: OpenApiDocument, schema: Schema): Record<string, Schema> {
  const at = flat(document, schema);
  const found = new Map<string, Schema>();
  for (const branch of [...(at.oneOf ?? []), ...(at.anyOf ?? [])]) {
    for (const [name, property] of Object.entries(flat(document, branch).properties ?? {}))
      if (!found.has(name)) found.set(name, property);
  }
  for (const [name, property] of Object.entries(at.properties ?? {})) found.set(name, property);
  return byName(found);
}
