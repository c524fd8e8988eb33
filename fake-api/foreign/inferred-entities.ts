/**
 * What a foreign platform keeps, inferred from its paths: `/x/{p}` with a method that reads, writes or removes is a
 * thing that is remembered, `/x` with a list of objects is the collection it stands in. A path without a parameter at
 * its end that can be read and written is a thing of which there is one.
 */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { propertiesOf } from '../engine/openapi/flattened-schema.ts';
import type { OpenApiDocument, ParameterObject, Schema } from '../engine/openapi/openapi-document.ts';
import { namesIn } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Entity, Placed, Role } from './entity.ts';
import { isCreate, isSentAsRead } from './inferred-create.ts';
import { collectionsOf, isItemPath, nounOf } from './item-path.ts';
import { listElsewhere } from './list-elsewhere.ts';
import { wrappingOf } from './list-envelope.ts';
import { type Listed, listsOf, type OperationsByMethod } from './listed-paths.ts';
import { keysOf } from './thing-key.ts';

export interface Inference {
  entities: Entity[];
  placed: Map<Operation, Placed>;
  byTemplate: Map<string, Entity>;
}

/** Operations of `beside` share a path with others, which says nothing of them: they only answer. */
export function inferEntities(
  platform: string,
  document: OpenApiDocument,
  every: readonly Operation[],
  beside: ReadonlySet<Operation>,
): Inference {
  const operations = every.filter((operation) => !beside.has(operation));
  const byPath = operationsByPath(operations);
  const lists = listsOf(byPath);
  const inference: Inference = { entities: [], placed: new Map(), byTemplate: new Map() };
  const addEntity = (template: string | null, collection: string | null): Entity => {
    const own = template === null ? undefined : byPath.get(template);
    const listed = collection === null ? undefined : lists.get(collection);
    const entity = entityOf(platform, document, template, collection, own, listed, byPath.get(collection ?? ''));
    inference.entities.push(entity);
    if (template !== null) inference.byTemplate.set(template, entity);
    return entity;
  };
  // Where what is listed elsewhere is made: `/script` of `/scripts`.
  const collected = new Map<string, Entity>();
  for (const [template, own] of byPath) {
    if (lists.has(template) || !isRemembered(template, own)) continue;
    const { above, collection } = collectionOf(template, byPath, lists);
    const entity = addEntity(template, collection);
    if (above !== null) collected.set(above, entity);
  }
  for (const entity of inference.entities) if (entity.collection !== null) collected.set(entity.collection, entity);
  for (const template of lists.keys()) if (!collected.has(template)) collected.set(template, addEntity(null, template));
  addOtherEnds(collected);
  placeAll(inference, byPath, collected, every, beside);
  return inference;
}

/** The path above an item at which its things are listed or made, and that of their collection, which may stand elsewhere. */
function collectionOf(
  template: string,
  byPath: ReadonlyMap<string, OperationsByMethod>,
  lists: ReadonlyMap<string, Listed>,
): { above: string | null; collection: string | null } {
  const above = collectionsOf(template).find((path) => lists.has(path) || byPath.get(path)?.has('POST')) ?? null;
  if (above !== null && lists.has(above)) return { above, collection: above };
  const read = byPath.get(template)?.get('GET');
  return { above, collection: listElsewhere(template, read, lists, byPath) ?? above };
}

function addOtherEnds(collected: Map<string, Entity>): void {
  for (const [path, entity] of [...collected])
    for (const other of [withOtherEnd(path), ...MAKING.map((word) => path + word)])
      if (!collected.has(other)) collected.set(other, entity);
}

function placeAll(
  { placed, byTemplate }: Inference,
  byPath: ReadonlyMap<string, OperationsByMethod>,
  collected: ReadonlyMap<string, Entity>,
  every: readonly Operation[],
  beside: ReadonlySet<Operation>,
): void {
  for (const operation of every) {
    const siblings = byPath.get(operation.template);
    const acts = siblings === undefined || beside.has(operation);
    placed.set(operation, acts ? { role: 'act', entity: null } : place(operation, siblings, byTemplate, collected));
  }
}

/** Some documents end the path of a POST with a slash, and that of the list without one. */
const withOtherEnd = (path: string): string => (path.endsWith('/') ? path.slice(0, -1) : `${path}/`);

/** Last segments under which some platforms make what the path above lists. */
const MAKING = ['/create', '/new', '/add'];

function operationsByPath(operations: readonly Operation[]): ReadonlyMap<string, OperationsByMethod> {
  const byPath = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const own = byPath.get(operation.template) ?? new Map<string, Operation>();
    own.set(operation.method, operation);
    byPath.set(operation.template, own);
  }
  return byPath;
}

/** An item is remembered when any method is about it; anything else has to be both read and written. */
function isRemembered(template: string, own: OperationsByMethod): boolean {
  const changes = own.has('PUT') || own.has('PATCH') || own.has('DELETE');
  if (isItemPath(template)) return own.has('GET') || changes;
  return own.has('GET') && (changes || isSetByPost(own));
}

