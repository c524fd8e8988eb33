/** What a platform keeps: one entry per resource name, gathered from the operations that create, read and list it. */
import { own } from '../state/json-value.ts';
import { lazy } from '../state/lazy.ts';
import { successOf } from './declared-outcome.ts';
import { keyNamesOf } from './key-names.ts';
import { type OpenApiDocument, plain, type RefTarget, resolve, type Schema, shapeOf } from './openapi-document.ts';
import { namesIn } from './route-template.ts';
import { listProperty, type Operation } from './served-operation.ts';

/** A property that names an object of another resource. `path` steps are property names, `[]` walks an array. */
export interface RefField {
  path: string[];
  target: RefTarget;
  /** Observed, not configured: such a field never keeps its target from being deleted. */
  readOnly: boolean;
}

export interface Resource {
  name: string;
  platform: string;
  document: OpenApiDocument;
  /** Path parameters before the collection: the row belongs to that parent. */
  parentNames: string[];
  /** Properties that together are the key of a row within its parent. */
  readonly keyNames: string[];
  collectionTemplate: string | null;
  itemTemplate: string | null;
  /** Path at which its rows lie, of whatever kind it is. */
  placeTemplate: string;
  /** Full shape of a row as read. */
  readSchema: Schema | null;
  createSchema: Schema | null;
  readonly refs: RefField[];
  /** Fields of which no two rows have the same value. */
  readonly unique: string[];
  /** Lists of fields whose values together no two rows share: each field of `unique`, and those of the rules. */
  readonly uniqueTogether: string[][];
  readonly immutable: string[];
  scope: 'shared' | 'local' | 'none';
  /** There is exactly one, in the tenant or below each parent; its key is empty. */
  singleton: boolean;
  /** Its revisions can be read, so they are noted. */
  hasHistory: boolean;
  /** A small document of an item or a collection: read in full even where nobody has stored it. */
  isPart: boolean;
  /** The platform gives the key. */
  generatedKey: boolean;
  /** Its changes wait in a stage until they are committed. */
  staged: boolean;
  /** What its rows follow from, where they are not stored, as the model says it. */
  derive: Record<string, unknown>;
  /** Names with a write operation: only these are compared on replace. */
  readonly writable: Set<string>;
}

const FULL_ROW = new Set(['get', 'singleton-get']);

export function resourcesOf(operations: Operation[]): Map<string, Resource> {
  const byName = Map.groupBy(
    operations.filter((operation) => operation.resource !== null),
    (operation) => operation.resource as string,
  );
  const resources = new Map<string, Resource>();
  const items = itemsBelow(operations);
  for (const [name, own] of byName) {
    // A further way to an item says nothing new about what is kept.
    const resource = readResource(
      name,
      own.filter((operation) => operation.by === null),
      items,
    );
    if (resource !== null) resources.set(name, resource);
  }
  return resources;
}

