/**
 * Which tool of a server performs which operation of the document: by operationId, by the description that the tool took over,
 * by the words of the operationId in another order, by a `METHOD /path` in the description, by a name made of method and path,
 * by a shortened name, and last by verb and noun. A word that all names of the server begin with belongs to none of them.
 */
import { compactName, matchTools, type Operation, type Tools } from '../compare/compare-operations.ts';
import type { ApiOperation } from '../generator/api-document.ts';
import { nounsOf, wordsOf } from '../generator/field-names.ts';
import { isItemPath } from '../generator/item-path.ts';
import { type ArgumentSchema, argumentsAs } from './matched-arguments.ts';
import type { ListedTool } from './server-connection.ts';

export interface MatchedTools extends Tools {
  /** Arguments named by the document as the tool names them. */
  argumentsFor: (tool: string, args: Record<string, unknown>) => Record<string, unknown>;
  /** Keys of the operations that have a tool. */
  matched: string[];
}

export const keyOf = ({ method, path }: Pick<ApiOperation, 'method' | 'path'>): string => `${method} ${path}`;

export function matchServerTools(operations: readonly ApiOperation[], tools: readonly ListedTool[]): MatchedTools {
  // The shortest of those that match the most.
  const [byKey = new Map<string, string>()] = prefixesOf(tools, operations)
    .map((prefix) => toolsByKey(operations, tools, prefix))
    .sort((a, b) => b.size - a.size);
  const byTool = new Map([...byKey].map(([key, tool]) => [tool, key]));
  const schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema as ArgumentSchema | undefined]));
  return {
    toolOf: (key) => byKey.get(key),
    operationOf: (tool) => byTool.get(tool),
    matched: [...byKey.keys()],
    argumentsFor: (tool, args) => argumentsAs(args, schemas.get(tool) ?? {}, byTool.get(tool) ?? ''),
  };
}

/** Key of the operation → name of its tool, where every name begins with `prefix`. */
function toolsByKey(operations: readonly ApiOperation[], listed: readonly ListedTool[], prefix: string) {
  const stated: Operation[] = operations.map((operation) => ({
    key: keyOf(operation),
    id: operation.operationId === '' ? keyOf(operation) : operation.operationId,
    texts: operation.texts,
  }));
  const tools = listed.map((tool) => ({ ...tool, name: tool.name.slice(prefix.length) }));
  const byKey = new Map<string, string>();
  const joined = new Set<string>();
  const kind = VERB_OF.get(wordsOf(prefix).at(-1) ?? '');
  const join = (key: string | undefined, name: string) => {
    if (key === undefined || byKey.has(key) || joined.has(name)) return;
    if (kind !== undefined && !METHODS_OF[kind]?.includes(key.split(' ', 1)[0] ?? '')) return;
    byKey.set(key, prefix + name);
    joined.add(name);
  };
  const named = matchTools(stated, tools);
  for (const { name } of tools) join(named.operationOf(name), name);
  const joinOnly = (fitting: Fitting) => {
    const free = tools.filter(({ name }) => !joined.has(name));
    for (const [key, name] of onlyFits(free, (tool) => fitting(tool).filter(({ key }) => !byKey.has(key))))
      join(key, name);
  };
  joinOnly(ofSameWords(stated));
  const known = new Set(stated.map(({ key }) => key));
  // `get_pets_petId` for `GET /pets/{petId}`. Of two that are written alike the first.
  const byPath = new Map([...known].reverse().map((key) => [compactName(key), key]));
  for (const tool of tools) join(statedIn(tool, known) ?? byPath.get(compactName(tool.name)), tool.name);
  joinOnly(shortened(stated));
  for (const [key, name] of byVerb(operations, tools)) join(key, name);
  return byKey;
}

const SEPARATOR = /[-_.:/]/;

/**
 * What the names of all tools begin with, up to each separator: none, `API-`, `API-get-` of `API-get-user` and `API-get-self`.
 * None alone where a whole name is an operationId, for what would be left of it may be another one.
 */
function prefixesOf(tools: readonly ListedTool[], operations: readonly ApiOperation[]): string[] {
  const ids = new Set(operations.map(({ operationId }) => compactName(operationId)));
  const [first = '', ...others] = tools.map(({ name }) => name);
  if (others.length === 0 || [first, ...others].some((name) => ids.has(compactName(name)))) return [''];
  const ends = [...first].flatMap((sign, at) => (SEPARATOR.test(sign) ? [at + 1] : []));
  return ['', ...ends.map((end) => first.slice(0, end))].filter((prefix) =>
    others.every((name) => name.startsWith(prefix)),
  );
}

