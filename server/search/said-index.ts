/**
 * Sayings as an index of their own. Each is a short passage, and the tools of one group share theirs: words lead to
 * passages, passages to their group, a group to its tools. Nothing is stored once per tool.
 */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { saidTerms, words } from './tokens.ts';
import type { Reader } from './tool-text.ts';

export interface SaidIndex {
  /** Where the tools of each group start; one more entry than groups. */
  groupStart: Uint32Array;
  groupTools: Uint32Array;
  /** Words of all sayings of a group, against the mean of all groups. */
  groupLength: Float32Array;
  /** Per passage its group; passages of a group stand together. */
  passageGroup: Uint32Array;
  /** How much the words of a passage tell, together. */
  passageMass: Float32Array;
  /** Where the passages of each term start; one more entry than terms. */
  start: Uint32Array;
  passage: Uint32Array;
  /** Per term: how much it tells apart groups. */
  tells: Float32Array;
}

export interface Group {
  tools: number[];
  /** Each saying as its words. */
  sayings: (readonly string[])[];
  passages: (readonly number[])[];
}

/** Sayings read into numbers of the reader's vocabulary; tools with the same ones on one platform are a group. */
export function gatherSaid(entries: readonly { tool: Tool; text: SearchText }[], reader: Reader): Group[] {
  const groups = new Map<string, Omit<Group, 'passages'>>();
  entries.forEach(({ tool, text }, id) => {
    if (text.sayings.length === 0) return;
    const key = `${tool.platform}\n${text.sayings.join('\n')}`;
    const known = groups.get(key);
    if (known) known.tools.push(id);
    else groups.set(key, { tools: [id], sayings: text.sayings.map(words) });
  });
  const read = [...groups.values()].map((group) => ({ ...group, spoken: group.sayings.map(saidTerms) }));
  // Neighbours that stand together once are no turn of phrase.
  const often = repeated(read.flatMap(({ spoken }) => spoken.flatMap((terms) => terms.filter(isPair))));
  return read.map(({ tools, sayings, spoken }) => ({
    tools,
    sayings,
    passages: spoken.map((terms) =>
      reader.numbered([...new Set(terms)].filter((term) => !isPair(term) || often.has(term))),
    ),
  }));
}

const isPair = (term: string) => term.includes(' ');

function repeated(list: readonly string[]): Set<string> {
  const once = new Set<string>();
  const again = new Set<string>();
  for (const item of list) (once.has(item) ? again : once).add(item);
  return again;
}

export function invertSaid(groups: readonly Group[], terms: number): SaidIndex {
  const passages = groups.flatMap((group, number) => group.passages.map((words) => ({ words, number })));
  const start = new Uint32Array(terms + 1);
  const df = new Uint32Array(terms);
  const last = new Int32Array(terms).fill(-1);
  for (const { words, number } of passages)
    for (const term of words) {
      start[term + 1] = (start[term + 1] as number) + 1;
      if (last[term] !== number) df[term] = (df[term] as number) + 1;
      last[term] = number;
    }
  for (let term = 0; term < terms; term++) start[term + 1] = (start[term + 1] as number) + (start[term] as number);
  const tells = Float32Array.from(df, (count) =>
    count === 0 ? 0 : Math.log(1 + (groups.length - count + 0.5) / (count + 0.5)),
  );
  const next = start.slice();
  const passage = new Uint32Array(start[terms] as number);
  passages.forEach(({ words }, i) => {
    for (const term of words) {
      passage[next[term] as number] = i;
      next[term] = (next[term] as number) + 1;
    }
  });
  const lengths = groups.map((group) => group.passages.reduce((sum, words) => sum + words.length, 0));
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return {
    groupStart: Uint32Array.from(running(groups.map(({ tools }) => tools.length))),
    groupTools: Uint32Array.from(groups.flatMap(({ tools }) => tools)),
    groupLength: Float32Array.from(lengths, (length) => length / mean),
    passageGroup: Uint32Array.from(passages, ({ number }) => number),
    passageMass: Float32Array.from(passages, ({ words }) =>
      words.reduce((sum, term) => sum + (tells[term] as number), 0),
    ),
    start,
    passage,
    tells,
  };
}

function running(counts: readonly number[]): number[] {
  const sums = [0];
  for (const count of counts) sums.push((sums.at(-1) as number) + count);
  return sums;
}
