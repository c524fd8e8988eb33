/** Plain BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75) over short texts: the same for every subject that ranks nothing itself. */
import { wordsOf } from '../retrieval/name-words.ts';

const K1 = 1.2;
const B = 0.75;

/** Returns the places of the best texts, best first; ties in the order given. Texts that share no word are left out. */
export type Rank = (query: string, count: number) => number[];

export function bm25(texts: readonly string[]): Rank {
  const postings = new Map<string, { at: number; times: number }[]>();
  const lengths = texts.map((text, at) => {
    const words = wordsOf(text);
    for (const [word, times] of counted(words)) {
      const list = postings.get(word) ?? [];
      list.push({ at, times });
      postings.set(word, list);
    }
    return words.length;
  });
  const average = lengths.reduce((a, b) => a + b, 0) / Math.max(1, lengths.length);
  return (query, count) => {
    const scores = new Map<number, number>();
    for (const word of new Set(wordsOf(query))) {
      const list = postings.get(word) ?? [];
      const rarity = Math.log(1 + (texts.length - list.length + 0.5) / (list.length + 0.5));
      for (const { at, times } of list) {
        const length = 1 - B + (B * (lengths[at] ?? 0)) / average;
        scores.set(at, (scores.get(at) ?? 0) + (rarity * times * (K1 + 1)) / (times + K1 * length));
      }
    }
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, count)
      .map(([at]) => at);
  };
}

function counted(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
