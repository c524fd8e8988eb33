/** Plain BM25 over what a client is shown of a tool: its name and its one line, lower-cased and split at whatever is no letter or digit. */
import { bm25 } from '../../bm25-baseline.ts';
import type { Engine } from '../search-engine.ts';

const analyse = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

export default {
  title: 'plain BM25',
  build: ({ tools }) => {
    const rank = bm25(
      tools.map(({ tool }) => `${tool.name} ${tool.line}`),
      analyse,
    );
    return (query, limit) => ({ ids: rank(query, limit) });
  },
} satisfies Engine;
