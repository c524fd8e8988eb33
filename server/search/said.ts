/**
 * What the sayings give to a question: for each group of tools how its sayings together answer it, as BM25 over all their
 * words, and how the best single one does.
 */
import type { Question } from './question.ts';
import type { SaidIndex } from './said-index.ts';
import type { Scores } from './scores.ts';
import { findTerm, NO_TERM, type TermTable } from './term-table.ts';
import { WEIGHTS } from './weights.ts';

const { sayings: W } = WEIGHTS;
/** What a word weighs that nobody ever said. */
const UNSAID = 4;

export class Said {
  readonly #index: SaidIndex;
  readonly #terms: TermTable;
  readonly #scores: Scores;
  /** Per passage: the word counted last and what it gave, so that of several stand-ins only the best counts. */
  readonly #stamp: Uint32Array;
  readonly #gain: Float32Array;
  readonly #passage: Float32Array;
  readonly #touchedPassages: Uint32Array;
  readonly #groupStamp: Uint32Array;
  readonly #groupGain: Float32Array;
  readonly #group: Float32Array;
  readonly #covered: Float32Array;
  readonly #best: Float32Array;
  readonly #touchedGroups: Uint32Array;
  #passages = 0;
  #groups = 0;
  #word = 0;

  constructor(index: SaidIndex, terms: TermTable, scores: Scores) {
    this.#index = index;
    this.#terms = terms;
    this.#scores = scores;
    const passages = index.passageGroup.length;
    const groups = index.groupLength.length;
    this.#stamp = new Uint32Array(passages);
    this.#gain = new Float32Array(passages);
    this.#passage = new Float32Array(passages);
    this.#touchedPassages = new Uint32Array(passages);
    this.#groupStamp = new Uint32Array(groups);
    this.#groupGain = new Float32Array(groups);
    this.#group = new Float32Array(groups);
    this.#covered = new Float32Array(groups);
    this.#best = new Float32Array(groups);
    this.#touchedGroups = new Uint32Array(groups);
  }

  gather({ spoken }: Question): void {
    const { tells } = this.#index;
    let mass = 0;
    for (const { term, share, related } of spoken) {
      this.#word = this.#word === 0xffffffff ? 1 : this.#word + 1;
      const own = findTerm(this.#terms, term);
      let weighs = own === NO_TERM ? 0 : (tells[own] as number);
      this.#add(own, share);
      for (const { term: other, share: likeness } of related) {
        const t = findTerm(this.#terms, other);
        if (t === NO_TERM) continue;
        this.#add(t, share * likeness * W.related);
        if (own === NO_TERM) weighs = Math.max(weighs, (tells[t] as number) * likeness);
      }
      if (!term.includes(' ')) mass += share * (weighs > 0 ? weighs : UNSAID);
    }
    this.#spread(mass);
  }

  #add(t: number, share: number): void {
    if (t === NO_TERM) return;
    const { start, passage, passageGroup, groupLength, tells } = this.#index;
    const from = start[t] as number;
    const to = start[t + 1] as number;
    const worth = (tells[t] as number) * share;
    for (let at = from; at < to; ) {
      const g = passageGroup[passage[at] as number] as number;
      let count = 0;
      for (; at < to && passageGroup[passage[at] as number] === g; at++) {
        this.#addPassage(passage[at] as number, worth);
        count++;
      }
      const gain = (worth * count * (W.k1 + 1)) / (count + W.k1 * (1 - W.b + W.b * (groupLength[g] as number)));
      this.#addGroup(g, gain, worth);
    }
  }

  #addPassage(p: number, worth: number): void {
    if (this.#passage[p] === 0) this.#touchedPassages[this.#passages++] = p;
    const before = this.#stamp[p] === this.#word ? (this.#gain[p] as number) : 0;
    if (worth <= before) return;
    this.#stamp[p] = this.#word;
    this.#gain[p] = worth;
    this.#passage[p] = (this.#passage[p] as number) + worth - before;
  }

  #addGroup(g: number, gain: number, worth: number): void {
    if (this.#group[g] === 0) this.#touchedGroups[this.#groups++] = g;
    const before = this.#groupStamp[g] === this.#word ? (this.#groupGain[g] as number) : 0;
    if (gain <= before) return;
    this.#groupStamp[g] = this.#word;
    this.#groupGain[g] = gain;
    this.#group[g] = (this.#group[g] as number) + gain - before;
    if (before === 0) this.#covered[g] = (this.#covered[g] as number) + worth;
  }

  /** Every group gives what it has to its tools, and the question is forgotten. */
  #spread(mass: number): void {
    const { passageGroup, passageMass, groupStart, groupTools } = this.#index;
    for (let i = 0; i < this.#passages; i++) {
      const p = this.#touchedPassages[i] as number;
      const g = passageGroup[p] as number;
      const score = this.#passage[p] as number;
      // The rating is at most the score, and costs a root.
      if (score > (this.#best[g] as number)) {
        const rating = score * (score / (score + W.short + (passageMass[p] as number))) ** W.norm;
        if (rating > (this.#best[g] as number)) this.#best[g] = rating;
      }
      this.#passage[p] = 0;
      this.#stamp[p] = 0;
    }
    for (let i = 0; i < this.#groups; i++) {
      const g = this.#touchedGroups[i] as number;
      const gain = W.all * (this.#group[g] as number) + W.best * (this.#best[g] as number);
      const coverage = mass > 0 ? Math.min(1, (this.#covered[g] as number) / mass) : 0;
      for (let at = groupStart[g] as number; at < (groupStart[g + 1] as number); at++) {
        const tool = groupTools[at] as number;
        this.#scores.touch(tool);
        this.#scores.said[tool] = gain;
        this.#scores.saidCovers[tool] = coverage;
      }
      this.#group[g] = 0;
      this.#covered[g] = 0;
      this.#best[g] = 0;
      this.#groupStamp[g] = 0;
    }
    this.#passages = 0;
    this.#groups = 0;
  }
}
