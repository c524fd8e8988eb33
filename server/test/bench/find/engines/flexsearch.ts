import { importBenchPackage } from '#bench/packages';
import { analyse, FIELD_NAMES, textsOf } from '../corpus-texts.ts';
import type { Engine } from '../search-engine.ts';

const { Index } = await importBenchPackage<typeof import('flexsearch')>('flexsearch');

export default {
  title: 'flexsearch',
  build: ({ tools }) => {
    // It weighs a word by its place in the text, so the weightier fields come first.
    const index = new Index({ tokenize: 'strict', encode: (text: string) => analyse(text) });
    tools.forEach((entry, id) => {
      const texts = textsOf(entry);
      index.add(id, FIELD_NAMES.map((field) => texts[field]).join(' '));
    });
    return (query, limit) => ({ ids: index.search(query, { limit, suggest: true }).map(Number) });
  },
} satisfies Engine;
