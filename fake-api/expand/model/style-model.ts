/** A style of `platform.yaml`: how paths, bodies, lists and their paging look, whatever the resource. */
import type { Spot } from './model-file.ts';

export const spellings = ['kebab', 'camel', 'snake'] as const;
export const pagings = ['offset', 'cursor', 'page', 'none'] as const;
export const filterGrammars = ['odata-and', 'odata', 'json', 'parameters', 'wildcard'] as const;
export const sortGrammars = ['words', 'signed'] as const;
export const listShapes = ['page', 'map'] as const;
/** What a property or header beside the entries of a list can tell. */
export const listMeanings = ['count', 'total', 'offset', 'next', 'limit', 'page', 'start', 'end'] as const;
export type ListMeaning = (typeof listMeanings)[number];
export const pagingRoles = ['limit', 'offset', 'page', 'cursor'] as const;
export type PagingRole = (typeof pagingRoles)[number];

export interface ListStyle {
  /** Path of the array: a name or dotted names with `{singular}`, `{plural}` or `{segment}`; null for a bare array. */
  readonly property: string | null;
  readonly shape: (typeof listShapes)[number];
  readonly paging: (typeof pagings)[number];
  /** Names of the paging parameters. */
  readonly parameters: Readonly<Record<PagingRole, string>>;
  /** Number of the first entry (offset) or page. */
  readonly first: number;
  readonly default: number;
  readonly max: number;
  /** Property beside the array → what it tells. */
  readonly extras: ReadonlyMap<string, ListMeaning>;
  /** Query parameter that has to be true for the extras to be told; null where they always are. */
  readonly onRequest: string | null;
  /** Response header → what it tells. */
  readonly headers: ReadonlyMap<string, ListMeaning>;
  /** Property that holds self, first, prev and next as links. */
  readonly links: string | null;
  readonly filter: (typeof filterGrammars)[number];
  readonly sort: (typeof sortGrammars)[number];
}

export interface Style {
  readonly name: string;
  readonly spelling: (typeof spellings)[number];
  readonly create: { readonly at: 'item' | 'collection'; readonly status: number; readonly location: boolean };
  readonly replace: { readonly status: number; readonly upsert: boolean };
  readonly patch: { readonly media: string; readonly ifMatch: boolean };
  readonly delete: { readonly status: number; readonly body: 'object' | 'none' | 'task' };
  /** One POST that adds, changes or deletes, as the value of `field` says; null where the platform has none. */
  readonly set: SetStyle | null;
  readonly keyInBody: boolean;
  readonly list: ListStyle;
  readonly search: { readonly method: 'get' | 'post'; readonly list: ListStyle };
  readonly count: { readonly parameter: string | null; readonly property: string };
  readonly queries: readonly string[];
  readonly meta: string | null;
  readonly trendPath: string;
  readonly topPath: string;
  readonly alsoByPath: string;
}

export interface SetStyle {
  readonly field: string;
  readonly add: string;
  readonly modify: string;
  readonly delete: string;
  readonly status: number;
}

const styleKeys = [
  'case',
  'create',
  'replace',
  'patch',
  'delete',
  'set',
  'key-in-body',
  'list',
  'search',
  'count',
  'queries',
  'meta',
  'trend-path',
  'top-path',
  'also-by-path',
] as const;

export function readStyle(name: string, spot: Spot): Style {
  const at = spot.mapping(styleKeys);
  const list = readListStyle(at.get('list'), defaultList);
  return {
    name,
    spelling: at.get('case')?.oneOf(spellings) ?? 'kebab',
    create: readCreate(at.get('create')),
    replace: readReplace(at.get('replace')),
    patch: readPatch(at.get('patch')),
    delete: readDelete(at.get('delete')),
    set: readSet(at.get('set')),
    keyInBody: at.get('key-in-body')?.flag() ?? false,
    list,
    search: readSearch(at.get('search'), list),
    count: readCount(at.get('count')),
    queries: at.get('queries')?.texts() ?? [],
    meta: at.get('meta')?.text() ?? null,
    trendPath: at.get('trend-path')?.text() ?? '{item}/{name}-trends',
    topPath: at.get('top-path')?.text() ?? '{collection}/top-by-{name}',
    alsoByPath: at.get('also-by-path')?.text() ?? '{collection}/{field}/{value}',
  };
}

function readCreate(spot: Spot | undefined): Style['create'] {
  const at = spot?.mapping(['at', 'status', 'location']);
  return {
    at: at?.get('at')?.oneOf(['item', 'collection'] as const) ?? 'collection',
    status: at?.get('status')?.whole() ?? 201,
    location: at?.get('location')?.flag() ?? false,
  };
}

function readReplace(spot: Spot | undefined): Style['replace'] {
  const at = spot?.mapping(['status', 'upsert']);
  return { status: at?.get('status')?.whole() ?? 200, upsert: at?.get('upsert')?.flag() ?? false };
}

