/**
 * Makes the vectors of documents, one document at a time. A killed run continues where it stopped. If an embedder or a
 * store does not answer, the run reports it, and the remaining documents wait for the next run.
 */
import type { Store } from './corpus-store.ts';
import { Refused, Unavailable } from './embedder.ts';
import type { Progress, Skipped } from './ingest.ts';
import type { Semantic } from './semantic.ts';
import type { MarkedPassage, VectorMarks, WaitingDocument } from './vector-marks.ts';
import type { PassageVector } from './vector-store.ts';

export interface VectorsMade {
  embedder: string;
  backend: string;
  /** Passages that got a vector now. */
  made: number;
  /** Documents without vectors at the end, those left out among them. */
  waiting: number;
  skipped: Skipped[];
  /** Why the rest could not be made. */
  problem?: string;
}

export interface MakeVectorsOptions {
  store: Store;
  semantic: Semantic;
  collection: string;
  progress?: (progress: Progress) => void;
}

/** Texts in one request. */
const TOGETHER = 32;

export async function makeVectors(options: MakeVectorsOptions): Promise<VectorsMade> {
  const { store, semantic, collection } = options;
  const marks = store.marks as VectorMarks;
  const { mark } = semantic;
  const result: VectorsMade = {
    embedder: semantic.embedder.model,
    backend: semantic.vectors.backend,
    made: 0,
    waiting: 0,
    skipped: [],
  };
  try {
    await agree(options, marks);
    const waiting = marks.waiting(collection, mark);
    for (const [i, document] of waiting.entries()) {
      const outcome = await give(document, marks, semantic, collection, result);
      options.progress?.({ done: i + 1, total: waiting.length, path: document.path, outcome });
    }
  } catch (error) {
    if (!(error instanceof Unavailable)) throw error;
    result.problem = error.message;
  }
  return { ...result, waiting: marks.waiting(collection, mark).length };
}

/** Removes the vectors of deleted documents, and marks documents whose vectors the store has lost. */
async function agree({ semantic, collection }: MakeVectorsOptions, marks: VectorMarks): Promise<void> {
  const { vectors, mark } = semantic;
  for (const outdated of marks.outdated(mark)) {
    await vectors.remove(outdated.collection, outdated.passages);
    marks.forget(outdated);
  }
  if ((await vectors.count(collection)) < marks.counts(collection, mark).marked) marks.clear(collection, mark);
}

async function give(
  document: WaitingDocument,
  marks: VectorMarks,
  { embedder, vectors, mark }: Semantic,
  collection: string,
  result: VectorsMade,
): Promise<Progress['outcome']> {
  const passages = marks.passagesOf(document.id);
  const made: PassageVector[] = [];
  try {
    for (let from = 0; from < passages.length; from += TOGETHER) {
      const some = passages.slice(from, from + TOGETHER);
      const own = await embedder.embed(some.map(textOf), 'passage');
      made.push(...own.map((vector, at) => ({ passage: (some[at] as MarkedPassage).id, vector })));
    }
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    result.skipped.push({ path: document.path, reason: error.message });
    return 'skipped';
  }
  marks.begin(document, mark);
  await vectors.put(collection, document, made);
  marks.finish(document, mark);
  result.made += made.length;
  return 'vectors made';
}

const textOf = ({ title, heading, text }: MarkedPassage): string => `${title}\n${heading}\n\n${text}`;
