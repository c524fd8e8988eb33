/**
 * The search index: for every term the tools it occurs in, with one weight that already holds field importance and
 * length normalisation, and whether it stands in the name or in a noun.
 */
import { CAPABILITIES } from '../access/access.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { type Group, gatherSaid, invertSaid, type SaidIndex } from './said-index.ts';
import { type TermTable, termTable } from './term-table.ts';
import { words } from './tokens.ts';
import { FIELDS, type Field, type FieldTerms, fieldTerms, ownName, Reader } from './tool-text.ts';
import { VERBS, type Verb, verbOf } from './verb.ts';
import { WEIGHTS } from './weights.ts';
import { type Example, learnWishes, type WishModel } from './wish-model.ts';

export const IN_NAME = 1;
export const IN_NOUN = 2;
/** It stands there as a word, not only as two neighbours. */
export const AS_WORD = 8;

export const FLAG_ONE = 1;
export const FLAG_OLD = 2;
/** Its name begins with another platform's: it poses as a tool of that one. */
export const FLAG_POSES = 4;

export interface SearchIndex {
  size: number;
  platforms: string[];
  terms: TermTable;
  start: Uint32Array;
  doc: Uint32Array;
  weight: Float32Array;
  mask: Uint8Array;
  /** Per tool. */
  platform: Uint8Array;
  capability: Uint8Array;
  verb: Uint8Array;
  flags: Uint8Array;
  /** How much the words of the name tell, together. */
  nameMass: Float32Array;
  said: SaidIndex;
  wishes: WishModel;
}

/** What one tool gives to the index, before the lengths of all others are known. */
export interface Analysed {
  fields: Record<Field, FieldTerms>;
  platform: string;
  capability: number;
  verb: number;
  flags: number;
}

export function analyse(tool: Tool, text: SearchText, reader: Reader): Analysed {
  const verb = verbOf(tool, text);
  return {
    fields: fieldTerms(tool, text, reader),
    platform: tool.platform,
    capability: CAPABILITIES.indexOf(tool.capability),
    verb: VERBS.indexOf(verb),
    flags: (speaksOfOne(tool, verb) ? FLAG_ONE : 0) | (tool.twin || tool.deprecated ? FLAG_OLD : 0),
  };
}