function readPatch(spot: Spot | undefined): Style['patch'] {
  const at = spot?.mapping(['media', 'if-match']);
  return { media: at?.get('media')?.text() ?? 'application/json', ifMatch: at?.get('if-match')?.flag() ?? false };
}

function readDelete(spot: Spot | undefined): Style['delete'] {
  const at = spot?.mapping(['status', 'body']);
  const body = at?.get('body')?.oneOf(['object', 'none', 'task'] as const) ?? 'none';
  return { status: at?.get('status')?.whole() ?? (body === 'task' ? 202 : 204), body };
}

function readSearch(spot: Spot | undefined, list: ListStyle): Style['search'] {
  const at = spot?.mapping(['method', 'list']);
  return {
    method: at?.get('method')?.oneOf(['get', 'post'] as const) ?? 'post',
    list: readListStyle(at?.get('list'), list),
  };
}

function readCount(spot: Spot | undefined): Style['count'] {
  const at = spot?.mapping(['parameter', 'property']);
  return { parameter: at?.get('parameter')?.text() ?? null, property: at?.get('property')?.text() ?? 'groups' };
}

function readSet(spot: Spot | undefined): SetStyle | null {
  if (!spot) return null;
  const at = spot.mapping(['field', 'add', 'modify', 'delete', 'status']);
  return {
    field: (at.get('field') ?? spot.fail('the key field', 'none')).text(),
    add: at.get('add')?.text() ?? 'add',
    modify: at.get('modify')?.text() ?? 'modify',
    delete: at.get('delete')?.text() ?? 'delete',
    status: at.get('status')?.whole() ?? 200,
  };
}

const usualNames: Readonly<Record<PagingRole, string>> = {
  limit: 'limit',
  offset: 'offset',
  page: 'page',
  cursor: 'next',
};

const defaultList: ListStyle = {
  property: 'items',
  shape: 'page',
  paging: 'offset',
  parameters: usualNames,
  first: 0,
  default: 100,
  max: 1000,
  extras: new Map(),
  onRequest: null,
  headers: new Map(),
  links: null,
  filter: 'parameters',
  sort: 'words',
};

const listKeys = [
  'property',
  'shape',
  'paging',
  'parameters',
  'first',
  'default',
  'max',
  'extras',
  'on-request',
  'headers',
  'links',
  'filter',
  'sort',
] as const;

/** `otherwise` fills what is left out; a search that has a list style of its own starts from a plain one. */
function readListStyle(spot: Spot | undefined, otherwise: ListStyle): ListStyle {
  if (!spot) return otherwise;
  const at = spot.mapping(listKeys);
  const paging = at.get('paging')?.oneOf(pagings) ?? 'offset';
  const style: ListStyle = {
    property: readProperty(at.get('property')),
    shape: at.get('shape')?.oneOf(listShapes) ?? 'page',
    paging,
    parameters: readPagingNames(at.get('parameters')),
    first: at.get('first')?.whole() ?? (paging === 'page' ? 1 : 0),
    default: at.get('default')?.whole() ?? otherwise.default,
    max: at.get('max')?.whole() ?? otherwise.max,
    extras: readMeanings(at.get('extras')),
    onRequest: at.get('on-request')?.text() ?? null,
    headers: readMeanings(at.get('headers')),
    links: at.get('links')?.text() ?? null,
    filter: at.get('filter')?.oneOf(filterGrammars) ?? otherwise.filter,
    sort: at.get('sort')?.oneOf(sortGrammars) ?? otherwise.sort,
  };
  if (hasNoRoomForExtras(style))
    (at.get('extras') ?? spot).fail('headers rather than extras or links beside a bare array');
  if (style.first !== 0 && style.first !== 1) at.get('first')?.fail('first: 0 or 1');
  return style;
}

/** An array alone has no room for a property beside it. */
function hasNoRoomForExtras({ property, shape, extras, links }: ListStyle): boolean {
  return property === null && shape === 'page' && (extras.size > 0 || links !== null);
}

function readProperty(spot: Spot | undefined): string | null {
  if (spot === undefined) return defaultList.property;
  return spot.value === null ? null : spot.text();
}

function readPagingNames(spot: Spot | undefined): Record<PagingRole, string> {
  const names = spot?.mapping(pagingRoles);
  return Object.fromEntries(pagingRoles.map((role) => [role, names?.get(role)?.text() ?? usualNames[role]])) as Record<
    PagingRole,
    string
  >;
}

/** A list of meanings that are names themselves, or a mapping from name to meaning. */
function readMeanings(spot: Spot | undefined): Map<string, ListMeaning> {
  if (!spot) return new Map();
  if (Array.isArray(spot.value))
    return new Map(spot.list().map((item) => [item.oneOf(listMeanings), item.oneOf(listMeanings)]));
  return new Map([...spot.mapping()].map(([name, meaning]) => [name, meaning.oneOf(listMeanings)]));
}
