/**
 * The search index: for every term the tools it occurs in, with one weight that already holds field importance and
 * length normalisation, and whether it stands in the name or in a noun.
 */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { type Analysed, analyse } from './analysed-tool.ts';
import { flagImpersonatingTools, type Signatures, signaturesOf } from './impersonating-tools.ts';
import { type FieldTerms, readTool } from './indexed-text.ts';
import { averageLengths, joinPostings, nameMassOf, orElse, type Postings, post, spreadOf } from './postings.ts';
import { findTerm, NO_TERM, type TermTable, termsOf, termTable } from './term-table.ts';
import { Reader } from './text-reader.ts';
import { groupName, groupRows, NO_GROUP, wordVectors } from './word-vectors.ts';

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
  /** Terms of two words that name a platform, each followed by its number. */
  signatures: Uint32Array;
  /** Per tool its group among the word vectors; `NO_GROUP` for tools of other documents. */
  groupOf: Uint16Array;
}

/** Whether some tool has the term. */
export function isUsed({ terms, start }: SearchIndex, term: string): boolean {
  const t = findTerm(terms, term);
  return t !== NO_TERM && start[t] !== start[t + 1];
}

function fieldsOf(entries: readonly { tool: Tool; text: SearchText }[], reader: Reader): FieldTerms {
  return entries.map(({ tool, text }) => readTool(tool, text, reader));
}

export function buildIndex(tools: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const reader = new Reader();
  const entries = Array.from(tools);
  const fields = fieldsOf(entries, reader);
  const documents = entries.map(({ tool, text }) => analyse(tool, text));
  const signatures = signaturesOf(documents, fields, reader.vocabulary.length);
  flagImpersonatingTools(entries, documents, fields, signatures);
  const terms = reader.vocabulary.length;
  const average = averageLengths(fields);
  const platforms = [...new Set(documents.map(({ platform }) => platform))].sort();
  const postings = post(fields, terms, average);
  const spread = spreadOf(postings);
  return {
    ...postings,
    size: documents.length,
    platforms,
    terms: termTable(reader.vocabulary),
    average,
    ...perTool(documents, platforms),
    nameMass: nameMassOf(postings, spread, documents.length),
    spread,
    signatures: Uint32Array.from([...signatures].flatMap(([term, platform]) => [term, platforms.indexOf(platform)])),
    groupOf: groupsOf(entries),
  };
}

/**
 * Extends a finished index by more tools, which get the next numbers. It reads no existing tool again and normalises
 * lengths by the existing means.
 */
export function extendIndex(base: SearchIndex, added: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const reader = new Reader(termsOf(base.terms));
  const entries = Array.from(added);
  const fields = fieldsOf(entries, reader);
  const documents = entries.map(({ tool, text }) => analyse(tool, text));
  flagImpersonatingTools(entries, documents, fields, signaturesFrom(base), base.platforms);
  const platforms = [...new Set([...base.platforms, ...documents.map(({ platform }) => platform)])];
  const terms = reader.vocabulary.length;
  const average = orElse(base.average, averageLengths(fields));
  const postings = joinPostings(base, post(fields, terms, average), base.size, terms);
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
    signatures: base.signatures,
    groupOf: Uint16Array.from([...base.groupOf, ...groupsOf(entries)]),
  };
}

function groupsOf(entries: readonly { tool: Tool; text: SearchText }[]): Uint16Array {
  const groups = groupRows(wordVectors());
  return Uint16Array.from(entries, ({ tool, text }) => groups.get(groupName(tool, text)) ?? NO_GROUP);
}

function signaturesFrom({ signatures, platforms }: SearchIndex): Signatures {
  const found = new Map<number, string>();
  for (let i = 0; i < signatures.length; i += 2)
    found.set(signatures[i] as number, platforms[signatures[i + 1] as number] as string);
  return found;
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

function joined(a: Uint8Array, b: Uint8Array): Uint8Array {
  const both = new Uint8Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
