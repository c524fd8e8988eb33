import { Index } from 'flexsearch';
import { terms } from '../../../search/tokens.ts';
import type { Engine } from '../engine.ts';
import { FIELD_NAMES, textsOf } from '../texts.ts';

export default {
  title: 'flexsearch',
  build: ({ tools }) => {
    // It weighs a word by its place in the text, so the weightier fields come first.
    const index = new Index({ tokenize: 'strict', encode: (text: string) => terms(text) });
    tools.forEach((entry, id) => {
      const texts = textsOf(entry);
      index.add(id, FIELD_NAMES.map((field) => texts[field]).join(' '));
    });
    return (query, limit) => ({ ids: index.search(query, { limit, suggest: true }).map(Number) });
  },
} satisfies Engine;
