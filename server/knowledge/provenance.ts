/** The content of the corpus and the kind of search, without a call of another service. */
import type { CorpusSource } from './corpus-store.ts';
import type { Knowledge } from './retrieve.ts';

export interface CorpusProvenance {
  /** `none`, or the model that makes vectors. */
  embedder: string;
  /** The store of the vectors; absent without an embedder. */
  vector_store?: string;
  retrieval: 'lexical' | 'hybrid';
  sources: (CorpusSource & { documents_with_vectors?: number })[];
}

export function corpusProvenance({ store, semantic }: Knowledge): CorpusProvenance {
  const sources = store.sources();
  if (semantic === undefined) return { embedder: 'none', retrieval: 'lexical', sources };
  const vectors = store.marks?.bySource(semantic.mark) ?? new Map<string, number>();
  const counted = sources.map((source) => ({
    ...source,
    documents_with_vectors: vectors.get(`${source.collection}/${source.source}`) ?? 0,
  }));
  return {
    embedder: semantic.embedder.model,
    vector_store: semantic.vectors.backend,
    retrieval: vectors.size > 0 ? 'hybrid' : 'lexical',
    sources: counted,
  };
}
