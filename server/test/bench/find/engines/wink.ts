import { importBenchPackage } from '#bench/packages';
import { analyse, textsOf, WEIGHTS } from '../corpus-texts.ts';
import type { Engine } from '../search-engine.ts';

const { default: wink } = await importBenchPackage<typeof import('wink-bm25-text-search')>('wink-bm25-text-search');

export default {
  title: 'wink-bm25',
  build: ({ tools }) => {
    const index = wink();
    index.defineConfig({ fldWeights: { ...WEIGHTS } });
    index.definePrepTasks([(text) => analyse(text)]);
    tools.forEach((entry, id) => {
      index.addDoc(textsOf(entry), id);
    });
    index.consolidate();
    return (query, limit) => ({ ids: index.search(query, limit).map(([id]) => Number(id)) });
  },
} satisfies Engine;
