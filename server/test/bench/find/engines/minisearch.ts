import { importBenchPackage } from '#bench/packages';
import { analyse, FIELD_NAMES, textsOf, WEIGHTS } from '../corpus-texts.ts';
import type { Engine } from '../search-engine.ts';

const { default: MiniSearch } = await importBenchPackage<typeof import('minisearch')>('minisearch');

export default {
  title: 'minisearch',
  build: ({ tools }) => {
    const index = new MiniSearch({
      fields: FIELD_NAMES,
      tokenize: (text) => analyse(text),
      processTerm: (term) => term,
      searchOptions: { boost: WEIGHTS, combineWith: 'OR', prefix: false, fuzzy: false },
    });
    index.addAll(tools.map((entry, id) => ({ id, ...textsOf(entry) })));
    return (query, limit) => ({
      ids: index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => id as number),
    });
  },
} satisfies Engine;
