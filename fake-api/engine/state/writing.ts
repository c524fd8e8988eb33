/** Turns an accepted body into a stored row, and an old row plus a change into a new one. */
import type { AcceptedRequest } from '../http/accepted-request.ts';
import { isNullable, type OpenApiDocument, plain, type Schema, shapeOf, typesOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { synthesize } from '../openapi/synthesis.ts';
import { isoSeconds } from './clock.ts';
import { type Row, rowParts } from './collection.ts';
import { callerAs, deedStamps } from './deed-stamps.ts';
import { isObject, type JsonObject, own } from './json-value.ts';
import { placeOf, scopeMarks } from './scopes.ts';
import { partSecrets, withSecretFlags } from './secrets.ts';
import { synthesisFor } from './stored-rows.ts';

export interface Draft {
  value: JsonObject;
  secrets: Record<string, string>;
}

/** A new row: the body, the defaults, and what the platform itself sets. */
export function newDraft(call: AcceptedRequest, resource: Resource, id: string, body: JsonObject): Draft {
  const { document } = resource;
  const schema = resource.createSchema;
  const filled = schema === null ? body : (withDefaults(document, schema, body) as JsonObject);
  const { value, secrets } = partSecrets(document, schema, filled);
  return flagged(resource, { value: withOwn(call, resource, id, value), secrets });
}

function flagged(resource: Resource, draft: Draft): Draft {
  return { ...draft, value: withSecretFlags(resource.document, resource.readSchema, draft.value, draft.secrets) };
}

/** PUT: everything writable comes from the body, the rest stays. */
export function replacedDraft(call: AcceptedRequest, resource: Resource, row: Row, body: JsonObject): Draft {
  const fresh = newDraft(call, resource, row.id, body);
  const stays = (name: string): boolean =>
    !resource.writable.has(name) || (resource.immutable.includes(name) && own(body, name) === undefined);
  const kept = Object.fromEntries(Object.entries(row.value).filter(([name]) => stays(name)));
  const value = { ...fresh.value, ...kept, ...stamps(call, resource, 'updated', kept) };
  return flagged(resource, { value, secrets: fresh.secrets });
}

/** A copy: what the body says, with the secrets of the original, which no reader could have repeated. */
export function clonedDraft(call: AcceptedRequest, resource: Resource, id: string, row: Row, body: JsonObject): Draft {
  const fresh = newDraft(call, resource, id, body);
  return flagged(resource, { value: fresh.value, secrets: { ...row.secrets, ...fresh.secrets } });
}

/** PATCH: a merge patch; null clears a field. */
export function patchedDraft(call: AcceptedRequest, resource: Resource, row: Row, body: JsonObject): Draft {
  const { document } = resource;
  const { value: change, secrets } = partSecrets(document, resource.createSchema ?? resource.readSchema, body);
  const merged = mergePatch(row.value, change);
  return flagged(resource, {
    value: {
      ...merged,
      ...deedStamps(resource, change, isoSeconds(call.state.clock.ms)),
      ...stamps(call, resource, 'updated', row.value),
    },
    secrets: { ...survivingSecrets(row.secrets, body), ...secrets },
  });
}

/** An array in the patch replaces the array, and with it the secrets inside. */
function survivingSecrets(secrets: Readonly<Record<string, string>>, change: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(secrets).filter(([pointer]) => {
      let at: unknown = change;
      for (const step of pointer.split('/').slice(1)) {
        if (at === null || Array.isArray(at)) return false;
        at = isObject(at) ? own(at, step) : undefined;
      }
      return at !== null;
    }),
  );
}

function mergePatch(target: JsonObject, change: JsonObject): JsonObject {
  const changed = Object.entries(change).map(([name, value]) => {
    const old = own(target, name);
    return [
      name,
      isObject(value) && isObject(old) ? mergePatch(old as JsonObject, value as JsonObject) : value,
    ] as const;
  });
  return { ...target, ...Object.fromEntries(changed) };
}

function withDefaults(document: OpenApiDocument, schema: Schema, value: unknown): unknown {
  const at = plain(document, schema);
  if (Array.isArray(value)) {
    return at.items === undefined ? value : value.map((entry) => withDefaults(document, at.items as Schema, entry));
  }
  if (!isObject(value)) return value;
  const filled: Record<string, unknown> = { ...value };
  for (const [name, property] of Object.entries(shapeOf(document, at).properties)) {
    const entry = own(filled, name);
    if (entry === undefined) {
      const fallback = plain(document, property).default;
      if (fallback !== undefined) filled[name] = fallback;
    } else {
      filled[name] = withDefaults(document, property, entry);
    }
  }
  return filled;
}

/** Adds the key and what the platform sets on a newborn object: stamps, counters at their least, empty lists. */
function withOwn(call: AcceptedRequest, resource: Resource, id: string, given: JsonObject): JsonObject {
  const { document, readSchema } = resource;
  if (readSchema === null) return given;
  const shape = shapeOf(document, readSchema);
  const value: Record<string, unknown> = { ...given };
  setKeys(value, resource, id, shape.properties);
  Object.assign(value, stamps(call, resource, 'created', value));
  const marks = scopeMarks(resource, placeOf(call, resource));
  for (const [name, property] of Object.entries(shape.properties)) {
    const at = plain(document, property);
    if (at.writeOnly === true) continue;
    if (isBookkeeping(document, at)) value[name] = { ...(isObject(value[name]) ? value[name] : {}), ...marks };
    else {
      const own = ownValue(call, resource, id, name, at, value[name], shape.required.has(name));
      if (own !== undefined) value[name] = own;
    }
  }
  return value as JsonObject;
}

