/**
 * The search index: for every term the tools it occurs in, with one weight that already holds field importance and
 * length normalisation, and whether it stands in the name or in a noun.
 */
import type { SearchText, Tool } from '../catalog/tool.ts';
import { type Analysed, analyse } from './analysed-tool.ts';
import { dictionary } from './dictionary.ts';
import { flagImpersonatingTools, type Signatures, signaturesOf } from './impersonating-tools.ts';
import { FieldTerms, readTool } from './indexed-text.ts';
import { type Example, type IntentModel, learnIntents } from './intent-model.ts';
import { VERBS, type Verb } from './operation-kind.ts';
import { averageLengths, joinPostings, nameMassOf, orElse, type Postings, post, spreadOf } from './postings.ts';
import { type Synonyms, synonymsOf, withMoreTerms } from './synonyms.ts';
import { type TermTable, termsOf, termTable } from './term-table.ts';
import { Reader } from './text-reader.ts';
import { type Group, groupUtterances, invertUtterances, type UtteranceIndex } from './utterance-index.ts';

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
  said: UtteranceIndex;
  /** Synonyms of the words of a question; empty if no tool has utterances. */
  synonyms: Synonyms;
  intents: IntentModel;
}

function fieldsOf(entries: readonly { tool: Tool; text: SearchText }[], reader: Reader): FieldTerms {
  const fields = new FieldTerms();
  for (const { tool, text } of entries) readTool(tool, text, reader, fields);
  return fields;
}

export function buildIndex(tools: Iterable<{ tool: Tool; text: SearchText }>): SearchIndex {
  const reader = new Reader();
  const entries = Array.from(tools);
  const fields = fieldsOf(entries, reader);
  const documents = entries.map(({ tool, text }) => analyse(tool, text));
  const signatures = signaturesOf(documents, fields, reader.vocabulary.length);
  flagImpersonatingTools(entries, documents, fields, signatures);
  const gathered = groupUtterances(documents, fields.sayings, reader);
  const intents = learnIntents(examplesFrom(gathered.groups, documents), reader);
  // The dictionary speaks of networks: where no document tells how people ask, it may be about something else.
  const synonyms = synonymsOf(gathered.groups.length > 0 ? dictionary() : [], reader);
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
    said: invertUtterances(gathered, terms),
    synonyms,
    intents,
  };
}

/**
 * Extends a finished index by more tools, which get the next numbers. It reads no existing tool again and normalises
 * lengths by the existing means. Its intent model stays. Utterances of an added tool count as its words.
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
    said: { ...base.said, ...unsaid(base.said, terms) },
    synonyms: withMoreTerms(base.synonyms, terms),
    intents: base.intents,
  };
}

/** No utterance contains the added terms. */
function unsaid({ start, idf }: UtteranceIndex, terms: number): Pick<UtteranceIndex, 'start' | 'idf'> {
  const more = new Uint32Array(terms + 1).fill(start.at(-1) as number);
  more.set(start);
  const longerIdf = new Float32Array(terms);
  longerIdf.set(idf);
  return { start: more, idf: longerIdf };
}

/** A group that reads in several ways is one that reads. */
function examplesFrom(groups: readonly Group[], documents: readonly Analysed[]): Example[] {
  return groups.flatMap(({ tools, utterances }) => {
    const verbs = tools.map((id) => VERBS[(documents[id] as Analysed).verb] as Verb);
    const verb = verbs.find((each) => each === 'list' || each === 'get') ?? (verbs[0] as Verb);
    return utterances.map((text) => ({ text, verb }));
  });
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
