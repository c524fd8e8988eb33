/** Passages for a question: by words, and by meaning where somebody makes vectors, put together by reciprocal-rank fusion. */
import type { Store, StoredPassage, Wanted } from './corpus-store.ts';
import { editionFit, withKnownVersions } from './edition.ts';
import { Unavailable } from './embedder.ts';
import { type Asked, readQuestion } from './knowledge-query.ts';
import { type Semantic, silenceOf } from './semantic.ts';
import type { Near } from './vector-store.ts';

export interface Knowledge {
  store: Store;
  /** Undefined where nobody makes vectors. */
  semantic: Semantic | undefined;
}

/** How an answer was found, as provenance tells it. */
export interface How {
  retrieval: 'lexical' | 'hybrid';
  /** `none`, or the model that makes vectors. */
  embedder: string;
  /** What was missing from the search. */
  degraded?: string;
}

export interface Retrieved {
  passages: StoredPassage[];
  how: How;
}

/** Cormack, Clarke and Büttcher 2009: what a first place is worth more than a second. */
const FLATTENING = 60;
/** Places of each list that count. */
const DEPTH = 50;

export async function retrieve(
  { store, semantic }: Knowledge,
  question: string,
  known: Readonly<Record<string, readonly string[]>>,
  wanted: Wanted,
): Promise<Retrieved> {
  const asked = readQuestion(question, known);
  const lexical = (limit: number) => store.search(asked, { ...wanted, limit });
  if (semantic === undefined)
    return { passages: lexical(wanted.limit), how: { retrieval: 'lexical', embedder: 'none' } };
  const embedder = semantic.embedder.model;
  const missing = missingVectors(store, semantic.mark, wanted.collection);
  if (missing === 'all')
    return {
      passages: lexical(wanted.limit),
      how: {
        retrieval: 'lexical',
        embedder,
        degraded: 'no document has vectors of this embedder yet: take them in again',
      },
    };
  try {
    const near = await semantic.near(question, { ...wanted, limit: DEPTH, platforms: asked.platforms });
    if (near.length === 0 && (await semantic.vectors.count(wanted.collection)) === 0)
      throw new Unavailable(`${semantic.vectors.backend} has lost the vectors: ingest the documents again`);
    const byMeaning = inOrder(near, store, asked, semantic.mark, wanted);
    return {
      passages: fuse([lexical(Math.max(DEPTH, wanted.limit)), byMeaning]).slice(0, wanted.limit),
      how: { retrieval: 'hybrid', embedder, ...(missing ? { degraded: missing } : {}) },
    };
  } catch (error) {
    const why = silenceOf(error);
    if (why === undefined) throw error;
    return { passages: lexical(wanted.limit), how: { retrieval: 'lexical', embedder, degraded: why } };
  }
}

function missingVectors({ marks }: Store, mark: string, collection: string): 'all' | string | undefined {
  const { all, marked } = marks?.documents(collection, mark) ?? { all: 0, marked: 0 };
  if (marked === 0) return 'all';
  return marked < all ? `${all - marked} of ${all} documents have no vectors yet` : undefined;
}

/** By nearness and edition, as words are. */
function inOrder(near: readonly Near[], store: Store, asked: Asked, mark: string, wanted: Wanted): StoredPassage[] {
  const scores = new Map(near.map(({ passage, score }) => [passage, score]));
  const passages = store.byIds([...scores.keys()], mark, wanted);
  const known = withKnownVersions(
    asked,
    passages.map(({ metadata }) => metadata),
  );
  return passages
    .map((passage) => ({ ...passage, score: (scores.get(passage.id) as number) * editionFit(passage.metadata, known) }))
    .sort((a, b) => b.score - a.score);
}

/** Scores of different kinds cannot be added; places can. */
export function fuse(lists: readonly (readonly StoredPassage[])[]): StoredPassage[] {
  const fused = new Map<number, StoredPassage>();
  for (const list of lists)
    for (const [place, passage] of list.entries()) {
      const score = (fused.get(passage.id)?.score ?? 0) + 1 / (FLATTENING + place + 1);
      fused.set(passage.id, { ...passage, score });
    }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
