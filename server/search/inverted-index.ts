/**
 * The search index: for every term the tools it occurs in, with one weight that already holds field importance and
 * length normalisation, and whether it stands in the name or in a noun.
 */
import { CAPABILITIES } from '../access/access.ts';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { type Group, gatherSaid, invertSaid, type SaidIndex } from './said-index.ts';
import { type TermTable, termsOf, termTable } from './term-table.ts';
import { words } from './tokens.ts';
import { FIELDS, type Field, type FieldTerms, fieldTerms, ownName, Reader } from './tool-text.ts';
import { VERBS, type Verb, verbOf } from './verb.ts';
import { WEIGHTS } from './weights.ts';
import { type Example, learnWishes, type WishModel } from './wish-model.ts';

export const IN_NAME = 1;
export const IN_NOUN = 2;
/** It stands there as a word, not only as two neighbours. */
export const AS_WORD = 8;
/** It stands elsewhere than in details. */
export const STATED = 16;

export const FLAG_ONE = 1;
export const FLAG_OLD = 2;
/** Its name begins with another platform's: it poses as a tool of that one. */
export const FLAG_POSES = 4;

/** Per term the tools it occurs in. */
interface Postings {
  /** Where the tools of each term start; one more entry than terms. */
  start: Uint32Array;
  doc: Uint32Array;
  weight: Float32Array;
  mask: Uint8Array;
}

export interface SearchIndex extends Postings {
  size: number;
  platforms: string[];
  terms: TermTable;
  /** Mean length of each field, by which lengths are judged; that of what is shipped, also when tools are added to it. */
  average: Float32Array;
  /** Per tool. */
  platform: Uint8Array;
  capability: Uint8Array;
  verb: Uint8Array;
  flags: Uint8Array;
  /** Its first version among the tools: of one operation in several versions, one hit is enough. */
  versionOf: Uint32Array;
  /** How much the words of the name tell, together. */
  nameMass: Float32Array;
  /** Per term. */
  spread: Float32Array;
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
  /** The same for all versions of an operation. */
  versionless: string;
}

export function analyse(tool: Tool, text: SearchText, reader: Reader): Analysed {
  const verb = verbOf(tool, text);
  return {
    fields: fieldTerms(tool, text, reader),
    platform: tool.platform,
    capability: CAPABILITIES.indexOf(tool.capability),
    verb: VERBS.indexOf(verb),
    flags: (speaksOfOne(tool, verb) ? FLAG_ONE : 0) | (tool.twin || tool.deprecated ? FLAG_OLD : 0),
    versionless: `${tool.platform}\n${tool.twin ?? tool.name}`.replace(VERSION, ''),
  };
}

/** What names end with that tell a version or a further copy: `_v2`, `-v1alpha1`, ` #3`. */
const VERSION = /[\s_.-]v\d+(?:(?:alpha|beta)\d*)?$|\s*#\d+$/i;

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

/**
 * The index of everything a finished one holds and of more tools, numbered behind its own. Nothing it holds is read again,
 * and lengths are judged by its means. What it learnt from sayings stays; those of an added tool count as its words.
 */
export function extendIndex(base: SearchIndex, added: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const reader = new Reader(termsOf(base.terms));
  const entries = Array.from(added);
  const documents = entries.map(({ tool, text }) => analyse(tool, text, reader));
  markPosers(entries, documents, base.platforms);
  const platforms = [...new Set([...base.platforms, ...documents.map(({ platform }) => platform)])];
  const terms = reader.vocabulary.length;
  const average = orElse(base.average, averageLengths(documents));
  const postings = joinPostings(base, post(documents, terms, average), base.size, terms);
  const spread = spreadOf(postings);
  const own = perTool(documents, platforms);
  const size = base.size + documents.length;
  return {
    ...postings,
    size,
    platforms,
    terms: termTable(reader.vocabulary),
    average,
    platform: joined(base.platform, own.platform),
    capability: joined(base.capability, own.capability),
    verb: joined(base.verb, own.verb),
    flags: joined(base.flags, own.flags),
    versionOf: Uint32Array.from([...base.versionOf, ...own.versionOf.map((first) => first + base.size)]),
    nameMass: nameMassOf(postings, spread, size),
    spread,
    said: { ...base.said, ...withMoreTerms(base.said, terms) },
    wishes: base.wishes,
  };
}

/** Added terms stand in no saying. */
function withMoreTerms({ start, tells }: SaidIndex, terms: number): Pick<SaidIndex, 'start' | 'tells'> {
  const more = new Uint32Array(terms + 1).fill(start.at(-1) as number);
  more.set(start);
  const tellsMore = new Float32Array(terms);
  tellsMore.set(tells);
  return { start: more, tells: tellsMore };
}