function readResource(name: string, operations: Operation[], items: ReadonlyMap<string, string>): Resource | null {
  const { list, get, bulk, create, item, remove, history } = rolesOf(operations);
  const first = list ?? get ?? create ?? item;
  if (first === undefined) return null;
  const document = first.document;

  const singleton = operations.some((operation) => operation.kind.startsWith('singleton'));
  const collection = list ?? (bulk?.template.endsWith('}') === false ? bulk : undefined);
  const collectionTemplate = collection?.template ?? null;
  // What stands last in the path of a singleton names its place: it has no key.
  const itemTemplate = singleton ? null : itemTemplateOf(item, collectionTemplate, items);
  const readSchema = rowSchema(get, list, remove);
  const createSchema = create === undefined ? null : bodySchema(create);
  const parentNames = parentParameters(itemTemplate, collectionTemplate, item ?? first);
  const itemNames = itemTemplate === null ? [] : namesIn(itemTemplate).slice(parentNames.length);
  // Thousands of schemas are walked for these; most are never asked for, and a start should not wait for them.
  const read = lazy(() => (readSchema === null ? {} : shapeOf(document, readSchema).properties));
  const own = lazy(() => (createSchema === null ? {} : shapeOf(document, createSchema).properties));
  const fields = lazy(() => ({ ...read(), ...own() }));
  const keyNames = lazy(() => keyNamesOf(operations, read(), itemNames));
  const refs = lazy(() => refFields(document, fields(), new Set(Object.keys(own()))));
  const unique = lazy(() => flagged(document, fields(), 'x-svc-unique'));
  const uniqueTogether = lazy(() => [...unique().map((name) => [name]), ...togetherIn(document, createSchema)]);
  const immutable = lazy(() => flagged(document, fields(), 'x-svc-immutable'));
  const writable = lazy(() => new Set(Object.keys(own())));
  return {
    name,
    platform: first.platform,
    document,
    parentNames,
    collectionTemplate,
    itemTemplate,
    placeTemplate: itemTemplate ?? collectionTemplate ?? first.template,
    readSchema,
    createSchema,
    get keyNames() {
      return keyNames();
    },
    get refs() {
      return refs();
    },
    get unique() {
      return unique();
    },
    get uniqueTogether() {
      return uniqueTogether();
    },
    get immutable() {
      return immutable();
    },
    get writable() {
      return writable();
    },
    scope: operations.find((operation) => operation.scope !== 'none')?.scope ?? 'none',
    singleton,
    hasHistory: history !== undefined,
    isPart: operations.some((operation) => operation.isPart),
    generatedKey: operations.some((operation) => operation.generatedKey),
    staged: operations.some((operation) => operation.staged),
    derive: Object.assign({}, ...operations.map((operation) => operation.resourceDerive)),
  };
}

/** The operations that say what is kept; `item` is the one whose path names a single row. */
function rolesOf(operations: readonly Operation[]) {
  const of = (...kinds: string[]) => operations.find((operation) => kinds.includes(operation.kind));
  const get = operations.find((operation) => FULL_ROW.has(operation.kind));
  const bulk = of('bulk-create');
  return {
    list: of('list'),
    get,
    bulk,
    create: of('create') ?? of('replace', 'singleton-put') ?? bulk ?? of('set'),
    item: get ?? of('delete', 'patch', 'replace') ?? of('create'),
    remove: of('delete'),
    history: of('history'),
  };
}

function itemTemplateOf(
  item: Operation | undefined,
  collectionTemplate: string | null,
  items: ReadonlyMap<string, string>,
): string | null {
  if (item?.template.endsWith('}') === true) return item.template;
  return collectionTemplate === null ? null : (items.get(collectionTemplate) ?? null);
}

/** By collection, the item of a resource that is never read or deleted on its own, but acted upon, or has documents of its own. */
function itemsBelow(operations: readonly Operation[]): ReadonlyMap<string, string> {
  const items = new Map<string, string>();
  for (const { template } of operations) {
    const segments = template.split('/');
    for (const [at, segment] of segments.entries()) {
      const collection = segments.slice(0, at).join('/');
      if (segment.startsWith('{') && !items.has(collection)) items.set(collection, `${collection}/${segment}`);
    }
  }
  return items;
}

function parentParameters(itemTemplate: string | null, collectionTemplate: string | null, first: Operation): string[] {
  if (collectionTemplate !== null) return namesIn(collectionTemplate);
  if (itemTemplate === null) return namesIn(first.template);
  // No list: the last literal segment starts the item, everything after it is the key.
  const head = itemTemplate.replace(/(\/\{[^}]+\})+$/, '');
  return namesIn(head);
}

/** Where no operation reads one row, a deletion that answers with the row may say more of it than the list does. */
function rowSchema(
  get: Operation | undefined,
  list: Operation | undefined,
  remove: Operation | undefined,
): Schema | null {
  if (get !== undefined) return successOf(get).schema;
  if (list === undefined) return null;
  const listed = itemSchemaOf(list);
  const removed = remove === undefined ? null : successOf(remove).schema;
  if (listed === null || removed === null) return listed;
  const names = (schema: Schema): string[] => Object.keys(shapeOf(list.document, schema).properties);
  const full = new Set(names(removed));
  return full.size > names(listed).length && names(listed).every((name) => full.has(name)) ? removed : listed;
}

const itemSchemas = new WeakMap<Operation, Schema | null>();

