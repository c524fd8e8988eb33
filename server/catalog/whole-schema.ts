/** What a value of a schema has: the schema without its reference, with the parts of its `allOf`, and without the null that may stand for it. */
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

const DEEPEST = 64;

/** Documents share their schemas, also inside of each other: each is put together once. */
const known = new WeakMap<JsonObject, JsonObject>();

export function wholeSchema(document: ApiDocument, schema: unknown, depth = 0): JsonObject {
  const at = resolveRef(document, schema);
  const found = known.get(at);
  if (found !== undefined) return found;
  const { allOf, ...own } = at;
  if (depth > DEEPEST) return own;
  // What leads back to a schema that is being put together adds nothing to it.
  known.set(at, own);
  const parts = Array.isArray(allOf) ? allOf.map((part) => wholeSchema(document, part, depth + 1)) : [];
  const whole = withOnlyForm(document, parts.length === 0 ? own : joined([...parts, own]), depth);
  known.set(at, whole);
  return whole;
}

/** "This or null" is this. */
function withOnlyForm(document: ApiDocument, whole: JsonObject, depth: number): JsonObject {
  const [form, ...others] = formsOf(document, whole);
  if (form === undefined || others.length > 0) return whole;
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = whole;
  return joined([rest, wholeSchema(document, form, depth + 1)]);
}

/** The forms that a value may have beside null. A whole schema has none, or several. */
export function formsOf(document: ApiDocument, { oneOf, anyOf }: JsonObject): unknown[] {
  const forms = oneOf ?? anyOf;
  return Array.isArray(forms) ? forms.filter((form) => resolveRef(document, form)['type'] !== 'null') : [];
}

/** Also a schema that says of its entries alone what they are, and one that takes null as well. */
export const isArraySchema = ({ type, items, properties }: JsonObject): boolean =>
  type === undefined ? isObject(items) && properties === undefined : [type].flat().includes('array');

/** All of them hold: the names of each, for the rest the last word. */
function joined(parts: readonly JsonObject[]): JsonObject {
  const properties = new Map<string, unknown>();
  for (const part of parts)
    for (const [name, field] of Object.entries(isObject(part['properties']) ? part['properties'] : {}))
      properties.set(name, isOther(properties.get(name), field) ? { allOf: [properties.get(name), field] } : field);
  const whole: JsonObject = Object.assign({}, ...parts);
  return properties.size === 0 ? whole : { ...whole, properties: Object.fromEntries(properties) };
}

const isOther = (before: unknown, field: unknown): boolean => before !== undefined && before !== field;