/** A thing of which there is one, which this platform changes with POST. */
function isSetByPost(own: OperationsByMethod): boolean {
  const [get, post] = [own.get('GET'), own.get('POST')];
  return get !== undefined && post !== undefined && isSentAsRead(post, get);
}

function place(
  operation: Operation,
  siblings: OperationsByMethod,
  items: ReadonlyMap<string, Entity>,
  collections: ReadonlyMap<string, Entity>,
): Placed {
  const item = items.get(operation.template) ?? null;
  const collection = collections.get(operation.template) ?? null;
  if (operation.method === 'GET' && collection?.list === operation) return { role: 'list', entity: collection };
  if (item !== null) {
    const role = itemRole(operation.method, siblings, isItemPath(operation.template));
    return { role, entity: role === 'act' ? null : item };
  }
  const role = collection === null ? 'act' : collectionRole(operation, collection);
  return { role, entity: role === 'act' ? null : collection };
}

function itemRole(method: string, siblings: OperationsByMethod, isItem: boolean): Role {
  if (method === 'GET' || method === 'HEAD') return 'read';
  if (method === 'DELETE') return 'remove';
  if (method === 'PUT' || method === 'PATCH') return 'write';
  if (method !== 'POST') return 'act';
  if (!isItem && isSetByPost(siblings)) return 'write';
  // Beside two of the usual methods of an item, POST is how this platform changes one.
  return ['PUT', 'GET', 'DELETE'].filter((entry) => siblings.has(entry)).length >= 2 ? 'write' : 'act';
}

function collectionRole(operation: Operation, collection: Entity): Role {
  const { method, body } = operation;
  if (method === 'POST' || (method === 'PUT' && collection.template !== null)) {
    if (isCreate(operation, collection)) return 'create';
    if (method === 'POST') return 'act';
  }
  if (collection.list === null) return 'act';
  if (method === 'PATCH' || method === 'PUT') return 'change-each';
  if (method !== 'DELETE') return 'act';
  return body === null ? 'clear' : 'remove-each';
}

function entityOf(
  platform: string,
  document: OpenApiDocument,
  template: string | null,
  collection: string | null,
  own: OperationsByMethod | undefined,
  listed: Listed | undefined,
  beside: OperationsByMethod | undefined,
): Entity {
  const path = (template ?? collection) as string;
  const noun = nounOf(path);
  const schema = entitySchema(document, noun, own, listed, beside);
  const names = namesIn(path);
  const parameter = template !== null && isItemPath(template) ? (names.at(-1) ?? null) : null;
  const declared = parameter === null ? undefined : pathParameter(own, parameter);
  const keySchema = declared?.schema ?? null;
  const singleton = template !== null && parameter === null;
  // A read that declares nothing of its answer leaves it to the rows of the list.
  const stated = [schema, listed?.envelope.schema].find(
    (each) => each && Object.keys(propertiesOf(document, each)).length,
  );
  const { key, otherKey } = singleton || stated == null ? NO_KEY : keysOf(document, stated, noun, declared);
  const name = path.replace(/^\//, '');
  return {
    name,
    template,
    collection,
    list: listed?.operation ?? null,
    envelope: listed?.envelope ?? null,
    read: own?.get('GET') ?? null,
    isChangedByPost: own !== undefined && !own.has('PUT') && !own.has('PATCH'),
    schema,
    key,
    otherKey,
    noun,
    keySchema,
    resource: {
      name,
      platform,
      document,
      parentNames: parameter === null ? names : names.slice(0, -1),
      keyNames: [key?.at(-1) ?? parameter ?? 'id'],
      collectionTemplate: collection,
      itemTemplate: template,
      placeTemplate: path,
      readSchema: schema,
      createSchema: null,
      refs: [],
      unique: [],
      uniqueTogether: [],
      immutable: [],
      scope: 'none',
      singleton,
      hasHistory: false,
      isPart: false,
      generatedKey: false,
      staged: false,
      derive: {},
      writable: new Set(),
    },
  };
}

/** Full shape of a thing: as it is read, else as it is listed, else as any write of it answers or takes it. */
function entitySchema(
  document: OpenApiDocument,
  noun: string,
  own: OperationsByMethod | undefined,
  listed: Listed | undefined,
  beside: OperationsByMethod | undefined,
): Schema | null {
  const answered = (operation: Operation | undefined): Schema | null => {
    const schema = operation === undefined ? null : successOf(operation).schema;
    return schema === null ? null : wrappingOf(document, schema, noun).schema;
  };
  return (
    answered(own?.get('GET')) ??
    listed?.envelope.schema ??
    answered(own?.get('PUT')) ??
    answered(own?.get('PATCH')) ??
    answered(own?.get('POST')) ??
    answered(beside?.get('POST'))
  );
}

const NO_KEY = { key: null, otherKey: null };

function pathParameter(own: OperationsByMethod | undefined, name: string): ParameterObject | undefined {
  const [any] = own?.values() ?? [];
  return any?.parameters.find((entry) => entry.in === 'path' && entry.name === name);
}