/** Schema of one row in a list answer. */
export function itemSchemaOf(list: Operation): Schema | null {
  const known = itemSchemas.get(list);
  if (known !== undefined) return known;
  const read = readItemSchema(list);
  itemSchemas.set(list, read);
  return read;
}

function readItemSchema(list: Operation): Schema | null {
  const answer = successOf(list).schema;
  if (answer === null) return null;
  const property = list.list === null ? listProperty(list.document, answer) : list.list.property;
  if (property === undefined) return null;
  const entries = entriesSchema(list.document, answer, property);
  if (entries === null) return null;
  const each = list.list?.shape === 'map' ? entries.additionalProperties : entries.items;
  return typeof each === 'object' ? each : null;
}

/** Schema of what holds the entries, however deep it lies. */
function entriesSchema(document: OpenApiDocument, answer: Schema, property: string | null): Schema | null {
  if (property === null) return resolve(document, answer);
  let at: Schema = answer;
  for (const name of property.split('.')) {
    const next = shapeOf(document, at).properties[name];
    if (next === undefined) return null;
    at = plain(document, next);
  }
  return at;
}

/** Properties that make the key of a row, as an answer shows it; none for a resource that is not kept. */
export function itemNames(resource: Resource | undefined): readonly string[] {
  return resource === undefined || resource.singleton ? [] : resource.keyNames;
}

export function bodySchema(operation: Operation): Schema | null {
  const schema = operation.body?.content['application/json']?.schema ?? null;
  if (schema === null) return null;
  const at = plain(operation.document, schema);
  return at.type === 'array' ? (at.items ?? null) : schema;
}

function flagged(document: OpenApiDocument, fields: Record<string, Schema>, keyword: string): string[] {
  return Object.keys(fields).filter((name) => plain(document, fields[name] as Schema)[keyword] === true);
}

function togetherIn(document: OpenApiDocument, createSchema: Schema | null): string[][] {
  const rules = createSchema === null ? [] : shapeOf(document, createSchema).rules;
  return rules.flatMap((rule) => {
    const { unique } = rule as { unique?: string[] };
    return unique === undefined ? [] : [unique];
  });
}

/** What a row has in fields whose values together no two rows share; null where one of them is not set. */
export function sharedByNone(names: readonly string[], value: Readonly<Record<string, unknown>>): string | null {
  const values = names.map((name) => value[name] ?? null);
  return values.some((each) => each === null || typeof each === 'object') ? null : JSON.stringify(values);
}

function refFields(
  document: OpenApiDocument,
  fields: Record<string, Schema>,
  writable: ReadonlySet<string>,
): RefField[] {
  const found: RefField[] = [];
  const walk = (schema: Schema, path: string[], depth: number, observed: boolean): void => {
    if (depth > 6) return;
    const at = plain(document, schema);
    const readOnly = observed || at.readOnly === true;
    if (at['x-svc-ref'] !== undefined) found.push({ path, target: at['x-svc-ref'], readOnly });
    if (at.items !== undefined) walk(at.items, [...path, '[]'], depth + 1, readOnly);
    for (const part of [at, ...(at.oneOf ?? []), ...(at.anyOf ?? [])]) {
      const inner = shapeOf(document, part);
      for (const [name, property] of Object.entries(inner.properties))
        walk(property, [...path, name], depth + 1, readOnly);
    }
  };
  for (const [name, schema] of Object.entries(fields)) walk(schema, [name], 0, !writable.has(name));
  return dedupe(found);
}

function dedupe(fields: RefField[]): RefField[] {
  const seen = new Map<string, RefField>();
  for (const field of fields) seen.set(`${field.path.join('/')} ${field.target.resource}`, field);
  return [...seen.values()];
}

/** Every value in an object that a reference field points with. */
export function valuesAt(value: unknown, path: string[]): unknown[] {
  let found: unknown[] = [value];
  for (const step of path) {
    const next: unknown[] = [];
    for (const at of found) addBelow(at, step, next);
    found = next;
  }
  return found;
}

function addBelow(at: unknown, step: string, found: unknown[]): void {
  if (at === null || typeof at !== 'object') return;
  if (step === '[]') {
    if (Array.isArray(at)) found.push(...at);
    return;
  }
  const inner = own(at as Record<string, unknown>, step);
  if (inner !== undefined) found.push(inner);
}
