/** The numbers of the ranker in one place. Found by steps on the development halves of several sets, none for one set. */
export const WEIGHTS = {
  field: {
    name: { weight: 2.4, b: 0.3 },
    noun: { weight: 2.6, b: 0.55 },
    questions: { weight: 1.1, b: 0.75 },
    line: { weight: 2, b: 0.55 },
    text: { weight: 0.7, b: 0.45 },
    path: { weight: 0.8, b: 0.4 },
    place: { weight: 0.8, b: 0.5 },
    params: { weight: 0.4, b: 0.75 },
    details: { weight: 0.7, b: 0.75 },
  },
  /** Word vectors: what a sure group gives, how slowly that falls with its probability, and with what document terms cover. */
  group: { weight: 45, power: 0.55, least: 0.0005, fade: 0.75, covers: 0.6 },
  /** Share of the likely groups that change something, above which a phrase without a known verb is an order, or may be one. */
  order: { sure: 0.9, likely: 0.5 },
  /** A tool that has a word in its details only, where it is counted how many have it. */
  asDetail: 0.25,
  /** Saturation of repeated words. */
  k1: 2,
  /** A pair of neighbours, a verb of every day. */
  pair: 0.5,
  /** A name that is said whole and nothing beside it. */
  whole: 1,
  verbWord: 0.6,
  chatty: 0.5,
  number: 0.3,
  /** How much the whole of a platform's words counts for each of its tools. */
  affinity: 0.5,
  /** Less, where no platform has much of it. */
  faint: 1,
  /** What is left of the rating of each further tool of a group. */
  again: 0.7,
  /** Sentences of a long text that do not carry the intent. */
  aside: 0.7,
  /** A word no tool knows, as a share of the rarest word there can be. */
  unknown: 0.5,
  /** Factors: what stays when nothing of it is there. */
  coverage: 0.15,
  elsewhere: 0.75,
  precision: 0.52,
  /** A write where a question asks to read: by its form alone, and where a verb says so. */
  asked: 0.2,
  askedByVerb: 0.45,
  danger: 0.8,
  old: 0.85,
  poses: 0.5,
  /** How far a tool that may not be shown must be ahead to be spoken of. */
  barred: 1.05,
  platformYes: 1.3,
  platformNo: 0.7,
  unhinted: 0.3,
  oneOne: 0.85,
  oneMany: 0.65,
  manyOne: 0.7,
  manyMany: 1,
  unnamedOne: 0.85,
  verb: 0.6,
  readForWrite: 0.55,
  unclearRead: 0.75,
};
