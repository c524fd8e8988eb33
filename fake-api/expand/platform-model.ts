/** What `platform.yaml` fixes once for all documents of a platform: styles, query groups, errors, limits, tasks. */

import { type Definitions, definitionKeys, readDefinitions, readFields } from './definitions.ts';
import type { Field } from './field-line.ts';
import type { Spot } from './model-file.ts';

export const operationKinds = [
  'list',
  'get',
  'create',
  'replace',
  'patch',
  'delete',
  'status',
  'stats',
  'trend',
  'top',
  'search',
  'count',
  'action',
  'diagnostic',
  'async-result',
  'bulk-create',
  'bulk-delete',
  'export',
  'singleton-get',
  'singleton-put',
  'token',
] as const;
export type OperationKind = (typeof operationKinds)[number];

export const spellings = ['kebab', 'camel', 'snake'] as const;
export const pagings = ['offset', 'cursor', 'page', 'none'] as const;
export const filterGrammars = ['odata-and', 'parameters'] as const;

export interface ListStyle {
  /** Name of the array property: a literal, `{singular}` or `{plural}` of the resource, or null for a bare array. */
  readonly property: string | null;
  readonly paging: (typeof pagings)[number];
  readonly default: number;
  readonly max: number;
  readonly extras: readonly string[];
  readonly filter: (typeof filterGrammars)[number];
}

export interface Style {
  readonly name: string;
  readonly spelling: (typeof spellings)[number];
  readonly create: { readonly at: 'item' | 'collection'; readonly status: number };
  readonly replace: { readonly status: number; readonly upsert: boolean };
  readonly patch: { readonly media: string };
  readonly delete: { readonly status: number; readonly body: 'object' | 'none' };
  readonly keyInBody: boolean;
  readonly list: ListStyle;
  readonly queries: readonly string[];
  readonly meta: string | null;
  readonly trendPath: string;
  readonly topPath: string;
}

export interface QueryGroup {
  readonly name: string;
  readonly on: readonly OperationKind[];
  readonly scopes: readonly string[] | null;
  readonly fields: readonly Field[];
}

export interface PlatformModel {
  readonly id: string;
  readonly title: string;
  readonly phrase: string;
  readonly version: string;
  readonly description: string;
  readonly gate: string | null;
  readonly auth: { readonly kind: string; readonly token: string; readonly lifetime: number };
  readonly styles: ReadonlyMap<string, Style>;
  readonly queries: ReadonlyMap<string, QueryGroup>;
  readonly errors: { schema: string; always: number[]; item: number[]; write: number[] };
  readonly rateLimit: { headers: ReadonlyMap<string, string>; limit: number; per: string };
  readonly async: {
    started: string;
    polled: string;
    param: Field;
    states: string[];
    terminal: string[];
    field: string;
  };
  readonly definitions: Definitions;
  readonly include: readonly string[];
}

export const taskParameter = 'task-id';

