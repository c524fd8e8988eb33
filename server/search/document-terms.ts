/** The BM25F core: what the words of a question give to tools by the tools' own texts, and to the platforms they are on. */
import type { SearchIndex } from './inverted-index.ts';
import { AS_WORD, IN_NAME, IN_NOUN, idf } from './postings.ts';
import type { Scores } from './scores.ts';
import type { Question } from './search-question.ts';
import { findTerm, NO_TERM } from './term-table.ts';
import { WEIGHTS } from './weights.ts';

export class DocumentTerms {
  readonly #index: SearchIndex;
  readonly #scores: Scores;
  /** Per platform: its tools, those with the word at hand, and how much the words of the question speak for it. */
  readonly #sizes: Uint32Array;
  readonly #within: Uint32Array;
  readonly affinity: Float64Array;

  constructor(index: SearchIndex, scores: Scores) {
    this.#index = index;
    this.#scores = scores;
    this.#sizes = new Uint32Array(index.platforms.length);
    this.#within = new Uint32Array(index.platforms.length);
    this.affinity = new Float64Array(index.platforms.length);
    for (const platform of index.platform) this.#sizes[platform] = (this.#sizes[platform] as number) + 1;
  }

  /** Adds up what every word gives; answers how much the question says altogether. */
  gather(question: Question): number {
    const { terms, size } = this.#index;
    this.affinity.fill(0);
    let mass = 0;
    for (const { term, share } of question.wanted) {
      const t = findTerm(terms, term);
      const tells = this.#isUsed(t) ? this.#tells(t) : 0;
      this.#add(t, share, tells * share);
      mass += share * (tells > 0 ? tells : idf(size, 0) * WEIGHTS.unknown);
    }
    for (const pair of question.pairs) {
      this.#add(findTerm(terms, pair), 1, 0, WEIGHTS.pair);
    }
    for (const name of question.whole) {
      this.#add(findTerm(terms, name), 1, 0, WEIGHTS.whole);
    }
    return mass;
  }

  #isUsed(t: number): boolean {
    const { start } = this.#index;
    return t !== NO_TERM && start[t] !== start[t + 1];
  }

  #tells(t: number): number {
    return idf(this.#index.size, this.#index.spread[t] as number);
  }

  #add(t: number, share: number, countsAs: number, asPair = 1): void {
    if (t === NO_TERM) return;
    const { start, doc: tools, weight: weights, mask: masks } = this.#index;
    const { own, covered, named } = this.#scores;
    const to = start[t + 1] as number;
    const tells = this.#tells(t);
    const worth = tells * share;
    for (let p = start[t] as number; p < to; p++) {
      const tool = tools[p] as number;
      const mask = masks[p] as number;
      this.#scores.touch(tool);
      own[tool] = (own[tool] as number) + worth * (weights[p] as number) * (mask & AS_WORD ? 1 : asPair);
      const counts = mask & (IN_NAME | IN_NOUN) ? countsAs : countsAs * WEIGHTS.elsewhere;
      covered[tool] = (covered[tool] as number) + counts;
      if (mask & IN_NAME && countsAs > 0) named[tool] = (named[tool] as number) + tells;
    }
    if (countsAs > 0) this.#speakFor(t, share);
  }

  /** A word that few platforms know speaks for those that use it much. */
  #speakFor(t: number, share: number): void {
    const { start, doc: tools, platform } = this.#index;
    const within = this.#within.fill(0);
    for (let p = start[t] as number; p < (start[t + 1] as number); p++) {
      const at = platform[tools[p] as number] as number;
      within[at] = (within[at] as number) + 1;
    }
    const count = within.length;
    let knowing = 0;
    for (const tools of within) if (tools > 0) knowing++;
    if (knowing === 0 || count < 2) return;
    const tells = (Math.log((count + 0.5) / knowing) / Math.log(count + 1)) * share;
    for (let i = 0; i < count; i++) {
      const tools = within[i] as number;
      const usual = 4 + (this.#sizes[i] as number) * 0.01;
      this.affinity[i] = (this.affinity[i] as number) + (tells * tools) / (tools + usual);
    }
  }
}
