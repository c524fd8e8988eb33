/** The things in a body, and a thing in the form that an answer has for it. */
import type { Outcome } from '../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema } from '../engine/openapi/openapi-document.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import { isObject, type JsonObject } from '../engine/state/json-value.ts';
import { examplesOf } from './declared-outcomes.ts';
import type { Entity } from './entity.ts';
import { valueAtPath, withValueAt } from './key-path.ts';
import { wrappingOf } from './list-envelope.ts';

export interface SentThing {
  value: JsonObject;
  schema: Schema | null;
}

/** Every thing that a body is about; one without fields where it is about none. */
export function thingsIn(operation: Operation, entity: Entity, body: unknown, schema: Schema | null): SentThing[] {
  const wrapping = schema === null ? null : wrappingOf(operation.document, schema, entity.noun);
  const inner = wrapping === null ? body : valueAtPath(body, wrapping.path);
  const list = Array.isArray(inner) ? inner.filter(isObject) : isObject(inner) ? [inner] : [];
  const things = list.map((value) => ({ value: value as JsonObject, schema: wrapping?.schema ?? null }));
  return things.length > 0 ? things : [{ value: {}, schema: null }];
}

/** What an answer is given to say of things, before its schema has its say. */
export function wrapped(operation: Operation, entity: Entity, outcome: Outcome, rows: readonly JsonObject[]): unknown {
  const { document } = operation;
  const schema = outcome.schema ?? {};
  const { path, isList, schema: inner } = wrappingOf(document, schema, entity.noun);
  const [row = {}] = rows;
  if (path.length === 0)
    return isList ? rows : isAboutThing(operation, entity, inner) ? row : withKeyOf(operation, outcome, row);
  const example = examplesOf(document, outcome).find(isObject) ?? {};
  return withValueAt(example, path, isList ? rows : row);
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
