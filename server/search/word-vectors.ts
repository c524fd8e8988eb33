/**
 * Trained word vectors: a linear text classifier from the words of a question to groups of operations of the shipped
 * platforms. It was trained on example utterances and on the texts of the documents
 * (`server/test/bench/find/training/README.md`). Tools of other documents belong to no group.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SearchText, Tool } from '../catalog/tool.ts';
import { packArrays, unpackArrays } from './packed-arrays.ts';
import { findTerm, NO_TERM, type TermTable, termTable } from './term-table.ts';
import { utteranceTerms, words } from './tokens.ts';

export interface WordVectors {
  terms: TermTable;
  /** The names of the groups, a line each: read only where tools are indexed. */
  groupNames: Uint8Array;
  dimensions: number;
  /** Per term: inverse document frequency, and the value of one unit of its vector. */
  idf: Float32Array;
  termScale: Float32Array;
  termVectors: Int8Array;
  /** Per group. */
  groupScale: Float32Array;
  groupBias: Float32Array;
  groupVectors: Float32Array;
}

const FILE = join(import.meta.dirname, 'word-vectors.bin');
export const NO_GROUP = 0xffff;

let loaded: WordVectors | undefined;

/** The vectors beside this file, read once. */
export function wordVectors(): WordVectors {
  loaded ??= existsSync(FILE) ? readWordVectors(readFileSync(FILE)) : NONE;
  return loaded;
}

const NONE: WordVectors = {
  terms: termTable([]),
  groupNames: new Uint8Array(),
  dimensions: 0,
  idf: new Float32Array(),
  termScale: new Float32Array(),
  termVectors: new Int8Array(),
  groupScale: new Float32Array(),
  groupBias: new Float32Array(),
  groupVectors: new Float32Array(),
};

/** As the file holds them: vectors of groups as bytes. */
export type StoredVectors = Omit<WordVectors, 'groupVectors'> & { groupVectors: Int8Array };

const MAGIC = 0x43455657;
const ARRAYS = 10;

export function packWordVectors(vectors: StoredVectors): Buffer {
  const { terms, dimensions } = vectors;
  return packArrays(MAGIC, dimensions, [
    vectors.groupNames,
    terms.letters,
    terms.offset,
    terms.slots,
    vectors.idf,
    vectors.termScale,
    vectors.termVectors,
    vectors.groupScale,
    vectors.groupBias,
    vectors.groupVectors,
  ]);
}

export function readWordVectors(file: Buffer): WordVectors {
  const { magic, size, next } = unpackArrays(file, ARRAYS);
  if (magic !== MAGIC) throw new Error(`${FILE} should hold word vectors, got another kind of file`);
  return {
    dimensions: size,
    groupNames: next(Uint8Array),
    terms: { letters: next(Uint16Array), offset: next(Uint32Array), slots: next(Uint32Array) },
    idf: next(Float32Array),
    termScale: next(Float32Array),
    termVectors: next(Int8Array),
    groupScale: next(Float32Array),
    groupBias: next(Float32Array),
    // Products of floats are several times faster than of bytes.
    groupVectors: new Float32Array(next(Int8Array)),
  };
}

/** Names of groups → rows of `groupVectors`. */
export function groupRows({ groupNames }: WordVectors): ReadonlyMap<string, number> {
  const names = Buffer.from(groupNames).toString();
  return new Map(names === '' ? [] : names.split('\n').map((name, row) => [name, row]));
}

/** Kinds of operations that people ask for in the same words, per resource. */
const SHARED_KINDS: Readonly<Record<string, string>> = {
  list: 'read',
  get: 'read',
  count: 'read',
  search: 'read',
  export: 'read',
  'singleton-get': 'read',
  references: 'read',
  history: 'read',
  stats: 'read',
  create: 'create',
  'bulk-create': 'create',
  replace: 'change',
  patch: 'change',
  'singleton-put': 'change',
  set: 'change',
  'bulk-patch': 'change',
  delete: 'delete',
  'bulk-delete': 'delete',
};

/** The name of the group of a tool: operations of one resource that do the same, else the operation alone. */
export function groupName(
  { platform, document, resource, operationId, name }: Tool,
  { kind }: Pick<SearchText, 'kind'>,
): string {
  const shared = SHARED_KINDS[kind];
  const own = shared === undefined || resource === undefined ? (operationId ?? name) : `${resource.name} ${shared}`;
  return `${platform}/${document}/${own}`;
}

/** Dimensions come in the order of what they say: by the first of them most groups are ruled out. */
const FIRST = 48;
/** A group whose logit is so far behind the best by then has hardly any probability. */
const MARGIN = 7;

/** Probability of each group for a text without values; empty where no word of it has a vector. */
export function groupProbabilities(vectors: WordVectors, text: string): Float32Array {
  const { dimensions, groupScale, groupBias, groupVectors } = vectors;
  const question = questionVector(vectors, text);
  if (question === undefined) return new Float32Array();
  const first = Math.min(FIRST, dimensions);
  const shares = new Float32Array(groupBias.length);
  let best = Number.NEGATIVE_INFINITY;
  for (let group = 0, at = 0; group < shares.length; group++, at += dimensions) {
    const logit =
      dot(question, groupVectors, at, 0, first) * (groupScale[group] as number) + (groupBias[group] as number);
    shares[group] = logit;
    if (logit > best) best = logit;
  }
  let total = 0;
  for (let group = 0, at = 0; group < shares.length; group++, at += dimensions) {
    const behind = (shares[group] as number) - best;
    const rest = behind < -MARGIN ? 0 : dot(question, groupVectors, at, first, dimensions);
    shares[group] = behind < -MARGIN ? 0 : Math.exp(behind + rest * (groupScale[group] as number));
    total += shares[group] as number;
  }
  return shares.map((share) => share / total);
}

/** The idf-weighted mean of the vectors of the terms of a text; undefined where none has a vector. */
function questionVector(
  { terms, dimensions, idf, termScale, termVectors }: WordVectors,
  text: string,
): Float32Array | undefined {
  const sum = new Float32Array(dimensions);
  let squares = 0;
  for (const term of new Set(utteranceTerms(words(text)))) {
    const row = findTerm(terms, term);
    if (row === NO_TERM) continue;
    const weight = idf[row] as number;
    squares += weight * weight;
    const unit = weight * (termScale[row] as number);
    for (let i = 0, at = row * dimensions; i < dimensions; i++, at++)
      sum[i] = (sum[i] as number) + unit * (termVectors[at] as number);
  }
  return squares === 0 ? undefined : sum.map((value) => value / Math.sqrt(squares));
}

/** Over the dimensions from one to before another, which are multiples of 4: four sums, so that no addition waits for the one before. */
function dot(a: Float32Array, all: Float32Array, row: number, from: number, to: number): number {
  let [w, x, y, z] = [0, 0, 0, 0];
  for (let i = from, at = row + from; i < to; i += 4, at += 4) {
    w += (a[i] as number) * (all[at] as number);
    x += (a[i + 1] as number) * (all[at + 1] as number);
    y += (a[i + 2] as number) * (all[at + 2] as number);
    z += (a[i + 3] as number) * (all[at + 3] as number);
  }
  return w + x + y + z;
}

/** Where lists of such lengths start, one behind the other; one more entry than lists. */
export function startsOf(counts: readonly number[]): number[] {
  const starts = [0];
  for (const count of counts) starts.push((starts.at(-1) as number) + count);
  return starts;
}
