/** The store of documents and words, and the queries of retrieval. */
import type { Asked } from './knowledge-query.ts';
import type { DocumentMetadata, Passage, ReadDocument } from './passage.ts';
import type { VectorMarks } from './vector-marks.ts';

export interface StoredPassage extends Passage {
  /** Never given to another passage of this corpus. */
  id: number;
  metadata: DocumentMetadata;
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
  /** Passages whose documents bear this mark; the others are left out. */
  byIds: (ids: readonly number[], mark: string, wanted: Wanted) => StoredPassage[];
  has: (collection: string) => boolean;
  sources: () => CorpusSource[];
  /** Tells this corpus from every other. */
  readonly identity: string;
  readonly marks: VectorMarks | undefined;
}
