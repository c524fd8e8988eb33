/** The things in a body, and a thing in the form that an answer has for it. */
import { type Outcome, successOf } from '../engine/openapi/declared-outcome.ts';
import { flat, propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import { namesIn } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { spellingsOf } from './address.ts';
import { examplesOf } from './declared-outcomes.ts';
import type { Entity } from './entity.ts';
import { checkOf } from './foreign-schema-checks.ts';
import { singularOfNoun } from './item-path.ts';
import { valueAtPath, withValueAt } from './key-path.ts';
import { wrappingOf } from './list-envelope.ts';
import { sentWrapping } from './sent-wrapping.ts';

export interface SentThing {
  value: JsonObject;
  schema: Schema | null;
}

/** Every thing that a body is about; one without fields where it is about none. */
export function thingsIn(operation: Operation, entity: Entity, body: unknown, schema: Schema | null): SentThing[] {
  const wrapping = schema === null ? null : sentWrapping(operation.document, schema, entity);
  const inner = wrapping === null ? body : valueAtPath(body, wrapping.path);
  const list = Array.isArray(inner) ? inner.filter(isObject) : isObject(inner) ? [inner] : [];
  const things = list.map((value) => ({ value: value as JsonObject, schema: wrapping?.schema ?? null }));
  return things.length > 0 ? things : [{ value: {}, schema: null }];
}

/** What an answer is given to say of things, before its schema has its say; `key` is that of a thing which does not say it itself. */
export function wrapped(
  operation: Operation,
  entity: Entity,
  outcome: Outcome,
  rows: readonly JsonObject[],
  key?: string,
): unknown {
  const { document } = operation;
  const schema = outcome.schema ?? {};
  const { path, isList, schema: inner } = wrappingOf(document, schema, entity.noun);
  const [row = {}] = rows;
  if (isPlain(document, schema))
    return entity.key === null ? keyAs(document, schema, key) : valueAtPath(row, entity.key);
  if (path.length === 0)
    return isList ? rows : isAboutThing(operation, entity, inner) ? row : withKeyOf(operation, outcome, row);
  const example = examplesOf(document, outcome).find(isObject) ?? {};
  return withValueAt(example, path, isList ? rows : row);
}

/** Whether a schema is that of a text or a number: the key of what was made. */
function isPlain(document: Operation['document'], schema: Schema): boolean {
  const types = typesOf(flat(document, schema));
  return types.length > 0 && types.every((type) => ['string', 'integer', 'number', 'null'].includes(type));
}

/** Whether an answer has at least half of its fields from the thing. */
function isAboutThing({ document }: Operation, { schema }: Entity, answered: Schema): boolean {
  const names = Object.keys(propertiesOf(document, answered)).map(plainName);
  const kept = new Set(Object.keys(schema === null ? {} : propertiesOf(document, schema)).map(plainName));
  return names.length === 0 || kept.size === 0 || names.filter((name) => kept.has(name)).length * 2 >= names.length;
}

/** An answer about something else says of the thing what it has in common with it, beside its own example. */
function withKeyOf({ document }: Operation, outcome: Outcome, row: JsonObject): unknown {
  const example = examplesOf(document, outcome).find(isObject) ?? {};
  return { ...example, ...row };
}

/** What names a thing in an answer to its making that does not show its key, where it has a field for that: the key, or the thing's path. */
export function namedBeside(operation: Operation, entity: Entity, key: string, place: string): JsonObject {
  const parameter = entity.template === null ? undefined : namesIn(entity.template).at(-1);
  const { document } = operation;
  const properties = propertiesOf(document, successOf(operation).schema ?? {});
  const isShown = entity.key !== null && Object.hasOwn(properties, entity.key[0] as string);
  if (isShown || parameter === undefined) return {};
  const wanted = new Set([parameter, 'id', `${singularOfNoun(entity.noun)}_id`].map(plainName));
  const name = Object.keys(properties).find((entry) => wanted.has(plainName(entry)));
  if (name !== undefined) return { [name]: keyAs(document, properties[name] as Schema, key) as JsonObject[string] };
  const link = Object.keys(properties).find((entry) => OWN_LINK.test(plainName(entry)));
  return link === undefined ? {} : { [link]: addressIn(document, properties[link] as Schema, place) };
}

/** Fields in which an answer has the address of the thing that it is about. */
const OWN_LINK = /^(this|self|resource)?(url|uri|href|link|location)$|^self$/;

/** The address in the spelling that the schema takes. */
function addressIn(document: Operation['document'], schema: Schema, place: string): string {
  const check = checkOf(document, schema, 'response');
  return spellingsOf(place).find((address) => check(address) === null) ?? place;
}

/** The text of a key as a schema has it. */
function keyAs(document: Operation['document'], schema: Schema, key: string | undefined): unknown {
  const types = typesOf(flat(document, schema));
  const isNumber = (types.includes('integer') || types.includes('number')) && /^-?\d+$/.test(key ?? '');
  return isNumber ? Number(key) : key;
}
