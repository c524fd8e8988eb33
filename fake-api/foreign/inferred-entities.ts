/**
 * What a foreign platform keeps, inferred from its paths: `/x/{p}` with a method that reads, writes or removes is a
 * thing that is remembered, `/x` with a list of objects is the collection it stands in. A path without a parameter at
 * its end that can be read and written is a thing of which there is one.
 */
import { type OpenApiDocument, plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { Resource } from '../engine/openapi/stored-resource.ts';
import { namesIn } from '../engine/openapi/stored-resource.ts';
import { successOutcome } from './declared-outcomes.ts';
import { flat, propertiesOf } from './flattened-schema.ts';
import type { ForeignOperation } from './foreign-operations.ts';
import { type Envelope, envelopeOf } from './list-envelope.ts';

export interface Entity {
  /** Name under which rows are kept and the control port shows them. */
  name: string;
  /** Path of one thing; null when only its collection is known. */
  template: string | null;
  collection: string | null;
  list: ForeignOperation | null;
  envelope: Envelope | null;
  read: ForeignOperation | null;
  /** Full shape of a thing. */
  schema: Schema | null;
  /** Property that holds the last path value; null when no property does and the path alone knows it. */
  key: string | null;
  /** Schema of the last path parameter. */
  keySchema: Schema | null;
  resource: Resource;
}

export type Role = 'list' | 'read' | 'create' | 'write' | 'remove' | 'clear' | 'act';

export interface Placed {
  role: Role;
  entity: Entity | null;
}

export interface Inference {
  entities: Entity[];
  placed: Map<ForeignOperation, Placed>;
  byTemplate: Map<string, Entity>;
}

export function inferEntities(
  platform: string,
  document: OpenApiDocument,
  operations: readonly ForeignOperation[],
): Inference {
  const byPath = new Map<string, Map<string, ForeignOperation>>();
  for (const operation of operations) {
    const own = byPath.get(operation.template) ?? new Map<string, ForeignOperation>();
    own.set(operation.method, operation);
    byPath.set(operation.template, own);
  }
  const lists = new Map<string, { operation: ForeignOperation; envelope: Envelope }>();
  for (const [template, own] of byPath) {
    const get = own.get('GET');
    const envelope = get === undefined || template.endsWith('}') ? null : envelopeOf(get);
    if (get !== undefined && envelope !== null) lists.set(template, { operation: get, envelope });
  }
  const inference: Inference = { entities: [], placed: new Map(), byTemplate: new Map() };
  const addEntity = (template: string | null, collection: string | null): Entity => {
    const own = template === null ? undefined : byPath.get(template);
    const listed = collection === null ? undefined : lists.get(collection);
    const entity = entityOf(platform, document, template, collection, own, listed, byPath.get(collection ?? ''));
    inference.entities.push(entity);
    if (template !== null) inference.byTemplate.set(template, entity);
    return entity;
  };
  for (const [template, own] of byPath) {
    if (lists.has(template)) continue;
    const atItem = template.endsWith('}');
    const remembered = own.has('PUT') || own.has('PATCH') || own.has('DELETE');
    if (!(atItem ? own.has('GET') || remembered : own.has('GET') && remembered)) continue;
    const above = template.slice(0, template.lastIndexOf('/'));
    addEntity(template, atItem && (lists.has(above) || byPath.get(above)?.has('POST') === true) ? above : null);
  }
  const collected = new Map(
    inference.entities.flatMap((entity) => (entity.collection === null ? [] : [[entity.collection, entity] as const])),
  );
  for (const template of lists.keys()) if (!collected.has(template)) collected.set(template, addEntity(null, template));
  for (const operation of operations)
    inference.placed.set(
      operation,
      place(
        operation,
        byPath.get(operation.template) as Map<string, ForeignOperation>,
        inference.byTemplate,
        collected,
      ),
    );
  return inference;
}

function place(
  operation: ForeignOperation,
  siblings: Map<string, ForeignOperation>,
  items: ReadonlyMap<string, Entity>,
  collections: ReadonlyMap<string, Entity>,
): Placed {
  const item = items.get(operation.template) ?? null;
  const collection = collections.get(operation.template) ?? null;
  const { method } = operation;
  if (method === 'GET') {
    if (collection?.list === operation) return { role: 'list', entity: collection };
    return item === null ? { role: 'act', entity: null } : { role: 'read', entity: item };
  }
  if (item !== null) {
    if (method === 'DELETE') return { role: 'remove', entity: item };
    if (method === 'POST') {
      const style = ['PUT', 'GET', 'DELETE'].filter((entry) => siblings.has(entry)).length >= 2;
      return style ? { role: 'write', entity: item } : { role: 'act', entity: null };
    }
    return { role: 'write', entity: item };
  }
  if (collection !== null) {
    if (method === 'POST' && isCreate(operation, collection)) return { role: 'create', entity: collection };
    if (method === 'DELETE' && operation.body === null && collection.list !== null)
      return { role: 'clear', entity: collection };
  }
  return { role: 'act', entity: null };
}

/** One thing comes in and one thing goes out, and it can be seen afterwards. */
function isCreate(operation: ForeignOperation, entity: Entity): boolean {
  if (entity.read === null && entity.list === null) return false;
  const sent = bodySchemaOf(operation);
  if (sent !== null && !isObjectShaped(operation.document, sent)) return false;
  const { schema } = successOutcome(operation);
  if (schema === null) return sent !== null;
  if (!isObjectShaped(operation.document, schema)) return false;
  // An answer that shares hardly a field with the thing is about something else, such as a report on the request.
  const answered = Object.keys(propertiesOf(operation.document, schema));
  const kept = Object.keys(entity.schema === null ? {} : propertiesOf(operation.document, entity.schema));
  if (answered.length === 0 || kept.length === 0) return true;
  return answered.filter((name) => kept.includes(name)).length >= Math.min(2, answered.length);
}

function bodySchemaOf(operation: ForeignOperation): Schema | null {
  const content = operation.body?.content ?? {};
  const media = Object.keys(content);
  const name = media.find((entry) => /json/i.test(entry)) ?? media.find((entry) => /form/i.test(entry));
  return name === undefined ? null : (content[name]?.schema ?? null);
}

function isObjectShaped(document: OpenApiDocument, schema: Schema): boolean {
  const at = flat(document, schema);
  const types = typesOf(at);
  if (types.length > 0) return types.includes('object');
  const branches = at.oneOf ?? at.anyOf;
  return branches === undefined || branches.every((branch) => isObjectShaped(document, branch));
}

function entityOf(
  platform: string,
  document: OpenApiDocument,
  template: string | null,
  collection: string | null,
  own: Map<string, ForeignOperation> | undefined,
  listed: { operation: ForeignOperation; envelope: Envelope } | undefined,
  beside: Map<string, ForeignOperation> | undefined,
): Entity {
  const read = own?.get('GET') ?? null;
  const create = beside?.get('POST');
  const shapes = [read, own?.get('PUT'), own?.get('PATCH'), own?.get('POST')].flatMap((operation) =>
    operation === undefined || operation === null ? [] : [successOutcome(operation).schema],
  );
  const schema =
    shapes.slice(0, read === null ? 0 : 1).find((entry) => entry !== null) ??
    listed?.envelope.items ??
    shapes.find((entry) => entry !== null) ??
    (create === undefined ? null : successOutcome(create).schema);
  const names = template === null ? namesIn(collection ?? '') : namesIn(template);
  const parameter = template?.endsWith('}') === true ? (names.at(-1) ?? null) : null;
  const declared =
    parameter === null
      ? undefined
      : [...(own?.values() ?? [])][0]?.parameters.find((entry) => entry.in === 'path' && entry.name === parameter);
  const keySchema = declared?.schema ?? null;
  const properties = schema === null ? {} : propertiesOf(document, schema);
  const noun =
    (template ?? collection ?? '').split('/').findLast((segment) => segment !== '' && !segment.includes('{')) ?? '';
  const key =
    template !== null && parameter === null ? null : keyProperty(document, properties, parameter, noun, keySchema);
  const parentNames = parameter === null ? names : names.slice(0, -1);
  const name = (template === null ? (collection as string) : template).replace(/^\//, '');
  return {
    name,
    template,
    collection,
    list: listed?.operation ?? null,
    envelope: listed?.envelope ?? null,
    read,
    schema,
    key,
    keySchema,
    resource: {
      name,
      platform,
      document,
      parentNames,
      keyNames: [key ?? parameter ?? 'id'],
      collectionTemplate: collection,
      itemTemplate: template,
      placeTemplate: template ?? (collection as string),
      readSchema: schema,
      createSchema: null,
      refs: [],
      unique: [],
      immutable: [],
      scope: 'none',
      singleton: template !== null && parameter === null,
      hasHistory: false,
      isPart: false,
      generatedKey: false,
      staged: false,
      derive: {},
      writable: new Set(),
    },
  };
}

/** `issue_number` names `number`, `team_slug` names `slug`, `petId` names `id`. */
function keyProperty(
  document: OpenApiDocument,
  properties: Record<string, Schema>,
  parameter: string | null,
  noun: string,
  keySchema: Schema | null,
): string | null {
  const byPlain = new Map(Object.keys(properties).map((name) => [plainName(name), name]));
  const words = parameter === null ? [] : parameter.split(/[^A-Za-z0-9]+|(?<=[a-z0-9])(?=[A-Z])/);
  const suffixes = words.map((_, at) => words.slice(at).join(''));
  const singular = noun.replace(/ies$/, 'y').replace(/s$/, '');
  // A path that asks for a name is not answered with a number.
  const spoken = /(name|login)$/i.test(parameter ?? '') ? ['login', 'name', 'slug'] : [];
  for (const wanted of [...suffixes, `${singular}_id`, ...spoken, 'id', 'uuid', 'name', 'key', 'slug', 'number']) {
    const name = byPlain.get(plainName(wanted));
    if (name === undefined) continue;
    const types = typesOf(flat(document, properties[name] as Schema));
    if (!types.some((type) => type === 'string' || type === 'integer' || type === 'number')) continue;
    const asked = keySchema === null ? [] : typesOf(flat(document, keySchema));
    if (asked.includes('integer') && !types.includes('integer') && !types.includes('number')) continue;
    return name;
  }
  return null;
}
