/** The corpus for a tool: neither its code nor its file is touched before the first question, and all tools share one. */
import { Type } from '../../config/schema.ts';
import type { KnowledgeConfig, OpenedCorpus } from '../../knowledge/corpus.ts';

type Ask = () => Promise<OpenedCorpus>;
const opened = new WeakMap<KnowledgeConfig, Promise<Ask>>();

export function corpusOnDemand(config: KnowledgeConfig): Ask {
  return async () => {
    const ask = opened.get(config) ?? import('../../knowledge/corpus.ts').then(({ openCorpus }) => openCorpus(config));
    opened.set(config, ask);
    return (await ask)();
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
