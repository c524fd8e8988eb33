/**
 * Sayings as an index of their own. Each is a short passage, and the tools of one group share theirs: words lead to
 * passages, passages to their group, a group to its tools. Nothing is stored once per tool.
 */
import { NumberLists, startsOf } from './number-lists.ts';
import { PairNumbers } from './pair-numbers.ts';
import type { Reader } from './reader.ts';
import { NO_TERM } from './term-table.ts';

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

/** What a word must tell at least to lead to a saying. */
const TELLING = 2;

export interface Group {
  tools: number[];
  /** Each saying as the number of its text. */
  sayings: number[];
}

export interface Gathered {
  groups: Group[];
  /** The terms of each saying, each once; group by group in their order. */
  passages: NumberLists;
}

/** Sayings read into numbers of the reader's vocabulary; tools with the same ones on one platform are a group. */
export function gatherSaid(tools: readonly { platform: string }[], sayings: NumberLists, reader: Reader): Gathered {
  const known = new Map<string, Group>();
  tools.forEach(({ platform }, id) => {
    if (sayings.lengthOf(id) === 0) return;
    const own = Array.from(sayings.list(id));
    const key = `${platform} ${own}`;
    const group = known.get(key);
    if (group) group.tools.push(id);
    else known.set(key, { tools: [id], sayings: own });
  });
  const groups = [...known.values()];
  return { groups, passages: passagesOf(groups, reader) };
}

function passagesOf(groups: readonly Group[], reader: Reader): NumberLists {
  const pairs = new PairNumbers();
  const counts: number[] = [];
  const stems = new NumberLists();
  const neighbours = new NumberLists();
  const addPair = (before: number, stem: number) => {
    const pair = pairs.numberOf(before, stem);
    counts[pair] = (counts[pair] ?? 0) + 1;
    neighbours.push(pair);
  };
  for (const { sayings } of groups)
    for (const saying of sayings) {
      reader.said(saying, stems, addPair);
      stems.close();
      neighbours.close();
    }
  const terms = new Int32Array(pairs.size).fill(NO_TERM);
  const termOf = (pair: number) => {
    if (terms[pair] === NO_TERM) {
      const [before, stem] = pairs.pairAt(pair);
      terms[pair] = reader.term(`${reader.stems[before]} ${reader.stems[stem]}`);
    }
    return terms[pair] as number;
  };
  const passages = new NumberLists();
  for (let saying = 0; saying < stems.count; saying++) {
    for (let at = stems.from(saying); at < stems.to(saying); at++)
      passages.pushOnce(reader.termOf(stems.numbers[at] as number));
    for (let at = neighbours.from(saying); at < neighbours.to(saying); at++) {
      const pair = neighbours.numbers[at] as number;
      // Neighbours that stand together once are no turn of phrase.
      if ((counts[pair] as number) > 1) passages.pushOnce(termOf(pair));
    }
    passages.close();
  }
  return passages;
}

export function invertSaid({ groups, passages }: Gathered, terms: number): SaidIndex {
  const passageGroup = Uint32Array.from(groups.flatMap(({ sayings }, group) => sayings.map(() => group)));
  const start = new Uint32Array(terms + 1);
  const df = new Uint32Array(terms);
  const last = new Int32Array(terms).fill(-1);
  const { numbers } = passages;
  for (let p = 0; p < passages.count; p++) {
    const group = passageGroup[p] as number;
    for (let at = passages.from(p); at < passages.to(p); at++) {
      const term = numbers[at] as number;
      start[term + 1] = (start[term + 1] as number) + 1;
      if (last[term] !== group) df[term] = (df[term] as number) + 1;
      last[term] = group;
    }
  }
  const tells = Float32Array.from(df, (count) =>
    count === 0 ? 0 : Math.log(1 + (groups.length - count + 0.5) / (count + 0.5)),
  );
  // What nearly every group says tells nothing and would be most of the index.
  for (let term = 0; term < terms; term++)
    start[term + 1] = (start[term] as number) + ((tells[term] as number) < TELLING ? 0 : (start[term + 1] as number));
  const next = start.slice();
  const passage = new Uint32Array(start[terms] as number);
  const passageMass = new Float32Array(passages.count);
  const lengths = new Uint32Array(groups.length);
  for (let p = 0; p < passages.count; p++) {
    let mass = 0;
    for (let at = passages.from(p); at < passages.to(p); at++) {
      const term = numbers[at] as number;
      if ((tells[term] as number) >= TELLING) {
        passage[next[term] as number] = p;
        next[term] = (next[term] as number) + 1;
      }
      mass += tells[term] as number;
    }
    passageMass[p] = mass;
    const group = passageGroup[p] as number;
    lengths[group] = (lengths[group] as number) + passages.lengthOf(p);
  }
  const mean = lengths.reduce((sum, length) => sum + length, 0) / Math.max(1, lengths.length) || 1;
  return {
    groupStart: Uint32Array.from(startsOf(groups.map(({ tools }) => tools.length))),
    groupTools: Uint32Array.from(groups.flatMap(({ tools }) => tools)),
    groupLength: Float32Array.from(lengths, (length) => length / mean),
    passageGroup,
    passageMass,
    start,
    passage,
    tells,
  };
}
