/** Can every tool be found by its own words? No question set: these texts are made from the tools themselves. */
import { createHash } from 'node:crypto';
import { contentWords } from './content-words.ts';
import type { Search } from './search-engine.ts';
import type { Entry, Toolbox } from './tool-corpus.ts';

export interface Reach {
  asked: number;
  top1: number;
  top5: number;
  /** Of those that are not among the first five, some. */
  missing: string[];
}

export interface Reachability {
  /** First sentences without function words and without the phrase that names the platform, in a shuffled order. */
  sentences: Reach;
  /** "list <alias>" and the like, found when a tool of that kind and alias comes. */
  aliases: Reach;
}

interface Phrase {
  text: string;
  id: number;
  serves: (id: number) => boolean;
}

const VERBS: Readonly<Record<string, string>> = {
  list: 'list',
  get: 'get',
  'singleton-get': 'get',
  count: 'count',
  search: 'search',
  create: 'create',
  replace: 'replace',
  'singleton-put': 'set',
  patch: 'change',
  delete: 'delete',
  status: 'status of',
  trend: 'trend of',
  history: 'history of',
  export: 'export',
};
const DEPTH = 5;
const SHOWN = 20;

/** `sample`: at most so many phrases of either kind, drawn by hash. */
export async function reachabilityOf(
  box: Toolbox,
  search: Search,
  sample = Number.POSITIVE_INFINITY,
): Promise<Reachability> {
  return {
    sentences: await reach(box, search, drawn(sentencesOf(box), sample)),
    aliases: await reach(box, search, drawn(aliasesOf(box), sample)),
  };
}

async function reach(box: Toolbox, search: Search, phrases: readonly Phrase[]): Promise<Reach> {
  let top1 = 0;
  let top5 = 0;
  const missing: string[] = [];
  for (const { text, id, serves } of phrases) {
    const { ids } = await search(text, DEPTH);
    const place = ids.findIndex(serves);
    if (place === 0) top1++;
    if (place >= 0) top5++;
    else if (missing.length < SHOWN) missing.push(`${nameOf(box, id)}: ${text}`);
  }
  const asked = phrases.length;
  return { asked, top1: top1 / Math.max(1, asked), top5: top5 / Math.max(1, asked), missing };
}

const nameOf = ({ tools }: Toolbox, id: number) => (tools[id] as Entry).tool.name;

export function sentencesOf({ tools, words }: Toolbox): Phrase[] {
  return tools.map(({ tool }, id) => {
    const own = contentWords(withoutPlatform(tool.line, words[tool.platform] ?? []));
    return { id, text: shuffled(own, tool.name).join(' '), serves: (hit) => hit === id };
  });
}

/** "in the management cloud library" and the like, up to the end of the clause. */
function withoutPlatform(line: string, words: readonly string[]): string {
  if (words.length === 0) return line;
  const names = words.map((word) => word.replace(/[^\w\s]/g, '\\$&')).join('|');
  return line.replace(new RegExp(`\\s(?:in|from|of|on|for|to) the (?:${names})\\b[^.;:]*`, 'gi'), '');
}

/** One phrase for each verb and alias, however many tools it fits: any of them serves. */
export function aliasesOf({ tools }: Toolbox): Phrase[] {
  const carriers = new Map<string, number[]>();
  tools.forEach(({ text }, id) => {
    const verb = VERBS[text.kind];
    if (verb === undefined) return;
    for (const alias of text.aliases) {
      const phrase = `${verb} ${alias}`;
      const ids = carriers.get(phrase);
      if (ids) ids.push(id);
      else carriers.set(phrase, [id]);
    }
  });
  return [...carriers].map(([text, ids]) => ({ text, id: ids[0] as number, serves: (hit) => ids.includes(hit) }));
}

const hashed = (text: string) => createHash('sha256').update(text).digest('hex');

function byHash<T>(items: readonly T[], key: (item: T, i: number) => string): T[] {
  return items
    .map((item, i) => ({ item, hash: hashed(key(item, i)) }))
    .sort((a, b) => (a.hash < b.hash ? -1 : 1))
    .map(({ item }) => item);
}

const shuffled = (words: readonly string[], salt: string) => byHash(words, (word, i) => `${salt} ${i} ${word}`);

const drawn = (phrases: readonly Phrase[], sample: number) =>
  phrases.length <= sample ? phrases : byHash(phrases, ({ text, id }) => `${id} ${text}`).slice(0, sample);
