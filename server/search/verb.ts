/** What kind of operation a tool is, and what kind a question asks for. */
import { snake } from '../catalog/name.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';

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
] as const;
export type Verb = (typeof VERBS)[number];

/** Kinds that documents state (`x-svc-kind`), as verbs. */
const BY_KIND: Record<string, Verb> = {
  list: 'list',
  get: 'get',
  'singleton-get': 'get',
  export: 'get',
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
  patch: 'update',
  delete: 'delete',
  'bulk-delete': 'delete',
  action: 'action',
  diagnostic: 'start',
  'async-result': 'result',
};

const BY_FIRST_WORD: Record<string, Verb> = {
  list: 'list',
  get: 'get',
  count: 'count',
  search: 'search',
  query: 'search',
  create: 'create',
  add: 'create',
  replace: 'replace',
  set: 'replace',
  update: 'update',
  patch: 'update',
  delete: 'delete',
  remove: 'delete',
  start: 'start',
  test: 'start',
  check: 'get',
};

export function verbOf(tool: Tool, text: SearchText): Verb {
  const byKind = BY_KIND[text.kind];
  if (byKind) return byKind;
  const first = BY_FIRST_WORD[snake(tool.operationId ?? '').split('_')[0] ?? ''];
  if (first === 'get' || first === undefined) {
    if (tool.capability === 'diagnostic') return 'start';
    if (tool.method === 'GET') return tool.list ? 'list' : 'get';
  }
  if (first) return first;
  if (tool.capability === 'read') return 'search';
  if (tool.method === 'DELETE') return 'delete';
  if (tool.method === 'PUT') return 'replace';
  if (tool.method === 'PATCH') return 'update';
  return tool.path.endsWith('}') || tool.capability === 'destructive' ? 'action' : 'create';
}

/** What a question asks for. `read` is any reading verb, when the words do not say which. */
export type Wish = Verb | 'read' | undefined;

const WISHES: readonly [RegExp, Wish][] = [
  [/\b(how many|count|number of)\b/, 'count'],
  [
    /\b(result|outcome|output) of\b|\bpoll\b|\b(result|output) (for|from)\b|\bcame out\b|\bhow did\b|\bdone yet\b/,
    'result',
  ],
  [/\b(trend|over time|time series|history of|last (hour|day|week)|past (hour|day|week))\b/, 'trend'],
  [/\b(top \d*|most|busiest|heaviest|highest)\b/, 'top'],
  [/\b(start|run|trigger|launch|initiate|kick off|ping|traceroute|test)\b/, 'start'],
  [/\b(delete|remove|drop|get rid of|retire|decommission|take (away|down)|unassign)\b/, 'delete'],
  [/\b(create|add|new|make|define|set up|introduce|provision|assign)\b/, 'create'],
  [/\b(replace|overwrite)\b/, 'replace'],
  [
    /\b(change|update|modify|edit|rename|set|switch|adjust|move|raise|lower|increase|decrease|rotate|extend|enable|disable|turn (on|off)|make sure|correct|fix)\b/,
    'update',
  ],
  [/\b(reboot|restart|disconnect|kick|drain|reset|blink|locate|acknowledge|upgrade|clear)\b/, 'action'],
  [/\b(search|look for|find)\b/, 'search'],
  [/\b(list|all|every|which|enumerate)\b/, 'list'],
  [/\b(show|display)\b/, 'read'],
  [/\b(get|read|view|details?|describe|what is|look up|fetch)\b/, 'get'],
];

const QUESTION =
  /^\s*(what|which|how|why|is|are|does|do|did|who|when|where|has|have|was|were|can i see|tell me|show|list|find out|check|look)\b|\?\s*$/;
const ORDER =
  /\b(please |then |and )?(create|add|delete|remove|change|update|set|replace|reboot|restart|disconnect|disable|enable|rotate|rename|assign|upgrade)\b/;

export function wishOf(query: string): { wish: Wish; question: boolean } {
  const text = query.toLowerCase();
  const question =
    QUESTION.test(text) &&
    !(ORDER.test(text) && !/^\s*(what|which|how many|why|who|when|where|is|are|does|has|have)\b/.test(text));
  const wish = WISHES.find(([pattern]) => pattern.test(text))?.[1];
  if (question && (wish === undefined || isWriting(wish))) return { wish: 'read', question };
  return { wish, question };
}

export function isWriting(verb: Wish): boolean {
  return verb === 'create' || verb === 'replace' || verb === 'update' || verb === 'delete' || verb === 'action';
}

/** How well a tool of this verb serves this wish; 1 is neutral. */
export function agreement(wish: Wish, verb: Verb): number {
  if (wish === undefined) return isWriting(verb) ? 0.9 : 1;
  if (wish === verb) return 1.25;
  if (wish === 'read')
    return isWriting(verb)
      ? 0.55
      : verb === 'start'
        ? 0.8
        : verb === 'list' || verb === 'get' || verb === 'status'
          ? 1.1
          : 0.95;
  if (isWriting(wish)) {
    if (!isWriting(verb)) return verb === 'start' ? 0.75 : 0.65;
    if ((wish === 'update' && verb === 'replace') || (wish === 'replace' && verb === 'update')) return 1.05;
    if (wish === 'update' && verb === 'action') return 1;
    if (verb === 'delete' || wish === 'delete') return 0.6;
    return 0.8;
  }
  if (isWriting(verb)) return wish === 'start' && verb === 'action' ? 0.95 : 0.55;
  return NEAR[wish]?.includes(verb) ? 1.05 : 0.85;
}

const NEAR: Partial<Record<Exclude<Wish, undefined>, readonly Verb[]>> = {
  list: ['search', 'get', 'count'],
  get: ['status', 'list'],
  search: ['list', 'get'],
  count: ['list', 'status'],
  trend: ['status', 'top'],
  top: ['trend', 'list'],
  start: [],
  result: ['get', 'status'],
  status: ['get', 'trend'],
};
