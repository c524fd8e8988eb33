/** The corpus of a router: opened when a question comes, read-only, and missing where nobody has built one. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { CORPUS_FILE, EmbeddedStore } from './embedded-store.ts';
import type { Store } from './store.ts';

/** Documents for everybody, and those of `search_internal_docs`. */
export const COLLECTIONS = { docs: 'default', internal: 'internal' } as const;

export const corpusFile = (stateDir: string): string => join(stateDir, 'knowledge', CORPUS_FILE);

/** Undefined while there is none; what is taken in later is seen by the next question. */
export function openCorpus(stateDir: string): () => Store | undefined {
  const file = corpusFile(stateDir);
  let store: Store | undefined;
  return () => {
    if (store === undefined && existsSync(file)) store = new EmbeddedStore(file, { readOnly: true });
    return store;
  };
}

export interface Degraded {
  error: string;
  degraded: true;
  hint: string;
}

export function noCorpus(collection: string): Degraded {
  return {
    error: `no documents were taken in for the collection "${collection}"`,
    degraded: true,
    hint: 'an operator takes documents in with: svc-mcp-ingest PATH… (an image needs the extra INSTALL_EXTRAS=ingestion); lookup_api answers about the API without it',
  };
}
