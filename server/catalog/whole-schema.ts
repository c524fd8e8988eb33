/** What a value of a schema has: the schema without its reference, with the parts of its `allOf`, and without the null that may stand for it. */
import { type ApiDocument, isObject, type JsonObject, resolveRef } from './platform-document.ts';

const DEEPEST = 8;

export function wholeSchema(document: ApiDocument, schema: unknown, depth = 0): JsonObject {
  const { allOf, ...own } = resolveRef(document, schema);
  if (depth > DEEPEST) return own;
  const parts = Array.isArray(allOf) ? allOf.map((part) => wholeSchema(document, part, depth + 1)) : [];
  const whole = parts.length === 0 ? own : joined([...parts, own]);
  // "This or null" is this.
  const [form, ...others] = formsOf(document, whole);
  if (form === undefined || others.length > 0) return whole;
  const { oneOf: _oneOf, anyOf: _anyOf, ...rest } = whole;
  return joined([rest, wholeSchema(document, form, depth + 1)]);
}

/** The forms that a value may have beside null; none where there is but one. */
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
      properties.set(name, properties.has(name) ? { allOf: [properties.get(name), field] } : field);
  const whole: JsonObject = Object.assign({}, ...parts);
  return properties.size === 0 ? whole : { ...whole, properties: Object.fromEntries(properties) };
}
