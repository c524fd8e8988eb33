import { create, insertMultiple, search } from '@orama/orama';
import { terms } from '../../../search/tokens.ts';
import type { Engine } from '../engine.ts';
import { FIELD_NAMES, textsOf, WEIGHTS } from '../texts.ts';

const SCHEMA = {
  name: 'string',
  noun: 'string',
  questions: 'string',
  description: 'string',
  path: 'string',
  params: 'string',
} as const;

export default {
  title: 'orama',
  build: async ({ tools }) => {
    const index = create({
      schema: SCHEMA,
      components: {
        tokenizer: { language: 'english', normalizationCache: new Map(), tokenize: (text: string) => terms(text) },
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
