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
  /** Per tool: the last counted word and its gain, so that only the best of several synonyms counts. */
  readonly #stamp: Uint32Array;
  readonly #gain: Float32Array;
  readonly #share: Float32Array;
  /** Per platform: its tools, those with the word at hand, and how much the words of the question speak for it. */
  readonly #sizes: Uint32Array;
  readonly #within: Uint32Array;
  readonly affinity: Float64Array;
  #word = 0;

  constructor(index: SearchIndex, scores: Scores) {
    this.#index = index;
    this.#scores = scores;
    this.#stamp = new Uint32Array(index.size);
    this.#gain = new Float32Array(index.size);
    this.#share = new Float32Array(index.size);
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
    for (const { term, share, related } of question.wanted) {
      this.#nextWord();
      const own = findTerm(terms, term);
      const used = this.#isUsed(own);
      let weighs = used ? this.#tells(own) : 0;
      this.#add(own, share, weighs * share, related.length === 0);
      for (const { term: other, share: likeness } of related) {
        const t = findTerm(terms, other);
        if (!this.#isUsed(t)) continue;
        if (!used) weighs = Math.max(weighs, this.#tells(t) * likeness);
        this.#add(t, share * likeness, Math.max(weighs, this.#tells(t)) * share * likeness, false);
      }
      mass += share * (weighs > 0 ? weighs : idf(size, 0) * WEIGHTS.unknown);
    }
    for (const pair of question.pairs) {
      this.#add(findTerm(terms, pair), 1, 0, true, WEIGHTS.pair);
    }
    for (const name of question.whole) {
      this.#add(findTerm(terms, name), 1, 0, true, WEIGHTS.whole);
    }
    return mass;
  }

  /** The next terms stand for one new word of the question. */
  #nextWord(): void {
    this.#word = this.#word === 0xffffffff ? 1 : this.#word + 1;
  }

  /** Some terms occur only in utterances. */
  #isUsed(t: number): boolean {
    const { start } = this.#index;
    return t !== NO_TERM && start[t] !== start[t + 1];
  }

  #tells(t: number): number {
    return idf(this.#index.size, this.#index.spread[t] as number);
  }

  /** `alone`: nothing else stands for this word, so what it gave to whom need not be kept. */
  #add(t: number, share: number, countsAs: number, alone: boolean, asPair = 1): void {
    if (t === NO_TERM) return;
    this.#addAll(t, share, countsAs, alone, asPair);
    if (countsAs > 0) this.#speakFor(t, share);
  }

  #addAll(t: number, share: number, countsAs: number, alone: boolean, asPair = 1): void {
    const { start, doc: tools, weight: weights, mask: masks } = this.#index;
    const { own, covered, named } = this.#scores;
    const to = start[t + 1] as number;
    const tells = this.#tells(t);
    const worth = tells * share;
    for (let p = start[t] as number; p < to; p++) {
      const tool = tools[p] as number;
      const mask = masks[p] as number;
      const gain = worth * (weights[p] as number) * (mask & AS_WORD ? 1 : asPair);
      const counts = mask & (IN_NAME | IN_NOUN) ? countsAs : countsAs * WEIGHTS.elsewhere;
      this.#scores.touch(tool);
      if (alone) {
        own[tool] = (own[tool] as number) + gain;
        covered[tool] = (covered[tool] as number) + counts;
      } else this.#addBest(tool, gain, counts);
      if (mask & IN_NAME && countsAs > 0) named[tool] = (named[tool] as number) + tells;
    }
  }

  /** Only by how much it is better than what stood for the same word before. */
  #addBest(tool: number, gain: number, counts: number): void {
    const { own, covered } = this.#scores;
    const again = this.#stamp[tool] === this.#word;
    const gainBefore = again ? (this.#gain[tool] as number) : 0;
    const shareBefore = again ? (this.#share[tool] as number) : 0;
    this.#stamp[tool] = this.#word;
    this.#gain[tool] = Math.max(gain, gainBefore);
    this.#share[tool] = Math.max(counts, shareBefore);
    own[tool] = (own[tool] as number) + Math.max(gain - gainBefore, 0);
    covered[tool] = (covered[tool] as number) + Math.max(counts - shareBefore, 0);
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