/** `others`: platforms beside those of the entries, as whose tools one may pose. */
function markPosers(
  entries: readonly { tool: Tool }[],
  documents: readonly Analysed[],
  others: readonly string[] = [],
): void {
  const platforms = new Set([...others, ...entries.map(({ tool }) => tool.platform)]);
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

function invert(
  documents: readonly Analysed[],
  vocabulary: readonly string[],
  said: SaidIndex,
  wishes: WishModel,
): SearchIndex {
  const average = averageLengths(documents);
  const platforms = [...new Set(documents.map(({ platform }) => platform))].sort();
  const postings = post(documents, vocabulary.length, average);
  const spread = spreadOf(postings);
  return {
    ...postings,
    size: documents.length,
    platforms,
    terms: termTable(vocabulary),
    average,
    ...perTool(documents, platforms),
    nameMass: nameMassOf(postings, spread, documents.length),
    spread,
    said,
    wishes,
  };
}

function perTool(documents: readonly Analysed[], platforms: readonly string[]) {
  return {
    platform: Uint8Array.from(documents, ({ platform }) => platforms.indexOf(platform)),
    capability: Uint8Array.from(documents, ({ capability }) => capability),
    verb: Uint8Array.from(documents, ({ verb }) => verb),
    flags: Uint8Array.from(documents, ({ flags }) => flags),
    versionOf: firstVersions(documents),
  };
}

function firstVersions(documents: readonly Analysed[]): Uint32Array {
  const first = new Map<string, number>();
  return Uint32Array.from(documents, ({ versionless }, id) => {
    const known = first.get(versionless) ?? id;
    first.set(versionless, known);
    return known;
  });
}

/** Tools numbered from 0, in the order given. */
function post(documents: readonly Analysed[], terms: number, average: Float32Array): Postings {
  const start = startsOf(documents, terms);
  const total = start[terms] as number;
  const doc = new Uint32Array(total);
  const weight = new Float32Array(total);
  const mask = new Uint8Array(total);
  const next = start.slice();
  const add = (term: number, id: number, gain: number, marks: number) => {
    let at = (next[term] as number) - 1;
    if (at < (start[term] as number) || doc[at] !== id) {
      at++;
      next[term] = at + 1;
      doc[at] = id;
    }
    weight[at] = (weight[at] as number) + gain;
    mask[at] = (mask[at] as number) | marks;
  };
  documents.forEach(({ fields }, id) => {
    FIELDS.forEach((field, f) => {
      const { weight: of, b } = WEIGHTS.field[field];
      const { words, pairs } = fields[field];
      const gain = of / (1 - b + (b * words.length) / (average[f] || 1));
      const stated = field === 'details' ? 0 : STATED;
      const marks = (MASKS[field] ?? 0) | AS_WORD | stated;
      for (const term of words) add(term, id, gain, marks);
      const pairGain = field === 'params' ? gain * WEIGHTS.paramPair : gain;
      for (const term of pairs) add(term, id, pairGain, stated);
    });
  });
  return { start, doc, weight, mask };
}

/** Both, term by term; the tools of the second are numbered from `from`. */
function joinPostings(a: Postings, b: Postings, from: number, terms: number): Postings {
  const total = a.doc.length + b.doc.length;
  const start = new Uint32Array(terms + 1);
  const doc = new Uint32Array(total);
  const weight = new Float32Array(total);
  const mask = new Uint8Array(total);
  let at = 0;
  for (let term = 0; term < terms; term++) {
    for (const [part, by] of [[a, 0] as const, [b, from] as const]) {
      const end = part.start[term + 1] ?? 0;
      for (let i = part.start[term] ?? end; i < end; i++, at++) {
        doc[at] = (part.doc[i] as number) + by;
        weight[at] = part.weight[i] as number;
        mask[at] = part.mask[i] as number;
      }
    }
    start[term + 1] = at;
  }
  return { start, doc, weight, mask };
}

/** How many tools use each term, where one that uses it in details only counts less. */
function spreadOf({ start, mask }: Postings): Float32Array {
  const spread = new Float32Array(start.length - 1);
  for (let term = 0; term < spread.length; term++)
    for (let at = start[term] as number; at < (start[term + 1] as number); at++)
      spread[term] = (spread[term] as number) + ((mask[at] as number) & STATED ? 1 : WEIGHTS.asDetail);
  return spread;
}

/** How much the words of each name tell among so many tools, together. */
function nameMassOf({ start, doc, mask }: Postings, spread: Float32Array, size: number): Float32Array {
  const mass = new Float32Array(size);
  for (let term = 0; term + 1 < start.length; term++) {
    const from = start[term] as number;
    const to = start[term + 1] as number;
    const tells = idf(size, spread[term] as number);
    for (let at = from; at < to; at++) {
      const id = doc[at] as number;
      if ((mask[at] as number) & IN_NAME) mass[id] = (mass[id] as number) + tells;
    }
  }
  return mass;
}

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
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

/** In the order of `FIELDS`. */
function averageLengths(documents: readonly Analysed[]): Float32Array {
  return Float32Array.from(FIELDS, (field) => {
    const total = documents.reduce((sum, { fields }) => sum + fields[field].words.length, 0);
    return total / Math.max(1, documents.length);
  });
}

/** A field that nothing shipped has is judged by what was added first. */
const orElse = (lengths: Float32Array, others: Float32Array) =>
  lengths.map((length, i) => length || (others[i] as number));

/** How much a term tells that occurs in `df` of `size` tools. */
export const idf = (size: number, df: number) => Math.log(1 + (size - df + 0.5) / (df + 0.5));
