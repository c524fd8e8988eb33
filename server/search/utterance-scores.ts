/** Scores of the utterances for a question: BM25 of all words of each group of tools. */

import type { Scores } from './scores.ts';
import type { Question } from './search-question.ts';
import { findTerm, NO_TERM, type TermTable } from './term-table.ts';
import type { UtteranceIndex } from './utterance-index.ts';
import { WEIGHTS } from './weights.ts';

const { sayings: W } = WEIGHTS;
/** The weight of a word that is in no utterance. */
const UNSAID = 4;

export class UtteranceScores {
  readonly #index: UtteranceIndex;
  readonly #terms: TermTable;
  readonly #scores: Scores;
  /** Per group: the last counted word and its gain, so that only the best of several synonyms counts. */
  readonly #stamp: Uint32Array;
  readonly #gain: Float32Array;
  readonly #points: Float32Array;
  readonly #covered: Float32Array;
  readonly #touched: Uint32Array;
  #count = 0;
  #word = 0;

  constructor(index: UtteranceIndex, terms: TermTable, scores: Scores) {
    this.#index = index;
    this.#terms = terms;
    this.#scores = scores;
    const groups = index.groupStart.length - 1;
    this.#stamp = new Uint32Array(groups);
    this.#gain = new Float32Array(groups);
    this.#points = new Float32Array(groups);
    this.#covered = new Float32Array(groups);
    this.#touched = new Uint32Array(groups);
  }

  gather({ spoken }: Question): void {
    const { idf } = this.#index;
    let mass = 0;
    for (const { term, share, related } of spoken) {
      this.#word = this.#word === 0xffffffff ? 1 : this.#word + 1;
      const own = findTerm(this.#terms, term);
      this.#add(own, share);
      const synonyms = this.#addRelated(related, share);
      const weighs = own === NO_TERM ? synonyms : (idf[own] as number);
      if (!term.includes(' ')) mass += share * (weighs > 0 ? weighs : UNSAID);
    }
    this.#spread(mass);
  }

  /** Answers what the best of the terms weighs that may stand for a word. */
  #addRelated(related: Question['spoken'][number]['related'], share: number): number {
    let weighs = 0;
    for (const { term, share: likeness } of related) {
      const t = findTerm(this.#terms, term);
      if (t === NO_TERM) continue;
      this.#add(t, share * likeness * W.related);
      weighs = Math.max(weighs, (this.#index.idf[t] as number) * likeness);
    }
    return weighs;
  }

  #add(t: number, share: number): void {
    if (t === NO_TERM) return;
    const { start, group, weight, idf } = this.#index;
    const to = start[t + 1] as number;
    const worth = (idf[t] as number) * share;
    for (let at = start[t] as number; at < to; at++) {
      const g = group[at] as number;
      const gain = worth * (weight[at] as number);
      if (this.#points[g] === 0) this.#touched[this.#count++] = g;
      const before = this.#stamp[g] === this.#word ? (this.#gain[g] as number) : 0;
      if (gain <= before) continue;
      this.#stamp[g] = this.#word;
      this.#gain[g] = gain;
      this.#points[g] = (this.#points[g] as number) + gain - before;
      if (before === 0) this.#covered[g] = (this.#covered[g] as number) + worth;
    }
  }

  /** Every group gives what it has to its tools, and the question is forgotten. */
  #spread(mass: number): void {
    const { groupStart, groupTools } = this.#index;
    for (let i = 0; i < this.#count; i++) {
      const g = this.#touched[i] as number;
      const gain = W.weight * (this.#points[g] as number);
      const coverage = mass > 0 ? Math.min(1, (this.#covered[g] as number) / mass) : 0;
      for (let at = groupStart[g] as number; at < (groupStart[g + 1] as number); at++) {
        const tool = groupTools[at] as number;
        this.#scores.touch(tool);
        this.#scores.said[tool] = gain;
        this.#scores.saidCovers[tool] = coverage;
      }
      this.#points[g] = 0;
      this.#covered[g] = 0;
    }
    this.#count = 0;
  }
}
