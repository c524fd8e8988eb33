/** Plain BM25 (Robertson and Zaragoza 2009, k1 1.2, b 0.75), the baseline of the question sets. A word asked for twice counts twice. */

const K1 = 1.2;
const B = 0.75;

/** Returns the places of the best texts, best first; ties in the order given. Texts that share no word are left out. */
export type Rank = (query: string, limit: number) => number[];

export function bm25(texts: readonly string[], wordsOf: (text: string) => readonly string[]): Rank {
  const documents = texts.map(wordsOf);
  const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
  const norms = documents.map(({ length }) => K1 * (1 - B + (B * length) / average));
  const postings = new Map<string, Map<number, number>>();
  documents.forEach((words, at) => {
    for (const word of words) {
      const counts = postings.get(word) ?? new Map<number, number>();
      counts.set(at, (counts.get(at) ?? 0) + 1);
      postings.set(word, counts);
    }
  });
  return (query, limit) => {
    const scores = new Map<number, number>();
    for (const word of wordsOf(query)) {
      const counts = postings.get(word);
      if (counts === undefined) continue;
      const idf = Math.log(1 + (documents.length - counts.size + 0.5) / (counts.size + 0.5));
      for (const [at, count] of counts)
        scores.set(at, (scores.get(at) ?? 0) + (idf * count * (K1 + 1)) / (count + (norms[at] as number)));
    }
    return [...scores]
      .sort(([a, x], [b, y]) => y - x || a - b)
      .slice(0, limit)
      .map(([at]) => at);
  };
}
