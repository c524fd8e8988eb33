/** The corpus for a tool: neither its code nor its file is touched before the first question. */
import { Type } from '../../config/schema.ts';
import type { openCorpus } from '../../knowledge/corpus.ts';
import type { Store } from '../../knowledge/store.ts';

export function corpusOnDemand(stateDir: string): () => Promise<Store | undefined> {
  let corpus: ReturnType<typeof openCorpus> | undefined;
  return async () => {
    corpus ??= (await import('../../knowledge/corpus.ts')).openCorpus(stateDir);
    return corpus();
  };
}

const MOST_SOURCES = 20;

export const SourceList = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 400,
    description: `Only these sources, separated by commas, at most ${MOST_SOURCES}`,
  }),
);

export function sourcesOf(list: string | undefined): { sources?: string[] } {
  const names = (list ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .slice(0, MOST_SOURCES);
  return names.length > 0 ? { sources: names } : {};
}
