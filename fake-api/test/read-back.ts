/** What another operation than the one that wrote says of an object: the read of one item, else the list it stands in. */
import { successOf } from '../engine/openapi/declared-outcome.ts';
import { plain, type Schema, shapeOf } from '../engine/openapi/openapi-document.ts';
import { filled, namesIn } from '../engine/openapi/route-template.ts';
import type { Operation } from '../engine/openapi/served-operation.ts';
import type { Platform } from '../engine/openapi/served-platform.ts';
import { bodySchema, itemSchemaOf, type Resource } from '../engine/openapi/stored-resource.ts';
import { isObject } from '../engine/state/json-value.ts';
import type { Answered, PlatformClient } from './platform-client.ts';
import { type Entry, wholeList } from './whole-list.ts';

export interface Identity {
  resource: Resource;
  /** Values of the path before the object. */
  parents: string[];
  keys: string[];
}

export interface ReadBack {
  /** Null when it is not there. */
  value: Entry | null;
  /** Operation that says so; null where the platform offers none. */
  by: Operation | null;
  answer: Answered | null;
}

export type View = 'edited' | 'committed';

/** Query pairs of the write that the reading operation knows too, such as the scope. */
function sharedPairs(operation: Operation, query: string): string[] {
  const known = new Set(operation.parameters.filter((entry) => entry.in === 'query').map((entry) => entry.name));
  return query.split('&').filter((pair) => known.has(decodeURIComponent(pair.split('=')[0] ?? '')));
}

/** Parts of the key that a list asks for, such as the scope of an assignment. */
function requiredPairs(operation: Operation, { resource, keys }: Identity): string[] {
  return operation.parameters.flatMap(({ in: place, name, required }) => {
    const key = keys[resource.keyNames.indexOf(name)];
    if (place !== 'query' || required !== true || key === undefined) return [];
    return [`${encodeURIComponent(name)}=${encodeURIComponent(key)}`];
  });
}

export function readBack(client: PlatformClient, identity: Identity, view: View = 'edited', query = ''): ReadBack {
  const reader = readerOf(client.platform, identity.resource);
  if (reader === null) return { value: null, by: null, answer: null };
  const { parents, keys, resource } = identity;
  const pairs = [...sharedPairs(reader, query), ...requiredPairs(reader, identity)];
  const seen = reader.stage?.view;
  if (view === 'committed' && seen != null) pairs.push(`${seen.parameter}=${seen.committed}`);
  const path = filled(reader.template, reader.kind === 'list' ? parents : [...parents, ...keys]);
  if (reader.kind === 'list') {
    const { entries, refused } = wholeList(client, reader, { path, query: pairs.join('&') });
    const own = (entry: Entry) => resource.keyNames.every((name, at) => String(entry[name]) === keys[at]);
    return { value: entries.find(own) ?? null, by: reader, answer: refused };
  }
  const answer = client.send({ method: 'GET', path, query: pairs.join('&') });
  return { value: answer.status < 300 && isObject(answer.json) ? answer.json : null, by: reader, answer };
}

function readerOf(platform: Platform, resource: Resource): Operation | null {
  const own = platform.operations.filter((entry) => entry.resource === resource.name && entry.by === null);
  const reads = ['get', 'singleton-get', 'list'].map((kind) => own.find((operation) => operation.kind === kind));
  return reads.find((operation) => operation !== undefined) ?? null;
}

/** Values of the path of a call, by the template of its operation. */
export function pathValues(template: string, path: string): string[] {
  const segments = template.split('/');
  return path
    .split('/')
    .filter((_, at) => segments[at]?.startsWith('{'))
    .map(decodeURIComponent);
}

/** Which object a call made or is about: by its path, by the answer's location or body, by what was sent. */
export function identityOf(
  platform: Platform,
  operation: Operation,
  call: { path: string; body: unknown },
  answer: Answered | null,
): Identity | null {
  const resource = platform.resources.get(operation.resource ?? '');
  if (resource === undefined) return null;
  const inPath = pathValues(operation.template, call.path);
  const parents = inPath.slice(0, resource.parentNames.length);
  if (resource.singleton) return { resource, parents: inPath, keys: [] };
  const { keyNames } = resource;
  const atItem = namesIn(operation.template).length === parents.length + keyNames.length;
  if (atItem && operation.by === null) return { resource, parents, keys: inPath.slice(parents.length) };
  const location = answer?.headers['location'];
  if (location !== undefined && resource.itemTemplate !== null && operation.async === null) {
    const values = pathValues(resource.itemTemplate, location);
    return { resource, parents: values.slice(0, parents.length), keys: values.slice(parents.length) };
  }
  for (const source of [answer?.json, call.body].map((entry) => (Array.isArray(entry) ? entry[0] : entry))) {
    if (!isObject(source) || !keyNames.every((name) => source[name] !== undefined)) continue;
    return { resource, parents, keys: keyNames.map((name) => String(source[name])) };
  }
  return null;
}

/** Null when every field that was sent, and that a reader is shown, reads as it was sent. */
export function unshown(operation: Operation, reader: Operation, sent: unknown, read: Entry): string | null {
  const schema = operation.kind === 'patch' ? patchSchema(operation) : bodySchema(operation);
  const secret = (name: string): boolean => {
    const property = schema === null ? undefined : shapeOf(operation.document, schema).properties[name];
    return property !== undefined && plain(operation.document, property).writeOnly === true;
  };
  const shown = shownNames(reader);
  if (!isObject(sent)) return null;
  for (const [name, value] of Object.entries(sent)) {
    if (secret(name) || !(shown === null || shown.has(name))) continue;
    if (!within(value, read[name])) return `${name}: sent ${JSON.stringify(value)}, read ${JSON.stringify(read[name])}`;
  }
  return null;
}

function patchSchema(operation: Operation): Schema | null {
  return Object.values(operation.body?.content ?? {})[0]?.schema ?? null;
}

/** Names that the reading operation declares; null where any may stand. */
function shownNames(reader: Operation): Set<string> | null {
  const schema = reader.kind === 'list' ? itemSchemaOf(reader) : successOf(reader).schema;
  if (schema === null) return null;
  const shape = shapeOf(reader.document, schema);
  return shape.open ? null : new Set(Object.keys(shape.properties));
}

/** What was sent stands in what is read; defaults may have been added and secrets are not shown. */
function within(sent: unknown, read: unknown): boolean {
  if (isObject(sent) && isObject(read))
    return Object.entries(sent).every(([name, value]) => !(name in read) || within(value, read[name]));
  if (Array.isArray(sent) && Array.isArray(read))
    return sent.length === read.length && sent.every((entry, at) => within(entry, read[at]));
  return JSON.stringify(sent) === JSON.stringify(read);
}
