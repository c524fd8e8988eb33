/** The kind of operation of a tool, and how well a kind fits a question. */
import { isItemPath } from '../catalog/item-path.ts';
import { snake } from '../catalog/name.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { WEIGHTS } from './weights.ts';

export const VERBS = [
  'list',
  'get',
  'count',
  'search',
  'status',
  'trend',
  'top',
  'create',
  'replace',
  'update',
  'delete',
  'action',
  'start',
  'result',
  'references',
  'history',
] as const;
export type Verb = (typeof VERBS)[number];

/** Kinds that documents state (`x-svc-kind`), as verbs. A document may state `constructor`, so no word is looked up in an object. */
const BY_KIND: ReadonlyMap<string, Verb> = new Map(
  Object.entries({
    list: 'list',
    get: 'get',
    'singleton-get': 'get',
    export: 'get',
    references: 'references',
    history: 'history',
    count: 'count',
    search: 'search',
    status: 'status',
    stats: 'status',
    trend: 'trend',
    top: 'top',
    create: 'create',
    'bulk-create': 'create',
    replace: 'replace',
    'singleton-put': 'replace',
    set: 'replace',
    patch: 'update',
    'bulk-patch': 'update',
    delete: 'delete',
    'bulk-delete': 'delete',
    action: 'action',
    diagnostic: 'start',
    'async-result': 'result',
  } satisfies Record<string, Verb>),
);

const BY_WORD: ReadonlyMap<string, Verb> = new Map(
  Object.entries({
    list: 'list',
    all: 'list',
    get: 'get',
    show: 'get',
    read: 'get',
    fetch: 'get',
    retrieve: 'get',
    describe: 'get',
    check: 'get',
    calculate: 'get',
    count: 'count',
    search: 'search',
    query: 'search',
    find: 'search',
    lookup: 'search',
    create: 'create',
    add: 'create',
    insert: 'create',
    new: 'create',
    register: 'create',
    upload: 'create',
    book: 'create',
    post: 'create',
    replace: 'replace',
    set: 'replace',
    put: 'replace',
    update: 'update',
    edit: 'update',
    change: 'update',
    modify: 'update',
    patch: 'update',
    rename: 'update',
    move: 'update',
    delete: 'delete',
    remove: 'delete',
    clear: 'delete',
    cancel: 'delete',
    start: 'start',
    run: 'start',
    test: 'start',
  } satisfies Record<string, Verb>),
);

export function verbOf(tool: Tool, text: SearchText): Verb {
  const byKind = BY_KIND.get(text.kind);
  if (byKind) return byKind;
  const own = snake(tool.operationId ?? tool.name).split('_');
  // Most names begin with the verb. Names that begin with their object end with it.
  const first = [own[0], own.at(-1), ...own.slice(1, -1)]
    .map((word) => BY_WORD.get(word ?? ''))
    .find((verb) => verb !== undefined);
  if (first === 'get' || first === undefined) {
    if (tool.capability === 'diagnostic') return 'start';
    if (tool.method === 'GET') return tool.list ? 'list' : 'get';
  }
  return first ?? verbOfMethod(tool);
}

/** Where no word says it. */
function verbOfMethod(tool: Tool): Verb {
  if (tool.capability === 'read') return 'search';
  if (tool.method === 'DELETE') return 'delete';
  if (tool.method === 'PUT') return 'replace';
  if (tool.method === 'PATCH') return 'update';
  return isItemPath(tool.path) || tool.capability === 'destructive' ? 'action' : 'create';
}

/** What a question asks for. `read` is any reading verb, when the words do not say which. */
export type Intent = Verb | 'read' | 'write' | undefined;

export function isWriting(verb: Intent): boolean {
  return (
    verb === 'write' ||
    verb === 'create' ||
    verb === 'replace' ||
    verb === 'update' ||
    verb === 'delete' ||
    verb === 'action'
  );
}

const isMeasure = (verb: Verb) => ['references', 'history', 'trend', 'top', 'count'].includes(verb);

/** How well a tool of this verb serves this intent; 1 is neutral. */
export function agreement(intent: Intent, verb: Verb): number {
  if (intent === undefined) return isWriting(verb) ? 0.75 : 1;
  // A question says how many, since when or who uses it only when it means that.
  if (intent === verb) return isMeasure(verb) ? 1.6 : 1.25;
  if (intent === 'read') return agreementOfAnyRead(verb);
  if (intent === 'write') return agreementOfAnyWrite(verb);
  if (isWriting(intent)) return agreementOfWrite(intent, verb);
  return agreementOfRead(intent, verb);
}

function agreementOfRead(intent: Verb, verb: Verb): number {
  if (intent === 'start' && STARTS.includes(verb)) return 0.95;
  if (isWriting(verb)) return 0.55;
  if (intent === 'start') return 0.65;
  return NEAR[intent]?.includes(verb) ? NEAR_GIVES : 0.85;
}

/** What documents call it to start a thing: `create a backup`. */
const STARTS: readonly Verb[] = ['action', 'create'];

const agreementOfAnyWrite = (verb: Verb) => (isWriting(verb) ? 1.1 : WEIGHTS.unclearRead);

function agreementOfAnyRead(verb: Verb): number {
  if (isWriting(verb)) return 0.55;
  if (verb === 'start') return 0.8;
  return verb === 'list' || verb === 'get' || verb === 'status' ? 1.1 : 0.95;
}

/** `intent` is another writing verb than that of the tool. */
function agreementOfWrite(intent: Verb, verb: Verb): number {
  if (!isWriting(verb)) return verb === 'start' ? 0.75 : WEIGHTS.readForWrite;
  if ((intent === 'update' && verb === 'replace') || (intent === 'replace' && verb === 'update')) return 1.05;
  if (intent === 'update' && verb === 'action') return 1;
  if (verb === 'delete' || intent === 'delete') return verb === 'action' ? 0.9 : 0.6;
  return 0.8;
}

const NEAR_GIVES = 0.97;

const NEAR: Partial<Record<Exclude<Intent, undefined>, readonly Verb[]>> = {
  list: ['search', 'get', 'count'],
  get: ['status', 'list'],
  search: ['list', 'get'],
  count: ['list', 'status'],
  trend: ['status', 'top'],
  top: ['trend', 'list'],
  result: ['get', 'status'],
  references: ['list', 'get'],
  history: ['list', 'search', 'trend'],
};
