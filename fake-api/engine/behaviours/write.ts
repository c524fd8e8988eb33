/** POST, PUT, PATCH and DELETE of stored objects, one by one and in bulk. */
import type { Call } from '../http/accepted-call.ts';
import { locationHeader, namesTag, tagHeader, tagOf } from '../http/location.ts';
import { type Answer, done, refuse } from '../http/platform-answer.ts';
import { successOf } from '../openapi/declared-outcome.ts';
import { plain, shapeOf } from '../openapi/openapi-document.ts';
import type { Resource } from '../openapi/stored-resource.ts';
import { type Row, rowId, rowParts } from '../state/collection.ts';
import { isObject, type JsonObject } from '../state/json-value.ts';
import { missingPlace } from '../state/scopes.ts';
import { idFromPath, present, readRow } from '../state/stored-rows.ts';
import { createOne, notFound, removeOne, stillUsed, store } from '../state/storing.ts';
import { missingParent } from '../state/target-row.ts';
import { newDraft, patchedDraft, replacedDraft } from '../state/writing.ts';
import { singletonPut } from './singleton.ts';
import { start } from './task.ts';

export function create(call: Call): Answer {
  const resource = resourceOf(call);
  if (resource === null) return done(successOf(call.operation).status, call.body);
  const early = missingParent(call) ?? missingPlace(call, resource);
  if (early !== null) return early;
  if (Array.isArray(call.body)) return createMany(call, resource, call.body as JsonObject[]);
  const stored = createOne(call, resource, (call.body ?? {}) as JsonObject);
  return typeof stored === 'string' ? answerWith(call, resource, stored, successOf(call.operation).status) : stored;
}

/** All or nothing: the first entry that is refused takes the others with it. */
function createMany(call: Call, resource: Resource, bodies: JsonObject[]): Answer {
  const before = call.state.save();
  const ids: string[] = [];
  for (const [at, body] of bodies.entries()) {
    const stored = createOne(call, resource, body);
    if (typeof stored !== 'string') {
      call.state.restore(before);
      return stored.kind === 'refused' ? { ...stored, message: `entry ${at}: ${stored.message}` } : stored;
    }
    ids.push(stored);
  }
  const success = successOf(call.operation);
  const schema = success.schema === null ? null : plain(call.operation.document, success.schema);
  const item = schema?.items;
  const rows = ids.map((id) => ({ id, values: valuesOf(call, resource, id) }));
  if (item !== undefined)
    return done(
      success.status,
      rows.map((row) => present(call, item, row.values, row.id)),
    );
  if (schema === null) return done(success.status);
  const list = Object.keys(shapeOf(call.operation.document, schema).properties).find((name) => name !== 'count');
  return done(
    success.status,
    present(call, schema, { [list ?? 'items']: rows.map((row) => row.values), count: rows.length }, 'many'),
  );
}

export function replace(call: Call): Answer {
  const resource = resourceOf(call);
  if (resource === null) return done(successOf(call.operation).status, call.body);
  const early = missingParent(call) ?? missingPlace(call, resource);
  if (early !== null) return early;
  const id = idFromPath(resource, call.values);
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  const body = (call.body ?? {}) as JsonObject;
  if (row === undefined && !call.operation.upsert) return notFound(resource, call.values);
  const stale = staleRevision(call, row);
  if (stale !== null) return stale;
  const draft = row === undefined ? newDraft(call, resource, id, body) : replacedDraft(call, resource, row, body);
  const stored = store(call, resource, id, draft, (row?.revision ?? 0) + 1);
  const success = successOf(call.operation).status;
  return typeof stored === 'string' ? answerWith(call, resource, id, success) : stored;
}

export function patch(call: Call): Answer {
  const resource = resourceOf(call);
  if (resource === null) return done(200, call.body);
  if (resource.singleton) return singletonPut(call);
  const id = idFromPath(resource, call.values);
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  if (row === undefined) return missingParent(call) ?? notFound(resource, call.values);
  const early = missingPlace(call, resource) ?? staleRevision(call, row);
  if (early !== null) return early;
  const stored = store(
    call,
    resource,
    id,
    patchedDraft(call, resource, row, (call.body ?? {}) as JsonObject),
    row.revision + 1,
  );
  return typeof stored === 'string' ? answerWith(call, resource, id, successOf(call.operation).status) : stored;
}