function statedIn({ description = '' }: ListedTool, known: ReadonlySet<string>): string | undefined {
  const found = [...description.matchAll(/\b(GET|PUT|POST|PATCH|DELETE)\s+(\/[^\s\])`'",;]*)/g)];
  return found.map(([, method, path = '']) => `${method} ${path.replace(/\.$/, '')}`).find((key) => known.has(key));
}

/** Operations that a name of a tool fits. */
type Fitting = (tool: string) => readonly Operation[];

/** Tools that fit one operation, of which no other of these is. */
function onlyFits(tools: readonly ListedTool[], fitting: Fitting): [key: string, tool: string][] {
  const sure = tools.flatMap(({ name }): [key: string, tool: string][] => {
    const [first, ...others] = fitting(name);
    return first === undefined || others.length > 0 ? [] : [[first.key, name]];
  });
  const toolsOf = Map.groupBy(sure, ([key]) => key);
  return sure.filter(([key]) => toolsOf.get(key)?.length === 1);
}

/**
 * `get_models_versions` for `models.versions.get`: a verb, or the last word, stands elsewhere and the others in their order.
 * `move_folder_to_file` is not `move_file_to_folder`.
 */
function ofSameWords(operations: readonly Operation[]): Fitting {
  const sorted = (name: string): string => wordsOf(name).sort().join(' ');
  const bySorted = Map.groupBy(operations, ({ id }) => sorted(id));
  return (tool) => (bySorted.get(sorted(tool)) ?? []).filter(({ id }) => isInOtherOrder(tool, id));
}

function isInOtherOrder(tool: string, id: string): boolean {
  const [named, own] = [wordsOf(tool), wordsOf(id)];
  const mayMove = (word: string) => VERB_OF.has(word) || (word === own.at(-1) && word === named[0]);
  return own.some(
    (word) => mayMove(word) && named.includes(word) && isSameList(without(named, word), without(own, word)),
  );
}

const without = (words: readonly string[], word: string): string[] => words.toSpliced(words.indexOf(word), 1);
const isSameList = (a: readonly string[], b: readonly string[]): boolean => a.join(' ') === b.join(' ');

/** A name of fewer letters was not shortened. */
const SHORTENED_FROM = 30;
/** The least limit that generators keep to. A whole name of so many letters is never shortened. */
const LEAST_LIMIT = 56;
/** A name that was cut at a limit has about so many letters; a shorter one has words that were shortened. */
const CUT_FROM = 50;
const DIGEST = /[-_][0-9a-f]{4,8}$/;

/** `get_endp_head_of_app_3f2a` for `get_endpoint_headers_of_application`. */
function shortened(operations: readonly Operation[]): Fitting {
  const long = operations.flatMap((operation) =>
    [operation.id, operation.key].flatMap((name) => {
      const words = wordsOf(name);
      return words.join('_').length > LEAST_LIMIT
        ? [{ operation, words: new Set(words), letters: compactName(name) }]
        : [];
    }),
  );
  return (tool) => {
    const forms = [tool, tool.replace(DIGEST, '')].map(compactName).filter((form) => form.length >= SHORTENED_FROM);
    const own = forms.length === 0 ? [] : wordsOf(tool);
    // A short name of whole words is another name, and no shortened one.
    const isCutOf = (words: ReadonlySet<string>) => tool.length >= CUT_FROM || own.some((word) => !words.has(word));
    const fits = long.filter(({ words, letters }) => isCutOf(words) && forms.some((form) => isLeftOf(form, letters)));
    return [...new Set(fits.map(({ operation }) => operation))];
  };
}

/** Whether both begin alike and all letters of the short name stand in the long one, in their order. */
function isLeftOf(short: string, long: string): boolean {
  if (short[0] !== long[0]) return false;
  let at = 0;
  for (const letter of long) if (letter === short[at]) at++;
  return at === short.length && short.length < long.length;
}

const VERBS: Readonly<Record<string, readonly string[]>> = {
  list: ['list', 'search', 'find', 'query', 'all', 'browse'],
  read: ['get', 'read', 'show', 'fetch', 'retrieve', 'describe', 'lookup', 'view'],
  create: ['create', 'add', 'new', 'post', 'insert', 'make'],
  change: ['update', 'edit', 'change', 'modify', 'patch', 'set', 'put', 'replace', 'rename'],
  remove: ['delete', 'remove', 'destroy', 'drop'],
};
const VERB_OF = new Map(Object.entries(VERBS).flatMap(([kind, words]) => words.map((word) => [word, kind] as const)));

/** Of a prefix that ends with a verb (`delete_`). */
const METHODS_OF: Readonly<Record<string, readonly string[]>> = {
  list: ['GET', 'HEAD', 'POST'],
  read: ['GET', 'HEAD', 'POST'],
  create: ['POST', 'PUT'],
  change: ['POST', 'PUT', 'PATCH'],
  remove: ['DELETE', 'POST'],
};

/** `list_pets`, `getPet`, `delete-pet`: only where exactly one operation and one tool say so. */
function byVerb(operations: readonly ApiOperation[], tools: readonly ListedTool[]): [key: string, tool: string][] {
  const asked = Map.groupBy(operations, (operation) => meaningOf(operation));
  const offered = Map.groupBy(tools, ({ name }) => meaningOfName(name));
  return [...asked].flatMap(([meaning, [operation, ...others]]): [string, string][] => {
    const [tool, ...more] = offered.get(meaning) ?? [];
    if (operation === undefined || tool === undefined || others.length > 0 || more.length > 0) return [];
    return [[keyOf(operation), tool.name]];
  });
}

function meaningOf({ method, path }: ApiOperation): string {
  const isItem = isItemPath(path);
  const kind =
    { GET: isItem ? 'read' : 'list', POST: isItem ? 'change' : 'create', DELETE: 'remove' }[method] ?? 'change';
  return `${kind} ${nounsOf(path).noun}`;
}

function meaningOfName(name: string): string {
  const words = wordsOf(name);
  const verb = words.find((word) => VERB_OF.has(word));
  const rest = words.filter((word) => word !== verb && word !== 'by' && word !== 'id');
  const { noun, nouns } = nounsOf(`/${rest.join('-')}`);
  const kind = VERB_OF.get(verb ?? '') ?? '';
  const isPlural = rest.join(' ') === nouns && noun !== nouns;
  return `${kind === 'read' && isPlural ? 'list' : kind === 'list' && !isPlural ? 'read' : kind} ${noun}`;
}
