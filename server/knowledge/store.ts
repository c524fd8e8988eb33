/** Where a corpus is kept, and what a retrieval can ask of it. */
import type { DocumentFacts, Passage, ReadDocument } from './passage.ts';
import type { Asked } from './question.ts';

export interface StoredPassage extends Passage {
  facts: DocumentFacts;
  score: number;
}

export interface Wanted {
  limit: number;
  collection: string;
  sources?: readonly string[];
}

export interface CorpusSource {
  collection: string;
  source: string;
  documents: number;
  passages: number;
  licences: string[];
  /** When the newest of them was taken in, ISO 8601. */
  ingested_at: string;
}

export interface Store extends Disposable {
  /** Hash of a document's content as it was taken in; undefined where it is not there. */
  hashOf: (collection: string, path: string) => string | undefined;
  /** Replaces a document whole, or not at all. */
  put: (collection: string, hash: string, document: ReadDocument) => void;
  /** Every path of a collection. */
  paths: (collection: string) => string[];
  remove: (collection: string, path: string) => void;
  search: (asked: Asked, wanted: Wanted) => StoredPassage[];
  /** Passages of documents whose path or title holds this identifier. */
  named: (identifier: string, wanted: Wanted) => StoredPassage[];
  sources: () => CorpusSource[];
}
