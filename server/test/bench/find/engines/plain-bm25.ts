/** Plain BM25 over what a client is shown of a tool: its name and its one line, lower-cased and split at whatever is no letter or digit. */
import type { Engine } from '../search-engine.ts';

const K1 = 1.2;
const B = 0.75;

const analyse = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export default {
  title: 'plain BM25',
  build: ({ tools }) => {
    const documents = tools.map(({ tool }) => analyse(`${tool.name} ${tool.line}`));
    const average = documents.reduce((sum, { length }) => sum + length, 0) / documents.length;
    const postings = new Map<string, Map<number, number>>();
    documents.forEach((words, id) => {
      for (const word of words) {
        const counts = postings.get(word) ?? new Map<number, number>();
        counts.set(id, (counts.get(id) ?? 0) + 1);
        postings.set(word, counts);
      }
    });
    const norms = documents.map(({ length }) => K1 * (1 - B + (B * length) / average));
    return (query, limit) => {
      const scores = new Map<number, number>();
      for (const word of analyse(query)) {
        const counts = postings.get(word);
        if (counts === undefined) continue;
        const idf = Math.log(1 + (tools.length - counts.size + 0.5) / (counts.size + 0.5));
        for (const [id, count] of counts)
          scores.set(id, (scores.get(id) ?? 0) + (idf * count * (K1 + 1)) / (count + (norms[id] as number)));
      }
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, limit);
      return { ids: best.map(([id]) => id) };
    };
  },
} satisfies Engine;
