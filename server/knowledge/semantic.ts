/**
 * Search by meaning: an embedder and the store of its vectors. After a failure it is not called for a while, so that
 * not every question waits for its timeout.
 */
import { type Embedder, Refused, Unavailable } from './embedder.ts';
import type { Near, NearWanted, VectorStore } from './vector-store.ts';

export interface SemanticOptions {
  embedder: Embedder;
  vectors: VectorStore;
  /** How long one that did not answer is left alone. */
  pauseMs?: number;
  now?: () => number;
}

const PAUSE_MS = 30_000;

export class Semantic implements AsyncDisposable {
  readonly embedder: Embedder;
  readonly vectors: VectorStore;
  readonly #pauseMs: number;
  readonly #now: () => number;
  #silent: { until: number; why: Unavailable } | undefined;

  constructor({ embedder, vectors, pauseMs = PAUSE_MS, now = () => performance.now() }: SemanticOptions) {
    this.embedder = embedder;
    this.vectors = vectors;
    this.#pauseMs = pauseMs;
    this.#now = now;
  }

  /** On every document whose vectors it made and keeps. */
  get mark(): string {
    return `${this.vectors.backend}/${this.embedder.model}`;
  }

  /** Passages near a question; Unavailable or Refused where nobody can tell. */
  async near(question: string, wanted: NearWanted): Promise<Near[]> {
    if (this.#silent && this.#now() < this.#silent.until) throw this.#silent.why;
    try {
      const [vector] = await this.embedder.embed([question], 'question');
      const near = await this.vectors.near(vector as Float32Array, wanted);
      this.#silent = undefined;
      return near;
    } catch (error) {
      if (error instanceof Unavailable) this.#silent = { until: this.#now() + this.#pauseMs, why: error };
      throw error;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.vectors[Symbol.asyncDispose]();
  }
}

/** Why a question could not be asked by meaning; undefined for an error that is ours. */
export function silenceOf(error: unknown): string | undefined {
  return error instanceof Unavailable || error instanceof Refused ? error.message : undefined;
}
