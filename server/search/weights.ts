/** The numbers of the ranker in one place. Found by steps on the development halves of several sets, none for one set. */
export const WEIGHTS = {
  field: {
    name: { weight: 3, b: 0.3 },
    noun: { weight: 2.6, b: 0.5 },
    questions: { weight: 1.6, b: 0.75 },
    examples: { weight: 1, b: 0.75 },
    line: { weight: 1.4, b: 0.5 },
    text: { weight: 0.9, b: 0.6 },
    path: { weight: 1, b: 0.4 },
    place: { weight: 0.8, b: 0.5 },
    params: { weight: 0.2, b: 0.75 },
  },
  /** Saturation of repeated words. */
  k1: 2.2,
  /** A pair of neighbours, a word that stands for another, a verb of every day. */
  pair: 0.45,
  related: 0.45,
  said: 0.65,
  verbWord: 0.3,
  chatty: 0.3,
  /** How much the whole of a platform's words counts for each of its tools. */
  affinity: 0.3,
  /** Sentences of a long text that do not carry the wish. */
  aside: 0.5,
  /** A word no tool knows, as a share of the rarest word there can be. */
  unknown: 0.5,
  /** Factors: what stays when nothing of it is there. */
  coverage: 0.3,
  elsewhere: 0.54,
  precision: 0.7,
  asked: 0.4,
  danger: 0.8,
  old: 0.85,
  platformYes: 1.3,
  platformNo: 0.7,
  oneOne: 1.15,
  oneMany: 0.92,
  manyOne: 0.9,
  manyMany: 1.05,
  verb: 1,
};
