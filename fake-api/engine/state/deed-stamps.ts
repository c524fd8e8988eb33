/** Who did something to an object and when: `acknowledgedAt` and `acked_by` follow the state that a write gives it. */
import { USERNAME } from '../http/account.ts';
import { isNullable, plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import { expressionOf } from '../openapi/pattern.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { wordsOf } from '../semantics/field-name-words.ts';
import type { JsonObject } from './json-value.ts';

interface DeedField {
  name: string;
  schema: Schema;
  deed: string;
  what: 'at' | 'by';
}

const fields = new WeakMap<Resource, readonly DeedField[]>();

function deedFieldsOf(resource: Resource): readonly DeedField[] {
  const known = fields.get(resource);
  if (known !== undefined) return known;
  const { document, readSchema } = resource;
  const properties = readSchema === null ? {} : shapeOf(document, readSchema).properties;
  const found = Object.entries(properties).flatMap(([name, property]): DeedField[] => {
    const [deed, last, ...more] = wordsOf(name);
    if (deed === undefined || last === undefined || more.length > 0) return [];
    const what = last === 'by' ? 'by' : /^(at|on|time)$/.test(last) ? 'at' : null;
    return what === null ? [] : [{ name, schema: plain(document, property), deed, what }];
  });
  fields.set(resource, found);
  return found;
}

/** What follows from a change and was not said in it; a deed that is taken back leaves neither time nor person. */
export function deedStamps(resource: Resource, change: JsonObject, now: string): JsonObject {
  const said = Object.entries(change);
  const done = new Set(said.flatMap(([name, value]) => deedIn(name, value)));
  const undone = new Set(said.flatMap(([name, value]) => (value === false ? [wordsOf(name).join(' ')] : [])));
  const stamps: JsonObject = {};
  for (const { name, schema, deed, what } of deedFieldsOf(resource)) {
    if (Object.hasOwn(change, name)) continue;
    if (undone.has(deed) && isNullable(schema)) stamps[name] = null;
    const stamp = done.has(deed) ? stampFor(what, schema, now) : undefined;
    if (stamp !== undefined) stamps[name] = stamp;
  }
  return stamps;
}

/** `state: Acknowledged` and `acknowledged: true` both say that it was acknowledged. */
function deedIn(name: string, value: unknown): string[] {
  if (typeof value === 'string') return [value.toLowerCase()];
  return value === true ? [wordsOf(name).join(' ')] : [];
}

function stampFor(what: DeedField['what'], schema: Schema, now: string): string | undefined {
  if (what === 'by') return callerAs(schema);
  return schema.format === 'date-time' ? now : undefined;
}

/** The account that calls, where the field takes its name. */
export function callerAs(schema: Schema): string | undefined {
  if (!typesOf(schema).includes('string') || schema.enum !== undefined || schema['x-svc-ref'] !== undefined)
    return undefined;
  const name = (schema['x-svc-type'] ?? schema.format) === 'email' ? `${USERNAME}@harbour.example` : USERNAME;
  return schema.pattern === undefined || expressionOf(schema.pattern).test(name) ? name : undefined;
}