/** The parts of the id, under the names of the parents and of the key, as far as the schema has them. */
function setKeys(
  value: Record<string, unknown>,
  resource: Resource,
  id: string,
  properties: Record<string, Schema>,
): void {
  const parts = rowParts(id);
  const keys = [...resource.parentNames, ...resource.keyNames];
  for (const [at, name] of keys.entries()) {
    const property = properties[name];
    const part = parts[at];
    if (property === undefined || part === undefined || value[name] !== undefined) continue;
    value[name] = typesOf(plain(resource.document, property)).includes('integer') ? Number(part) : part;
  }
}

/** What the platform makes of one field of a newborn object; undefined leaves it as it was given, or out. */
function ownValue(
  call: AcceptedRequest,
  resource: Resource,
  id: string,
  name: string,
  schema: Schema,
  given: unknown,
  required: boolean,
): unknown {
  const readOnly = schema.readOnly === true;
  if (given !== undefined)
    return readOnly && isObject(given) ? synthesize(origin(call, resource, id, name), schema, given) : given;
  if (readOnly || !resource.writable.has(name)) return newborn(call, resource, id, name, schema);
  if (isNullable(schema)) return null;
  return required ? synthesize(origin(call, resource, id, name), schema) : unsaid(resource.document, schema);
}

/** What an object shows of a field that its caller left out: no entries, or the settings at their defaults. */
function unsaid(document: OpenApiDocument, schema: Schema): unknown {
  if (typesOf(schema).includes('array')) return (schema.minItems ?? 0) === 0 ? [] : undefined;
  if (schema.oneOf !== undefined) return undefined;
  if (schema.properties === undefined)
    return shapeOf(document, schema).additional !== null && !schema.minProperties ? {} : undefined;
  const settings = withDefaults(document, schema, {}) as JsonObject;
  const { required } = shapeOf(document, schema);
  const isWhole = Object.keys(settings).length > 0 && [...required].every((name) => Object.hasOwn(settings, name));
  return isWhole ? settings : undefined;
}

/** The read-only object that says to which scope an object belongs. */
export function isBookkeeping(document: OpenApiDocument, schema: Schema): boolean {
  return (
    schema.readOnly === true && schema.properties !== undefined && 'object-type' in shapeOf(document, schema).properties
  );
}

function newborn(call: AcceptedRequest, resource: Resource, id: string, name: string, schema: Schema): unknown {
  if (schema.default !== undefined) return schema.default;
  if (isNullable(schema)) return null;
  if (schema.enum !== undefined) return schema.enum[0];
  switch (typesOf(schema)[0]) {
    case 'integer':
    case 'number':
      return schema.minimum ?? 0;
    case 'boolean':
      return false;
    case 'array':
      return (schema.minItems ?? 0) === 0 ? [] : synthesize(origin(call, resource, id, name), schema);
    default:
      if (schema.format === 'date-time') return isoSeconds(call.state.clock.ms);
      return synthesize(origin(call, resource, id, name), schema);
  }
}

function origin(call: AcceptedRequest, resource: Resource, id: string, name: string) {
  return synthesisFor(call, ['new', resource.name, id, name], resource.document);
}

const CREATION =
  '(created|creation|added|registered|assigned|opened|invited|claimed|ordered|requested|submitted|joined)';
/** Names of the moment of creation and of the last change, small letters alone. */
export const CREATED = new RegExp(`^(${CREATION}(at|on|time|date)?|since)$`);
export const UPDATED = /^(last)?(updated|modified|changed)(at|on|time|date)?$/;
const CREATED_BY = new RegExp(`^${CREATION}by$`);
const UPDATED_BY = /^(last)?(updated|modified|changed)by$/;

/**
 * Created and updated times and the revision, where the read schema has such read-only fields, also inside a read-only
 * object such as `metadata`.
 */
function stamps(
  call: AcceptedRequest,
  resource: Resource,
  moment: 'created' | 'updated',
  before: JsonObject | Record<string, unknown>,
): JsonObject {
  if (resource.readSchema === null) return {};
  return stampsOf(call, resource.document, resource.readSchema, resource.writable, moment, before, 0);
}

function stampsOf(
  call: AcceptedRequest,
  document: OpenApiDocument,
  schema: Schema,
  writable: ReadonlySet<string>,
  moment: 'created' | 'updated',
  before: JsonObject | Record<string, unknown>,
  depth: number,
): JsonObject {
  const set: JsonObject = {};
  const now = isoSeconds(call.state.clock.ms);
  for (const [name, property] of Object.entries(shapeOf(document, schema).properties)) {
    if (writable.has(name)) continue;
    const at = plain(document, property);
    const stamp = stampOf(name, at, moment, now, before[name]);
    if (stamp !== undefined) set[name] = stamp;
    if (depth === 0 && at.readOnly === true && at.properties !== undefined) {
      const old = isObject(before[name]) ? (before[name] as JsonObject) : {};
      const inner = stampsOf(call, document, at, NONE, moment, old, 1);
      if (Object.keys(inner).length > 0) set[name] = { ...old, ...inner };
    }
  }
  return set;
}

function stampOf(
  name: string,
  schema: Schema,
  moment: 'created' | 'updated',
  now: string,
  before: unknown,
): string | number | undefined {
  const short = name.toLowerCase().replace(/[^a-z]/g, '');
  if (short === 'revision' && typesOf(schema).includes('integer'))
    return moment === 'created' ? Math.max(1, schema.minimum ?? 1) : Number(before ?? 0) + 1;
  if (UPDATED_BY.test(short) || (moment === 'created' && CREATED_BY.test(short))) return callerAs(schema);
  if (schema.format !== 'date-time') return undefined;
  return UPDATED.test(short) || (moment === 'created' && CREATED.test(short)) ? now : undefined;
}

const NONE: ReadonlySet<string> = new Set();
