import { importBenchPackage } from '#bench/packages';
import { analyse, FIELD_NAMES, textsOf, WEIGHTS } from '../corpus-texts.ts';
import type { Engine } from '../search-engine.ts';

const { create, insertMultiple, search } = await importBenchPackage<typeof import('@orama/orama')>('@orama/orama');

const SCHEMA = {
  name: 'string',
  noun: 'string',
  line: 'string',
  questions: 'string',
  path: 'string',
  place: 'string',
  text: 'string',
  params: 'string',
  details: 'string',
} as const;

export default {
  title: 'orama',
  build: async ({ tools }) => {
    const index = create({
      schema: SCHEMA,
      components: {
        tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: (text: string) => analyse(text) },
      },
    });
    await insertMultiple(
      index,
      tools.map((entry, id) => ({ id: String(id), ...textsOf(entry) })),
      1_000,
    );
    return async (query, limit) => {
      const { hits } = await search(index, {
        term: query,
        properties: FIELD_NAMES,
        boost: { ...WEIGHTS },
        limit,
        threshold: 1,
      });
      return { ids: hits.map(({ id }) => Number(id)) };
    };
  },
} satisfies Engine;
