/** Search among many synthetic vectors in a corpus file: its time, and how much of an exact search it finds. */
import { EmbeddedStore } from '../../../knowledge/embedded-store.ts';
import type { Near, PassageVector } from '../../../knowledge/vector-store.ts';
import { EmbeddedVectors, product } from '../../../knowledge/vectors/embedded.ts';
import { type Times, Timing } from './knowledge-timing.ts';
import type { Synthetic } from './synthetic.ts';

export interface VectorFigures extends Times {
  vectors: number;
  dimensions: number;
  /** Of a file that holds them all, the first time it is asked. */
  first_query_ms: number;
  questions: number;
  /** Share of the ten nearest of an exact search that the pair finds. */
  recall_at_10: number;
  kept_per_second: number;
}

export interface VectorSearchOptions {
  file: string;
  vectors: number;
  synthetic: Synthetic;
  questions?: number;
}

const DOCUMENT = 1_000;
const NEAREST = 10;

export async function measureVectorSearch(options: VectorSearchOptions): Promise<VectorFigures> {
  const { file, vectors: count, synthetic, questions: asked = 100 } = options;
  const questions = Array.from({ length: asked }, (_, n) =>
    synthetic.question(Math.floor(((n + 0.5) * count) / asked)),
  );
  const { exact, seconds } = await fill(options, questions);
  await using vectors = new EmbeddedVectors(file, { readOnly: true });
  const wanted = { limit: NEAREST, collection: 'default' };
  const from = performance.now();
  await vectors.near(questions[0]!, wanted);
  const first = performance.now() - from;
  const timing = new Timing();
  let found = 0;
  for (const [n, question] of questions.entries()) {
    const near = await timing.of(() => vectors.near(question, wanted));
    found += near.filter(({ passage }) => exact[n]!.some((one) => one.passage === passage)).length;
  }
  return {
    vectors: count,
    dimensions: synthetic.dimensions,
    first_query_ms: Math.round(first),
    ...timing.times(),
    questions: asked,
    recall_at_10: round(found / (asked * NEAREST), 4),
    kept_per_second: Math.round(count / seconds),
  };
}

/** Takes everything in, and finds on the way what is exactly nearest to each question. */
async function fill({ file, vectors: count, synthetic }: VectorSearchOptions, questions: readonly Float32Array[]) {
  const exact: Near[][] = questions.map(() => []);
  let searchMs = 0;
  using store = new EmbeddedStore(file);
  await using vectors = new EmbeddedVectors(file);
  for (let from = 0; from < count; from += DOCUMENT) {
    const made = Array.from({ length: Math.min(DOCUMENT, count - from) }, (_, n) => synthetic.passage(from + n));
    const started = performance.now();
    const kept = await keep(store, vectors, `${from}.md`, made);
    searchMs += performance.now() - started;
    for (const [n, question] of questions.entries())
      for (const { passage, vector } of kept) note(exact[n]!, { passage, score: product(vector, question) });
  }
  return { exact, seconds: searchMs / 1000 };
}

async function keep(
  store: EmbeddedStore,
  vectors: EmbeddedVectors,
  path: string,
  made: Float32Array[],
): Promise<PassageVector[]> {
  const place = { source: 'synthetic', platform: '' };
  const metadata = { ...place, path, title: '', doc_type: '', version: '', date: '', licence: '', superseded_by: '' };
  const passages = made.map((_, n) => ({ section: `s${n}`, heading: '', text: '' }));
  store.put('default', path, { metadata, passages });
  const marks = store.marks!;
  const [document] = marks.waiting('default', 'embedded/synthetic');
  const kept = marks.passagesOf(document!.id).map(({ id }, n) => ({ passage: id, vector: made[n]! }));
  await vectors.put('default', place, kept);
  marks.finish(document!, 'embedded/synthetic');
  return kept;
}

/** Keeps the best, best first. */
function note(best: Near[], one: Near): void {
  if (best.length === NEAREST && one.score <= best.at(-1)!.score) return;
  const at = best.findIndex(({ score }) => score < one.score);
  best.splice(at < 0 ? best.length : at, 0, one);
  if (best.length > NEAREST) best.pop();
}

const round = (value: number, digits: number): number => Math.round(value * 10 ** digits) / 10 ** digits;
