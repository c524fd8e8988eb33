/** Plain BM25 over title, heading and text: what the question set must be hard for. */
import { bm25 } from '../bm25-baseline.ts';

const tokens = (text: string): string[] => text.toLowerCase().match(/[a-z0-9]+/g) ?? [];

export function plainBm25(documents: ReadonlyMap<string, string>): (query: string, limit: number) => string[] {
  const ids = [...documents.keys()];
  const rank = bm25([...documents.values()], tokens);
  return (query, limit) => rank(query, limit).map((at) => ids[at] as string);
}