/** The path ends at one item, or the name does, where a document has no such paths. */
function speaksOfOne(tool: Tool, verb: Verb): boolean {
  if (tool.list !== undefined || verb === 'list') return false;
  if (tool.path.endsWith('}')) return true;
  const last = words(ownName(tool).replace(/[\s#\d]+$/, '')).at(-1) ?? '';
  return verb === 'get' && !tool.path.includes('{') && !/[^su]s$|ies$/.test(last);
}

export function buildIndex(tools: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const reader = new Reader();
  const entries = Array.from(tools);
  const documents = entries.map(({ tool, text }) => analyse(tool, text, reader));
  markPosers(entries, documents);
  const groups = gatherSaid(entries, reader);
  const said = invertSaid(groups, reader.vocabulary.length);
  return invert(documents, reader.vocabulary, said, learnWishes(examplesFrom(groups, documents)));
}

function markPosers(entries: readonly { tool: Tool }[], documents: readonly Analysed[]): void {
  const platforms = new Set(entries.map(({ tool }) => tool.platform));
  entries.forEach(({ tool }, i) => {
    const [first = ''] = words(ownName(tool).normalize('NFKC'));
    const document = documents[i] as Analysed;
    if (first !== tool.platform && platforms.has(first)) document.flags |= FLAG_POSES;
  });
}

/** A group that reads in several ways is one that reads. */
function examplesFrom(groups: readonly Group[], documents: readonly Analysed[]): Example[] {
  return groups.flatMap(({ tools, sayings }) => {
    const verbs = tools.map((id) => VERBS[(documents[id] as Analysed).verb] as Verb);
    const verb = verbs.find((each) => each === 'list' || each === 'get') ?? (verbs[0] as Verb);
    return sayings.map((list) => ({ words: list, verb }));
  });
}

const MASKS: Partial<Record<Field, number>> = { name: IN_NAME, noun: IN_NOUN };

export function invert(
  documents: readonly Analysed[],
  vocabulary: readonly string[],
  said: SaidIndex,
  wishes: WishModel,
): SearchIndex {
  const average = averageLengths(documents);
  const start = startsOf(documents, vocabulary.length);
  const total = start[vocabulary.length] as number;
  const platforms = [...new Set(documents.map(({ platform }) => platform))].sort();
  const index: SearchIndex = {
    size: documents.length,
    platforms,
    terms: termTable(vocabulary),
    start,
    doc: new Uint32Array(total),
    weight: new Float32Array(total),
    mask: new Uint8Array(total),
    platform: Uint8Array.from(documents, ({ platform }) => platforms.indexOf(platform)),
    capability: Uint8Array.from(documents, ({ capability }) => capability),
    verb: Uint8Array.from(documents, ({ verb }) => verb),
    flags: Uint8Array.from(documents, ({ flags }) => flags),
    nameMass: new Float32Array(documents.length),
    said,
    wishes,
  };
  const next = start.slice();
  const add = (term: number, doc: number, gain: number, mask: number) => {
    let at = (next[term] as number) - 1;
    if (at < (start[term] as number) || index.doc[at] !== doc) {
      at++;
      next[term] = at + 1;
      index.doc[at] = doc;
    }
    index.weight[at] = (index.weight[at] as number) + gain;
    index.mask[at] = (index.mask[at] as number) | mask;
  };
  documents.forEach(({ fields }, doc) => {
    for (const field of FIELDS) {
      const { weight, b } = WEIGHTS.field[field];
      const { words, pairs } = fields[field];
      const gain = weight / (1 - b + (b * words.length) / average[field]);
      const mask = (MASKS[field] ?? 0) | AS_WORD;
      for (const term of words) add(term, doc, gain, mask);
      const pairGain = field === 'params' ? gain * WEIGHTS.paramPair : gain;
      for (const term of pairs) add(term, doc, pairGain, 0);
    }
  });
  for (let term = 0; term < vocabulary.length; term++) {
    const from = start[term] as number;
    const to = start[term + 1] as number;
    const tells = idf(documents.length, to - from);
    for (let at = from; at < to; at++) {
      const doc = index.doc[at] as number;
      if ((index.mask[at] as number) & IN_NAME) index.nameMass[doc] = (index.nameMass[doc] as number) + tells;
    }
  }
  return index;
}

/** Where the tools of each term will stand: every term counted once per tool. */
function startsOf(documents: readonly Analysed[], terms: number): Uint32Array<ArrayBuffer> {
  const start = new Uint32Array(terms + 1);
  const seen = new Uint32Array(terms);
  documents.forEach(({ fields }, doc) => {
    for (const field of FIELDS)
      for (const list of [fields[field].words, fields[field].pairs])
        for (const term of list) {
          if (seen[term] === doc + 1) continue;
          seen[term] = doc + 1;
          start[term + 1] = (start[term + 1] as number) + 1;
        }
  });
  for (let term = 0; term < terms; term++) start[term + 1] = (start[term + 1] as number) + (start[term] as number);
  return start;
}

function averageLengths(documents: readonly Analysed[]): Record<Field, number> {
  const average = {} as Record<Field, number>;
  for (const field of FIELDS) {
    const total = documents.reduce((sum, { fields }) => sum + fields[field].words.length, 0);
    average[field] = total / Math.max(1, documents.length) || 1;
  }
  return average;
}

/** How much a term tells that occurs in `df` of `size` tools. */
export const idf = (size: number, df: number) => Math.log(1 + (size - df + 0.5) / (df + 0.5));
