/**
 * Whether the hits of a question deserve a word of caution: a logistic regression of "no right tool among the hits" on three
 * features. `npm run bench:find-answer -- --calibrate` fits it on development halves and prints the constants below.
 */
import { isUsed, type SearchIndex } from './inverted-index.ts';
import { idf } from './postings.ts';
import type { Ranked } from './rank.ts';
import type { Question } from './search-question.ts';
import { NO_GROUP } from './word-vectors.ts';

export interface Evidence {
  /** Score of the best hit in units of the highest idf, because scores grow with the installation. */
  strength: number;
  /** The share of the question that one of the first hits covers at most. */
  coverage: number;
  /** The share of the question's words that no tool has. */
  unknown: number;
}

export interface Calibration {
  strength: number;
  coverage: number;
  unknown: number;
  intercept: number;
  /** Of the answers whose first two hits hold a right tool, nine in ten stay below. */
  bound: number;
}

/** Of tools in groups, which word vectors help to find, and of documents alone. */
export const CALIBRATED: Readonly<Record<'vectors' | 'documents', Calibration>> = {
  vectors: { strength: -2.1455, coverage: -0.4112, unknown: 1.6568, intercept: 0.7135, bound: 0.5496 },
  documents: { strength: -2.0082, coverage: -0.9216, unknown: -0.9708, intercept: -1.5682, bound: 0.4293 },
};

/** Hits whose coverage counts. */
const FIRST = 5;
const LEAST = { strength: 1e-3, coverage: 0.02 };

export function evidenceOf({ wanted }: Question, hits: readonly Ranked[], index: SearchIndex): Evidence {
  const said = wanted.filter(({ term }) => !/^\d/.test(term));
  const total = said.reduce((sum, { share }) => sum + share, 0);
  const unknown = said.filter(({ term }) => !isUsed(index, term));
  return {
    strength: (hits[0]?.score ?? 0) / idf(index.size, 0),
    coverage: Math.max(0, ...hits.slice(0, FIRST).map(({ coverage }) => coverage)),
    unknown: total > 0 ? unknown.reduce((sum, { share }) => sum + share, 0) / total : 0,
  };
}

/** The features as the regression takes them. */
export const featuresOf = ({ strength, coverage, unknown }: Evidence): [number, number, number] => [
  Math.log(Math.max(strength, LEAST.strength)),
  Math.log(Math.max(coverage, LEAST.coverage)),
  unknown,
];

export function isDoubtful(evidence: Evidence, index: SearchIndex): boolean {
  const fitted = CALIBRATED[index.groupOf.some((group) => group !== NO_GROUP) ? 'vectors' : 'documents'];
  const [strength, coverage, unknown] = featuresOf(evidence);
  return (
    fitted.strength * strength + fitted.coverage * coverage + fitted.unknown * unknown + fitted.intercept > fitted.bound
  );
}
