/**
 * What an API keeps, found by looking: lists that answer with rows, and single objects that can be read by a key. Only what
 * the fake really answered is a resource, so every value that a scenario expects has been seen.
 */
import { type ApiDocument, type ApiOperation, isObject, type Json } from './api-document.ts';
import type { Probe } from './api-probe.ts';
import { requiredValues, simplestOf } from './drawn-parameters.ts';
import { keyField, nounsOf, wordsOf } from './field-names.ts';
import { collectionOf, isItemPath, lastParameter, withoutEnding } from './item-path.ts';

export interface Listed {
  operation: ApiOperation;
  /** Values of the parameters that it cannot do without. */
  path: Json;
  query: Json;
  rows: Json[];
  /** False where there are more rows than a call without a page size shows. */
  isWhole: boolean;
}

export interface ApiObject {
  /** Values of all parameters of its path. */
  path: Json;
  /** Value of the last one, which names it. */
  key: string | number;
  json: Json;
}

export interface ApiResource {
  /** `pet`, `pets`. */
  noun: string;
  nouns: string;
  list?: Listed;
  item?: { operation: ApiOperation; parameter: string; objects: ApiObject[] };
  /** Operations on the path of one object, by method. */
  writes: ReadonlyMap<string, ApiOperation>;
  /** `POST` on the path of the list. */
  create?: ApiOperation;
}

/** Objects of one resource that drafts are made of. */
const OBJECTS = 3;
/** Lists and objects that are looked at; a document may have thousands. */
const MOST_LOOKS = 40;

export interface FoundResources {
  resources: ApiResource[];
  /** Reads beyond those that are looked at. */
  unseen: ApiOperation[];
}

export async function findResources(
  document: ApiDocument,
  probe: Probe,
  hasTool: (key: string) => boolean,
): Promise<FoundResources> {
  const byPath = Map.groupBy(document.operations, ({ path }) => withoutEnding(path));
  const reads = document.operations
    .filter(({ method }) => method === 'GET')
    .sort(byDepth)
    .sort((a, b) => Number(hasTool(`${b.method} ${b.path}`)) - Number(hasTool(`${a.method} ${a.path}`)));
  const collections = reads.filter(({ path }) => !isItemPath(path));
  const lists = await listsOf(collections.slice(0, MOST_LOOKS), probe);
  const isListed = ({ path }: ApiOperation) => lists.has(collectionOf(path));
  const items = reads.filter(({ path }) => isItemPath(path)).sort((a, b) => Number(isListed(b)) - Number(isListed(a)));
  const found: ApiResource[] = [];
  const withItem = new Set<string>();
  for (const operation of items.slice(0, MOST_LOOKS)) {
    const collection = collectionOf(operation.path);
    const list = lists.get(collection);
    const objects = await objectsOf(operation, list, lists, probe);
    if (objects.length === 0) continue;
    if (list !== undefined) withItem.add(collection);
    found.push({
      ...nounsOf(operation.path),
      ...(list === undefined ? {} : { list }),
      item: { operation, parameter: lastParameter(operation.path), objects },
      writes: new Map((byPath.get(withoutEnding(operation.path)) ?? []).map((one) => [one.method, one])),
      ...createOf(byPath.get(collection)),
    });
  }
  for (const [path, list] of lists) {
    if (withItem.has(path)) continue;
    found.push({ ...nounsOf(path), list, writes: new Map(), ...createOf(byPath.get(path)) });
  }
  return {
    resources: found.sort((a, b) => (pathOf(a) < pathOf(b) ? -1 : 1)),
    unseen: [...collections.slice(MOST_LOOKS), ...items.slice(MOST_LOOKS)],
  };
}

const byDepth = (a: ApiOperation, b: ApiOperation): number =>
  a.path.split('/').length - b.path.split('/').length || (a.path < b.path ? -1 : 1);

const createOf = (siblings: readonly ApiOperation[] = []): Pick<ApiResource, 'create'> => {
  const create = siblings.find(({ method, body }) => method === 'POST' && body !== undefined);
  return create === undefined ? {} : { create };
};

/** Path of the list, else of one object: what tells resources apart. */
export const pathOf = ({ list, item }: ApiResource): string => (list ?? item)?.operation.path ?? '';

/** By their path without its ending. */
type Lists = ReadonlyMap<string, Listed>;

async function listsOf(operations: readonly ApiOperation[], probe: Probe): Promise<Lists> {
  const lists = new Map<string, Listed>();
  for (const operation of operations) {
    const query = requiredValues(operation, 'query', 0);
    const path = pathValues(operation, lists, 0);
    const header = requiredValues(operation, 'header', 0);
    if (query === undefined || path === undefined || header === undefined || Object.keys(header).length > 0) continue;
    const { status, json } = await probe.call(operation, { path, query });
    const rows = status === 200 && !looksFailed(json) ? rowsIn(json) : undefined;
    if (rows === undefined || rows.length < 2 || !rows.every(isObject)) continue;
    const isWhole = await showsAll(operation, { path, query }, rows.length, probe);
    lists.set(withoutEnding(operation.path), { operation, path, query, rows: rows as Json[], isWhole });
  }
  return lists;
}