/** A write that names the revision it was made for is refused when the object has moved on. */
function staleRevision(call: Call, row: Row | undefined): Answer | null {
  const wanted = call.headers['If-Match'];
  if (typeof wanted !== 'string' || row === undefined) return null;
  const tag = tagOf(row);
  if (namesTag(wanted, tag)) return null;
  return refuse(412, 'STALE_REVISION', `header "If-Match": expected ${tag}, the present revision, got ${wanted}`);
}

export function remove(call: Call): Answer {
  const resource = resourceOf(call);
  const success = successOf(call.operation);
  if (resource === null) return done(success.status);
  const id = idFromPath(resource, call.values);
  if (call.operation.async !== null) return removeLater(call, resource, id);
  const gone = valuesOrNull(call, resource, id);
  const refused = removeOne(call, resource, id);
  if (refused !== null) return refused;
  if (success.schema === null) return done(success.status);
  return done(success.status, present(call, success.schema, gone ?? {}, id));
}

/** The object goes when its task completes; what stands in the way is said at once. */
function removeLater(call: Call, resource: Resource, id: string): Answer {
  const values = valuesOrNull(call, resource, id);
  if (values === null) return missingParent(call) ?? notFound(resource, rowParts(id));
  const inUse = stillUsed(call, resource, id);
  return inUse ?? start(call, { resource, id, values });
}

export function bulkCreate(call: Call): Answer {
  return bulk(call, (resource, entry) => {
    const stored = createOne(call, resource, entry as JsonObject);
    return typeof stored === 'string'
      ? { key: rowParts(stored).at(-1) as string }
      : { key: keyIn(resource, entry), refused: stored };
  });
}

export function bulkPatch(call: Call): Answer {
  return bulk(call, (resource, entry) => {
    const id = rowId([...call.values.slice(0, resource.parentNames.length), keyIn(resource, entry)]);
    const row = call.state.rows(call.platform.id, resource.name).get(id);
    const key = keyIn(resource, entry);
    if (row === undefined) return { key, refused: notFound(resource, rowParts(id)) };
    const changes = isObject(entry) && isObject(entry['changes']) ? (entry['changes'] as JsonObject) : {};
    const stored = store(call, resource, id, patchedDraft(call, resource, row, changes), row.revision + 1);
    return typeof stored === 'string' ? { key } : { key, refused: stored };
  });
}

export function bulkDelete(call: Call): Answer {
  return bulk(call, (resource, entry) => {
    const id = rowId([...call.values.slice(0, resource.parentNames.length), keyIn(resource, entry)]);
    const refused = removeOne(call, resource, id);
    return refused === null ? { key: keyIn(resource, entry) } : { key: keyIn(resource, entry), refused };
  });
}

function keyIn(resource: Resource, entry: unknown): string {
  return isObject(entry) ? resource.keyNames.map((name) => String(entry[name] ?? '')).join('/') : String(entry);
}

/** One outcome per entry: some may be refused while others are carried out. */
function bulk(call: Call, act: (resource: Resource, entry: unknown) => { key: string; refused?: Answer }): Answer {
  const resource = resourceOf(call);
  const success = successOf(call.operation);
  if (resource === null) return done(success.status, {});
  const missing = missingParent(call);
  if (missing !== null) return missing;
  const sent = isObject(call.body) ? Object.values(call.body).find(Array.isArray) : call.body;
  const items = (Array.isArray(sent) ? sent : []).map((entry) => {
    const { key, refused } = act(resource, entry);
    const failed = refused?.kind === 'refused';
    return { key, status: failed ? 'failed' : 'done', message: failed ? refused.message : null };
  });
  const failed = items.filter((item) => item.status === 'failed').length;
  const outcome = { items, done: items.length - failed, failed };
  return done(success.status, success.schema === null ? undefined : present(call, success.schema, outcome, 'bulk'));
}

function resourceOf(call: Call): Resource | null {
  return call.platform.resources.get(call.operation.resource ?? '') ?? null;
}

function valuesOrNull(call: Call, resource: Resource, id: string): Record<string, unknown> | null {
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  return row === undefined ? null : readRow(call.platform, call.state, call.world, resource, row);
}

function valuesOf(call: Call, resource: Resource, id: string): Record<string, unknown> {
  return valuesOrNull(call, resource, id) ?? {};
}

function answerWith(call: Call, resource: Resource, id: string, status: number): Answer {
  const schema = successOf(call.operation).schema;
  const row = call.state.rows(call.platform.id, resource.name).get(id);
  const headers = { ...locationHeader(call, resource, id), ...tagHeader(call.operation, row) };
  if (schema === null) return done(status, undefined, headers);
  return done(status, present(call, schema, valuesOf(call, resource, id), id), headers);
}
