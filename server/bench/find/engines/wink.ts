import wink from 'wink-bm25-text-search';
import { terms } from '../../../search/tokens.ts';
import type { Engine } from '../engine.ts';
import { textsOf, WEIGHTS } from '../texts.ts';

export default {
  title: 'wink-bm25',
  build: ({ tools }) => {
    const index = wink();
    index.defineConfig({ fldWeights: { ...WEIGHTS } });
    index.definePrepTasks([(text) => terms(text)]);
    tools.forEach((entry, id) => {
      index.addDoc(textsOf(entry), id);
    });
    index.consolidate();
    return (query, limit) => ({ ids: index.search(query, limit).map(([id]) => Number(id)) });
  },
} satisfies Engine;
