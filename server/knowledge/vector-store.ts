/** Where vectors of passages are kept and searched. Documents and words stay in the corpus file. */

export interface PassageVector {
  passage: number;
  vector: Float32Array;
}

/** The document that a search can be limited to. */
export interface DocumentRef {
  source: string;
  /** Empty for none. */
  platform: string;
}

export interface Near {
  passage: number;
  /** Cosine, at most 1. */
  score: number;
}

export interface NearWanted {
  limit: number;
  collection: string;
  sources?: readonly string[];
  /** Passages of these and of no platform; undefined for all. */
  platforms?: ReadonlySet<string>;
}

export interface VectorStore extends AsyncDisposable {
  readonly backend: 'embedded' | 'redis';
  /** Keeps vectors of one document, over whatever was kept for these passages. Unavailable without an answer. */
  put: (collection: string, place: DocumentRef, vectors: readonly PassageVector[]) => Promise<void>;
  remove: (collection: string, passages: readonly number[]) => Promise<void>;
  /** The nearest, best first. */
  near: (vector: Float32Array, wanted: NearWanted) => Promise<Near[]>;
  /** How many it keeps of a collection. */
  count: (collection: string) => Promise<number>;
}
