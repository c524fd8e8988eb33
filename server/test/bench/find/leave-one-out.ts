/**
 * Leave-one-set-out: for each question set the weights are chosen on all other sets, and the figures of the set are
 * those of that choice.
 */
import { WEIGHTS } from '../../../search/weights.ts';
import { prepareOurs } from './engines/ours.ts';
import { type Figures, figuresOf } from './find-figures.ts';
import type { QuestionSet } from './question-set.ts';
import { DEPTH, scoreOf } from './retrieval-score.ts';

/** Values that a weight may take besides the shipped one; the first turns the part off. */
const CHOICES: Readonly<Record<string, readonly number[]>> = {
  verb: [0, 0.8],
  askedByVerb: [1, 0.2],
  readForWrite: [1, 0.7],
  precision: [1, 0.4],
  coverage: [1, 0.3],
  affinity: [0],
  verbWord: [1],
  number: [1],
  pair: [0, 0.25],
  chatty: [1],
  aside: [1],
  'field.details.weight': [0, 0.3],
  'field.params.weight': [0, 0.2],
  'field.text.weight': [0, 1.2],
  'field.path.weight': [0, 0.4],
};

export interface LeftOut {
  id: string;
  shipped: Figures;
  /** With the weights chosen on the other sets. */
  chosen: Figures;
  changes: Record<string, number>;
}

/** What each part does: the figures of every set with the part off, minus those as shipped, in mean points. */
export interface Ablation {
  part: string;
  loss: Record<string, number>;
}

export async function leaveOneOut(
  sets: readonly QuestionSet[],
): Promise<{ leftOut: LeftOut[]; ablations: Ablation[] }> {
  const known = new Map<string, Figures>();
  const figures = (set: QuestionSet, changes: Record<string, number>): Figures => {
    const key = JSON.stringify([set.id, changes]);
    const found = known.get(key) ?? withWeights(changes, () => evaluated(set));
    known.set(key, found);
    return found;
  };
  const mean = (of: readonly QuestionSet[], changes: Record<string, number>) =>
    of.reduce((sum, set) => sum + points(figures(set, changes)), 0) / of.length;
  const leftOut = sets.map((set): LeftOut => {
    const others = sets.filter((other) => other !== set);
    const changes = chosenOn((candidate) => mean(others, candidate));
    return { id: set.id, shipped: figures(set, {}), chosen: figures(set, changes), changes };
  });
  const ablations = Object.entries(CHOICES).map(([part, [off = 0]]) => ({
    part,
    loss: Object.fromEntries(
      sets.map((set) => [set.id, points(figures(set, {})) - points(figures(set, { [part]: off }))]),
    ),
  }));
  return { leftOut, ablations };
}

/** One pass over all weights: the best value of each, with those before it as chosen. */
function chosenOn(quality: (changes: Record<string, number>) => number): Record<string, number> {
  let changes: Record<string, number> = {};
  let best = quality(changes);
  for (const [name, values] of Object.entries(CHOICES))
    for (const value of values) {
      const candidate = { ...changes, [name]: value };
      const reached = quality(candidate);
      if (reached <= best) continue;
      best = reached;
      changes = candidate;
    }
  return changes;
}

const points = ({ r1, r5, ndcg10 }: Figures) => ((r1 + r5 + ndcg10) / 3) * 100;

/** Synchronous: the weights are one object, which nothing else may read meanwhile. */
function evaluated({ box, queries }: QuestionSet): Figures {
  const search = prepareOurs({ ...box })();
  const scores = queries
    .filter(({ part }) => part === 'dev')
    .map((query) => {
      const { ids } = search(query.text, DEPTH) as { ids: readonly number[] };
      return scoreOf(
        query,
        ids.map((id) => box.tools[id]!.tool),
      );
    });
  return figuresOf(scores);
}

function withWeights<T>(changes: Record<string, number>, run: () => T): T {
  const undo = Object.entries(changes).map(([path, value]) => {
    const { holder, key } = weightAt(path);
    const before = holder[key] as number;
    holder[key] = value;
    return () => {
      holder[key] = before;
    };
  });
  try {
    return run();
  } finally {
    for (const back of undo) back();
  }
}

function weightAt(path: string): { holder: Record<string, number>; key: string } {
  const keys = path.split('.');
  const key = keys.pop() as string;
  let holder: unknown = WEIGHTS;
  for (const step of keys) holder = (holder as Record<string, unknown>)[step];
  const found = holder as Record<string, number>;
  if (typeof found[key] !== 'number') throw new Error(`leave-one-out: "${path}" should be a weight`);
  return { holder: found, key };
}
