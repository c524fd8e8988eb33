/** Why a hit stands where it stands, for a person: the parts of its score, each with what it says about tool and question. */
import type { Hit } from './find.ts';

/** One part of a score: a number that the other parts are multiplied with, but for `group`, which is added. */
export interface ScorePart {
  name: string;
  value: number;
  means: string;
}

export interface ScoreExplanation {
  score: number;
  /** Product of these is the score; the first one is the text score, the others are factors around 1. */
  factors: readonly ScorePart[];
  /** words × coverage × precision + group is the text score; none for an exact match, which is not rated by its words. */
  text: readonly ScorePart[];
  /** What made the tool a read, a write or a destructive one. */
  capability: string;
}

const FACTORS: Readonly<Record<string, string>> = {
  exact: 'the question is its name, its operationId or its METHOD /path: it stands before all others',
  text: 'how well its texts answer the question',
  verb: 'whether the kind of operation is the one asked for',
  question: 'whether a question asks for a change',
  danger: 'whether something destructive was asked for',
  arity: 'whether one object or many are asked for',
  platform: 'whether the platform is the one named or meant',
  old: 'whether it is an older form of another tool',
  poses: 'whether it passes for another tool',
};

const TEXT: Readonly<Record<keyof Hit['text'], string>> = {
  words: 'its words that occur in the question, rare ones most (BM25F)',
  coverage: 'the share of the question that its texts answer',
  precision: 'the share of its name that was asked for',
  group: 'how likely the question is about its group of operations (word vectors)',
};

const partsOf = (values: Readonly<Record<string, number>>, meanings: Readonly<Record<string, string>>): ScorePart[] =>
  Object.entries(values).map(([name, value]) => ({ name, value, means: meanings[name] ?? '' }));

export function explainScore({ tool, score, features, text, exact }: Hit): ScoreExplanation {
  return {
    score,
    factors: partsOf(features, FACTORS),
    text: exact ? [] : partsOf(text, TEXT),
    capability: `${tool.capability} by ${tool.evidence.by} (${tool.evidence.detail})`,
  };
}

const rounded = ({ value }: ScorePart) => value.toFixed(2);

/** One line for the score, one for its text, as a terminal prints them. */
export function explanationLines({ score, factors, text, capability }: ScoreExplanation): string[] {
  const product = factors.map((part) => `${part.name} ${rounded(part)}`).join(' × ');
  const [words, coverage, precision, group] = text.map(rounded);
  const made =
    text.length === 0
      ? ''
      : `text = words ${words} × ${coverage} × ${precision} (coverage, precision) + group ${group}; `;
  return [`score ${score.toFixed(2)} = ${product}`, `${made}${capability}`];
}
