/** Where the thing stands in a body, and where its fields stand in the thing, by the names that both have. */
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { type OpenApiDocument, plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { byName } from '../engine/state/json-value.ts';
import type { Entity } from './entity.ts';
import { singularOfNoun } from './item-path.ts';
import { isNamed, type Wrapping, wrappingOf } from './list-envelope.ts';

/** Every field that a reader of the thing may see: of the thing as it is read, and of its row in a list. */
export function fieldsOf(
  document: OpenApiDocument,
  { schema, envelope }: Pick<Entity, 'schema' | 'envelope'>,
): Record<string, Schema> {
  return byName([
    ...(envelope === null ? [] : Object.entries(propertiesOf(document, envelope.schema))),
    ...(schema === null ? [] : Object.entries(propertiesOf(document, schema))),
  ]);
}

/**
 * The customary place of the thing in a body; where no field there is one of the thing, the object of the body that has most of them.
 * So a body `{payees: […], payorId}` is about its payees.
 */
export function sentWrapping(document: OpenApiDocument, schema: Schema, entity: Entity): Wrapping {
  const usual = wrappingOf(document, schema, entity.noun);
  const kept = new Set(Object.keys(fieldsOf(document, entity)).map(plainName));
  const names = (at: Schema) => Object.keys(propertiesOf(document, at)).map(plainName);
  const shared = (at: Schema) => names(at).filter((name) => kept.has(name)).length;
  const atTop = shared(usual.schema);
  if (kept.size === 0) return usual;
  let best: Wrapping | undefined;
  for (const [name, property] of Object.entries(propertiesOf(document, schema))) {
    const inner = objectIn(document, property);
    // Beside fields of the thing itself, only what is called like it can be the thing.
    if (inner === null || (atTop > 0 && !isNamed(name, entity.noun))) continue;
    if (shared(inner.schema) * 2 < names(inner.schema).length) continue;
    if (shared(inner.schema) > Math.max(atTop, best === undefined ? 0 : shared(best.schema)))
      best = { ...inner, path: [name] };
  }
  return best ?? usual;
}

/** The object that a field holds, or that a list in it holds; null for anything else. */
function objectIn(document: OpenApiDocument, property: Schema): Omit<Wrapping, 'path'> | null {
  const at = flat(document, property);
  if (at.properties !== undefined) return { isList: false, schema: property };
  const { items } = at;
  const isList = items !== undefined && typesOf(at).includes('array') && flat(document, items).properties !== undefined;
  return isList ? { isList, schema: items as Schema } : null;
}

/**
 * Name under which a thing has a field that callers send: the same, the same written otherwise (`first_name`, `firstName`), or one
 * that only one side begins with the noun (`bookingContact` is the `contact` of a booking). Undefined where it has none.
 */
export function fieldNamed(fields: Readonly<Record<string, unknown>>, name: string, noun: string): string | undefined {
  if (Object.hasOwn(fields, name)) return name;
  const own = plainName(singularOfNoun(noun));
  const sent = plainName(name);
  const wanted = [sent, sent.startsWith(own) ? sent.slice(own.length) : '', own + sent];
  const names = Object.keys(fields);
  for (const text of wanted) {
    const found = text === '' ? undefined : names.find((entry) => plainName(entry) === text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Objects in which platforms keep the fields of the thing itself. */
const HOLDERS = /^(metadata|attributes|data|properties|spec|details?|info|config(uration)?|settings|fields|general)$/i;
/** Names that a thing inside of the thing has as well, for itself. */
const USUAL =
  /^(id|uuid|name|type|kind|status|state|title|description|label|url|href|key|value|code|email|date|created|updated|version|count|size|number|text|message|object|self)$/i;
const MOST_DEPTH = 2;

/** Names from the thing down to a field that callers send at the top and the thing has further inside; undefined where it has none. */
export function placeInside(
  document: OpenApiDocument,
  fields: Readonly<Record<string, Schema>>,
  name: string,
  noun: string,
  depth = 1,
): string[] | undefined {
  for (const [holder, property] of Object.entries(fields)) {
    const inner = flat(document, property).properties;
    if (inner === undefined || (USUAL.test(name) && !HOLDERS.test(holder) && !isNamed(holder, noun))) continue;
    if (Object.hasOwn(inner, name)) return [holder, name];
    const below = depth < MOST_DEPTH ? placeInside(document, inner, name, noun, depth + 1) : undefined;
    if (below !== undefined) return [holder, ...below];
  }
  return undefined;
}
