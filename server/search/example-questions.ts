/**
 * Example questions of a tool, made from its document: the verbs of its kind × its noun and other names × its area. If
 * the document states none of these, the nouns of the path replace them, so that every tool has examples. If only some
 * tools had examples, those would rank above better ones.
 */
import { snake } from '../catalog/name.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { type Verb, verbOf } from './operation-kind.ts';

const MAX_NAMES = 4;

/** Everyday words for each kind of operation, before a noun in the number it wants. */
const EXAMPLES: Record<Verb, { many: boolean; words: readonly string[] }> = {
  list: { many: true, words: ['list', 'show all', 'which', 'what'] },
  get: { many: false, words: ['get', 'show the details of', 'look up'] },
  count: { many: true, words: ['count', 'how many', 'number of'] },
  search: { many: true, words: ['search', 'find'] },
  status: { many: false, words: ['status of', 'state of', 'is it up'] },
  trend: { many: false, words: ['trend of', 'history of', 'over time'] },
  top: { many: true, words: ['top', 'the most', 'highest'] },
  create: { many: false, words: ['create', 'add a new', 'set up', 'make'] },
  replace: { many: false, words: ['replace', 'set', 'configure'] },
  update: { many: false, words: ['update', 'change', 'edit', 'modify'] },
  delete: { many: false, words: ['delete', 'remove', 'get rid of'] },
  action: { many: false, words: [] },
  start: { many: false, words: ['run', 'start', 'test'] },
  result: { many: false, words: ['result of', 'outcome of'] },
  references: { many: false, words: ['where is it used', 'what uses', 'what depends on'] },
  history: { many: false, words: ['history of', 'who changed', 'earlier versions of', 'revisions of'] },
};

/** Kinds that are a sort of reading people ask for in words of their own. */
const BY_KIND: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    export: ['export', 'download as csv file', 'spreadsheet of'],
    stats: ['statistics of', 'counters of'],
    'bulk-create': ['create many', 'import'],
    'bulk-delete': ['delete many'],
  }),
);

/** Each entry is an example verb and the name it goes with. */
export function examplesOf(tool: Tool, text: SearchText): [saying: string, name: string][] {
  const verb = verbOf(tool, text);
  const { many, words: ofVerb } = EXAMPLES[verb];
  const words = BY_KIND.get(text.kind) ?? ofVerb;
  const names = namesOf(tool, text, many);
  const sayings = words.length > 0 ? words : [snake(tool.operationId ?? tool.name).split('_')[0] ?? ''];
  // Every example verb with the noun, and every other name with one verb: it uses all words and repeats few.
  return [
    ...sayings.map((saying): [string, string] => [saying, names[0] ?? '']),
    ...names.slice(1).map((name, i): [string, string] => [sayings[(i + 1) % sayings.length] ?? '', name]),
  ];
}

function namesOf(tool: Tool, text: SearchText, many: boolean): string[] {
  const noun = many ? tool.resource?.plural || tool.resource?.noun : tool.resource?.noun;
  const stated = [...(noun ? [noun] : []), ...text.aliases];
  return (stated.length > 0 ? stated : [pathNouns(tool.path)]).slice(0, MAX_NAMES);
}

function pathNouns(path: string): string {
  return path
    .split('/')
    .filter((segment) => segment !== '' && !segment.startsWith('{') && !/^v\d/.test(segment))
    .slice(-2)
    .join(' ');
}
