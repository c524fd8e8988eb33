import { importBenchPackage } from '#bench/packages';
import { analyse, FIELD_NAMES, textsOf, WEIGHTS } from '../corpus-texts.ts';
import type { Engine } from '../search-engine.ts';

const { default: lunr } = await importBenchPackage<typeof import('lunr')>('lunr');

export default {
  title: 'lunr',
  build: ({ tools }) => {
    const builder = new lunr.Builder();
    builder.ref('id');
    for (const field of FIELD_NAMES) builder.field(field, { boost: WEIGHTS[field] });
    // Lists are taken as tokens that are ready, so its own splitting and stemming stay out.
    tools.forEach((entry, id) => {
      const texts = textsOf(entry);
      builder.add({ id, ...Object.fromEntries(FIELD_NAMES.map((field) => [field, analyse(texts[field])])) });
    });
    const index = builder.build();
    return (query, limit) => {
      const found = index.query((clauses) => {
        for (const term of new Set(analyse(query))) clauses.term(term, {});
      });
      return { ids: found.slice(0, limit).map(({ ref }) => Number(ref)) };
    };
  },
} satisfies Engine;