export function readPlatformModel(root: Spot): PlatformModel {
  const at = root.mapping([
    'platform',
    'title',
    'phrase',
    'version',
    'description',
    'gate',
    'auth',
    'include',
    'styles',
    'queries',
    'errors',
    'rate-limit',
    'async',
    ...definitionKeys,
  ]);
  const need = (key: string): Spot => at.get(key) ?? root.fail(`the key ${key}`, 'none');
  const auth = need('auth').mapping(['kind', 'token', 'lifetime']);
  const errors = need('errors').mapping(['schema', 'always', 'item', 'write']);
  const codes = (key: string): number[] =>
    errors
      .get(key)
      ?.list()
      .map((item) => item.whole()) ?? [];
  const rate = need('rate-limit').mapping(['headers', 'limit', 'per']);
  const tasks = need('async').mapping(['started', 'polled', 'parameter', 'states', 'terminal', 'field']);
  const part = (entries: Map<string, Spot>, key: string, owner: Spot): Spot =>
    entries.get(key) ?? owner.fail(`the key ${key}`, 'none');
  const taskFields = readFields(part(tasks, 'parameter', need('async')));
  return {
    id: need('platform').text(),
    title: need('title').text(),
    phrase: need('phrase').text(),
    version: need('version').text(),
    description: need('description').text(),
    gate: at.get('gate')?.text() ?? null,
    auth: {
      kind: part(auth, 'kind', need('auth')).oneOf(['oauth2-client-credentials']),
      token: part(auth, 'token', need('auth')).text(),
      lifetime: part(auth, 'lifetime', need('auth')).whole(),
    },
    styles: new Map([...need('styles').mapping()].map(([name, spot]) => [name, readStyle(name, spot)])),
    queries: new Map(
      [...(at.get('queries')?.mapping() ?? [])].map(([name, spot]) => [name, readQueryGroup(name, spot)]),
    ),
    errors: {
      schema: part(errors, 'schema', need('errors')).text(),
      always: codes('always'),
      item: codes('item'),
      write: codes('write'),
    },
    rateLimit: {
      headers: new Map(
        [...part(rate, 'headers', need('rate-limit')).mapping()].map(([name, spot]) => [name, spot.text()]),
      ),
      limit: part(rate, 'limit', need('rate-limit')).whole(),
      per: part(rate, 'per', need('rate-limit')).oneOf(['second', 'minute', 'hour', 'day']),
    },
    async: {
      started: part(tasks, 'started', need('async')).text(),
      polled: part(tasks, 'polled', need('async')).text(),
      param: taskFields[0] ?? need('async').fail('one field line under parameter'),
      states: part(tasks, 'states', need('async')).texts(),
      terminal: part(tasks, 'terminal', need('async')).texts(),
      field: part(tasks, 'field', need('async')).text(),
    },
    definitions: readDefinitions(at),
    include: at.get('include')?.texts() ?? [],
  };
}

function readStyle(name: string, spot: Spot): Style {
  const at = spot.mapping([
    'case',
    'create',
    'replace',
    'patch',
    'delete',
    'key-in-body',
    'list',
    'queries',
    'meta',
    'trend-path',
    'top-path',
  ]);
  const create = at.get('create')?.mapping(['at', 'status']);
  const replace = at.get('replace')?.mapping(['status', 'upsert']);
  const remove = at.get('delete')?.mapping(['status', 'body']);
  const list = at.get('list')?.mapping(['property', 'paging', 'default', 'max', 'extras', 'filter']);
  const property = list?.get('property');
  return {
    name,
    spelling: at.get('case')?.oneOf(spellings) ?? 'kebab',
    create: {
      at: create?.get('at')?.oneOf(['item', 'collection'] as const) ?? 'collection',
      status: create?.get('status')?.whole() ?? 201,
    },
    replace: { status: replace?.get('status')?.whole() ?? 200, upsert: replace?.get('upsert')?.flag() ?? false },
    patch: { media: at.get('patch')?.mapping(['media']).get('media')?.text() ?? 'application/json' },
    delete: {
      status: remove?.get('status')?.whole() ?? 204,
      body: remove?.get('body')?.oneOf(['object', 'none'] as const) ?? 'none',
    },
    keyInBody: at.get('key-in-body')?.flag() ?? false,
    list: {
      property: property === undefined ? 'items' : property.value === null ? null : property.text(),
      paging: list?.get('paging')?.oneOf(pagings) ?? 'offset',
      default: list?.get('default')?.whole() ?? 100,
      max: list?.get('max')?.whole() ?? 1000,
      extras:
        list
          ?.get('extras')
          ?.list()
          .map((item) => item.oneOf(['count', 'total', 'offset', 'next'] as const)) ?? [],
      filter: list?.get('filter')?.oneOf(filterGrammars) ?? 'parameters',
    },
    queries: at.get('queries')?.texts() ?? [],
    meta: at.get('meta')?.text() ?? null,
    trendPath: at.get('trend-path')?.text() ?? '{item}/{name}-trends',
    topPath: at.get('top-path')?.text() ?? '{collection}/top-by-{name}',
  };
}

function readQueryGroup(name: string, spot: Spot): QueryGroup {
  const at = spot.mapping(['on', 'scopes', 'fields']);
  return {
    name,
    on: (at.get('on') ?? spot.fail('the key on', 'none')).list().map((item) => item.oneOf(operationKinds)),
    scopes: at.get('scopes')?.texts() ?? null,
    fields: readFields(at.get('fields') ?? spot.fail('the key fields', 'none')),
  };
}
