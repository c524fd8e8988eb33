/** The corpus of a router: opened when a question comes, read-only, and missing where nobody has built one. */
import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import { Egress } from '../egress/egress.ts';
import { CORPUS_FILE } from './corpus-file.ts';
import type { Store } from './corpus-store.ts';
import { EmbeddedStore } from './embedded-store.ts';
import type { Knowledge } from './retrieve.ts';
import { Semantic } from './semantic.ts';
import type { VectorStore } from './vector-store.ts';

export type KnowledgeConfig = Pick<Config, 'stateDir' | 'knowledge' | 'redis' | 'egress'>;

/** Documents for everybody, and those of `search_internal_docs`. */
export const COLLECTIONS = { docs: 'default', internal: 'internal' } as const;

/** Most time for vectors: of one question, for which somebody waits, and of documents. */
const QUESTION_MS = 5_000;
const DOCUMENTS_MS = 180_000;

export const corpusFile = (stateDir: string): string => join(stateDir, 'knowledge', CORPUS_FILE);

/** A corpus, why one that is there cannot be used, or undefined for none. */
export type OpenedCorpus = Knowledge | Degraded | undefined;

/**
 * The next query sees documents that were ingested in the meantime, and opens again what failed to open. A corpus that was removed,
 * or replaced by another file, is not read any more.
 */
export function openCorpus(config: KnowledgeConfig): () => Promise<OpenedCorpus> {
  const file = corpusFile(config.stateDir);
  let opened: { mark: string; knowledge: Promise<Knowledge> } | undefined;
  return async () => {
    const mark = markOf(file);
    // The earlier one is not closed: a question that waits for vectors still reads it.
    if (mark === undefined) opened = undefined;
    else if (mark !== opened?.mark) opened = { mark, knowledge: openToRead(file, config) };
    try {
      return await opened?.knowledge;
    } catch (error) {
      opened = undefined;
      if (!isUnreadable(error)) throw error;
      return { error: 'the document corpus cannot be read', degraded: true, hint: 'an operator runs svc-mcp-doctor' };
    }
  };
}

/** The same as long as it is the same file, whatever is written into it; undefined where there is none. */
function markOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false, bigint: true });
  return found && `${found.dev}.${found.ino}`;
}

const isUnreadable = (error: unknown): boolean => (error as { code?: string }).code === 'ERR_SQLITE_ERROR';

async function openToRead(file: string, config: KnowledgeConfig): Promise<Knowledge> {
  const store = new EmbeddedStore(file, { readOnly: true });
  return { store, semantic: await openSemantic(config, store, { readOnly: true }) };
}

/** Search by meaning as it is configured; undefined where nobody makes vectors. */
export async function openSemantic(
  config: KnowledgeConfig,
  store: Store,
  { readOnly = false } = {},
): Promise<Semantic | undefined> {
  const { embedder } = config.knowledge;
  if (embedder === undefined) return undefined;
  const { ollamaEmbedder } = await import('./embedders/ollama.ts');
  return new Semantic({
    embedder: ollamaEmbedder({
      ...embedder,
      answerMs: readOnly ? QUESTION_MS : DOCUMENTS_MS,
      egress: new Egress({ listed: config.egress }),
    }),
    vectors: await openVectors(config, store, embedder.model, readOnly),
  });
}

async function openVectors(
  { knowledge: { backend }, redis, stateDir }: KnowledgeConfig,
  store: Store,
  model: string,
  readOnly: boolean,
): Promise<VectorStore> {
  if (backend === 'redis' && redis !== undefined) {
    const { RedisVectors } = await import('./vectors/redis-vectors.ts');
    return new RedisVectors({ address: redis, space: `${store.marks ? store.identity : 'none'}:${model}` });
  }
  const { EmbeddedVectors } = await import('./vectors/embedded.ts');
  return new EmbeddedVectors(corpusFile(stateDir), { readOnly });
}

export interface Degraded {
  error: string;
  degraded: true;
  hint: string;
}

export function noCorpus(collection: string): Degraded {
  return {
    error: `no documents were ingested for the collection "${collection}"`,
    degraded: true,
    hint: 'an operator takes documents in with: svc-mcp-ingest PATH… (an image needs the extra INSTALL_EXTRAS=ingestion); lookup_api answers about the API without it',
  };
}