const SIZE_NAMES = ['limit', 'perpage', 'pagesize', 'size', 'pagelimit', 'maxresults', 'top'];
/** More rows than a fake draws. */
const MANY = 50;

/** The parameter by which a list is asked for so many rows. */
export const sizeParameter = ({ parameters }: ApiOperation) =>
  parameters.find((one) => one.in === 'query' && SIZE_NAMES.includes(wordsOf(one.name).join('')));

/** Whether a page of more rows than were shown has no more of them. */
async function showsAll(
  operation: ApiOperation,
  { path, query }: Pick<Listed, 'path' | 'query'>,
  shown: number,
  probe: Probe,
): Promise<boolean> {
  const size = sizeParameter(operation);
  if (size === undefined) return true;
  const { maximum } = size.schema as { maximum?: unknown };
  const most = typeof maximum === 'number' ? Math.min(maximum, MANY) : MANY;
  // No page can show whether there are more.
  if (most <= shown) return false;
  const { status, json } = await probe.call(operation, { path, query: { ...query, [size.name]: most } });
  return status !== 200 || (rowsIn(json)?.length ?? shown) <= shown;
}

/** Parents come from the lists they stand in, where there are any; else they are drawn. `at` picks the object at the end. */
function pathValues(operation: ApiOperation, lists: Lists, at: number): Json | undefined {
  const values: Json = {};
  const plain = withoutEnding(operation.path);
  const segments = plain.split('/');
  for (const [i, segment] of segments.entries()) {
    const name = /^\{([^}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) continue;
    const place = i === segments.length - 1 ? at : 0;
    const list = lists.get(segments.slice(0, i).join('/'));
    const field = list === undefined ? undefined : keyField(list.rows, name);
    const schema = operation.parameters.find((one) => one.in === 'path' && one.name === name)?.schema ?? {};
    const key = field === undefined ? undefined : list?.rows[place % list.rows.length]?.[field];
    values[name] = key ?? simplestOf(schema, place);
    if (values[name] === undefined || !isPlain(String(values[name]))) return undefined;
  }
  return /\{[^}]*\}[^/]|[^/]\{/.test(plain) ? undefined : values;
}

/** Objects that a read answers with: those of the list they stand in, else some with a drawn key. */
async function objectsOf(
  operation: ApiOperation,
  list: Listed | undefined,
  lists: Lists,
  probe: Probe,
): Promise<ApiObject[]> {
  if (operation.parameters.some((one) => one.required && one.in !== 'path')) return [];
  const objects: ApiObject[] = [];
  for (let at = 0; at < OBJECTS; at++) {
    const place = keyedObject(operation, list, lists, at);
    if (place === undefined || objects.some(({ key }) => key === place.key)) continue;
    const { status, json } = await probe.call(operation, { path: place.path });
    if (status === 200 && isObject(json) && !looksFailed(json)) objects.push({ ...place, json });
  }
  return objects;
}

/** Where the object number `at` stands; undefined where no value is surely valid. */
function keyedObject(
  operation: ApiOperation,
  list: Listed | undefined,
  lists: Lists,
  at: number,
): Omit<ApiObject, 'json'> | undefined {
  const drawn = pathValues(operation, lists, at);
  if (drawn === undefined) return undefined;
  const parameter = lastParameter(operation.path);
  const field = list === undefined ? undefined : keyField(list.rows, parameter);
  const key = field === undefined ? drawn[parameter] : list?.rows[at]?.[field];
  if ((typeof key !== 'string' && typeof key !== 'number') || !isPlain(String(key))) return undefined;
  return { path: { ...drawn, ...list?.path, [parameter]: key }, key };
}

/** An answer whose envelope is called `errors` reads as a failure, to agents and to people. */
const looksFailed = (json: unknown): boolean => isObject(json) && ('error' in json || 'errors' in json);

/** A value that can be quoted in an intent, and is one segment of a path. */
const isPlain = (text: string): boolean => /^[\w.:@-]{1,80}$/.test(text);

/** The rows of a list answer: the array itself, or the only array of its envelope. */
export function rowsIn(json: unknown): unknown[] | undefined {
  if (Array.isArray(json)) return json;
  if (!isObject(json)) return undefined;
  if ('items' in json) return Array.isArray(json['items']) ? json['items'] : undefined;
  const arrays = Object.values(json).filter((value) => Array.isArray(value));
  if (arrays.length === 1) return arrays[0];
  const inner = Object.values(json).filter(isObject);
  return arrays.length === 0 && inner.length === 1 ? rowsIn(inner[0]) : undefined;
}
