/**
 * The index of utterances: words lead to groups of tools with the same utterances, and a group to its tools. It stores
 * nothing once per tool.
 */
import { arrayOf, NumberLists, startsOf } from './number-lists.ts';
import { PairNumbers } from './pair-numbers.ts';
import { idf, saturated } from './postings.ts';
import { NO_TERM } from './term-table.ts';
import type { Reader } from './text-reader.ts';
import { WEIGHTS } from './weights.ts';

const { sayings: W } = WEIGHTS;

export interface UtteranceIndex {
  /** The start of the tools of each group; one more entry than groups, empty without utterances. */
  groupStart: Uint32Array;
  groupTools: Uint32Array;
  /** Where the groups of each term start; one more entry than terms. */
  start: Uint32Array;
  group: Uint16Array | Uint32Array;
  /** Term frequency in the utterances of the group, normalised by their length: BM25 without its idf. */
  weight: Float32Array;
  /** Per term: how much it tells apart groups. */
  idf: Float32Array;
}

/** The least idf of a word that leads to a group. */
const TELLING = 1;

export interface Group {
  tools: number[];
  /** Each utterance as the number of its text. */
  utterances: number[];
}

export interface Gathered {
  groups: Group[];
  /** The terms of all utterances of each group, one list a group. */
  terms: NumberLists;
}

/**
 * Reads utterances into numbers of the reader's vocabulary. Tools of one platform with the same utterances are a
 * group.
 */
export function groupUtterances(
  tools: readonly { platform: string }[],
  sayings: NumberLists,
  reader: Reader,
): Gathered {
  const known = new Map<string, Group>();
  tools.forEach(({ platform }, id) => {
    if (sayings.lengthOf(id) === 0) return;
    const own = Array.from(sayings.list(id));
    const key = `${platform} ${own}`;
    const group = known.get(key);
    if (group) group.tools.push(id);
    else known.set(key, { tools: [id], utterances: own });
  });
  const groups = [...known.values()];
  return { groups, terms: utteranceTerms(groups, reader) };
}

/** Stems, and neighbours that stand together more than once. */
function utteranceTerms(groups: readonly Group[], reader: Reader): NumberLists {
  const pairs = new PairNumbers();
  const counts: number[] = [];
  const stems = new NumberLists();
  const neighbours = new NumberLists();
  const addPair = (before: number, stem: number) => {
    const pair = pairs.numberOf(before, stem);
    counts[pair] = (counts[pair] ?? 0) + 1;
    neighbours.push(pair);
  };
  for (const { utterances } of groups) {
    for (const saying of utterances) reader.said(saying, stems, addPair);
    stems.close();
    neighbours.close();
  }
  const numbers = new Int32Array(pairs.size).fill(NO_TERM);
  const termOf = (pair: number) => {
    if (numbers[pair] === NO_TERM) {
      const [before, stem] = pairs.pairAt(pair);
      numbers[pair] = reader.term(`${reader.stems[before]} ${reader.stems[stem]}`);
    }
    return numbers[pair] as number;
  };
  const terms = new NumberLists();
  for (let group = 0; group < groups.length; group++) {
    for (let at = stems.from(group); at < stems.to(group); at++) terms.push(reader.termOf(stems.numbers[at] as number));
    for (let at = neighbours.from(group); at < neighbours.to(group); at++) {
      const pair = neighbours.numbers[at] as number;
      if ((counts[pair] as number) > 1) terms.push(termOf(pair));
    }
    terms.close();
  }
  return terms;
}

/** `vocabulary`: how many terms there are. */
export function invertUtterances({ groups, terms }: Gathered, vocabulary: number): UtteranceIndex {
  const spread = spreadOf(terms, vocabulary);
  const termIdf = Float32Array.from(spread, (count) => (count === 0 ? 0 : idf(groups.length, count)));
  const start = new Uint32Array(vocabulary + 1);
  // What nearly every group says tells nothing and would be most of the index.
  for (let term = 0; term < vocabulary; term++)
    start[term + 1] = (start[term] as number) + ((termIdf[term] as number) < TELLING ? 0 : (spread[term] as number));
  const next = start.slice();
  const group = new (arrayOf(groups.length))(start[vocabulary] as number);
  const weight = new Float32Array(group.length);
  const mean = terms.length / Math.max(1, groups.length) || 1;
  for (let g = 0; g < groups.length; g++) {
    for (let at = terms.from(g); at < terms.to(g); at++) {
      const term = terms.numbers[at] as number;
      if ((termIdf[term] as number) < TELLING) continue;
      let place = (next[term] as number) - 1;
      if (place < (start[term] as number) || group[place] !== g) {
        place++;
        next[term] = place + 1;
        group[place] = g;
      }
      weight[place] = (weight[place] as number) + 1;
    }
  }
  for (let place = 0; place < weight.length; place++) {
    const length = terms.lengthOf(group[place] as number) / mean;
    weight[place] = saturated(weight[place] as number, W.k1, 1 - W.b + W.b * length);
  }
  return {
    groupStart: Uint32Array.from(startsOf(groups.map(({ tools }) => tools.length))),
    groupTools: Uint32Array.from(groups.flatMap(({ tools }) => tools)),
    start,
    group,
    weight,
    idf: termIdf,
  };
}

/** Of how many groups each term is said. */
function spreadOf(terms: NumberLists, vocabulary: number): Uint32Array {
  const spread = new Uint32Array(vocabulary);
  const last = new Int32Array(vocabulary).fill(-1);
  for (let g = 0; g < terms.count; g++)
    for (let at = terms.from(g); at < terms.to(g); at++) {
      const term = terms.numbers[at] as number;
      if (last[term] !== g) spread[term] = (spread[term] as number) + 1;
      last[term] = g;
    }
  return spread;
}
