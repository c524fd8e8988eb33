/** BM25 as textbooks have it (k1 1.2, b 0.75) over title, heading and text: what the exam must be hard for. */

const tokens = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

export function plainBm25(documents: ReadonlyMap<string, string>): (query: string, limit: number) => string[] {
  const counted = [...documents].map(([id, text]) => {
    const words = tokens(text);
    const counts = new Map<string, number>();
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    return { id, counts, length: words.length };
  });
  const average = counted.reduce((sum, { length }) => sum + length, 0) / counted.length;
  const frequency = new Map<string, number>();
  for (const { counts } of counted)
    for (const word of counts.keys()) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const idf = (word: string) => {
    const having = frequency.get(word) ?? 0;
    return Math.log(1 + (counted.length - having + 0.5) / (having + 0.5));
  };
  return (query, limit) => {
    const words = tokens(query);
    const gain = (word: string, count: number, length: number) =>
      (idf(word) * count * 2.2) / (count + 1.2 * (0.25 + (0.75 * length) / average));
    return counted
      .map(({ id, counts, length }) => ({
        id,
        score: words.reduce((sum, word) => sum + gain(word, counts.get(word) ?? 0, length), 0),
      }))
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ id }) => id);
  };
}
