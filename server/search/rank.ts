/**
 * Ranks tools for a question. A BM25F core over weighted fields, then factors that say how well the kind of operation
 * fits what was asked. Every factor is kept for the hits that are shown, so a hit can be explained.
 */
import { CAPABILITIES, type Capability } from '../access/access.ts';
import { AS_WORD, FLAG_OLD, FLAG_ONE, IN_NAME, IN_NOUN, idf, type SearchIndex } from './inverted-index.ts';
import type { Question } from './question.ts';
import { Said } from './said.ts';
import { findTerm, NO_TERM } from './term-table.ts';
import { agreement, VERBS, type Verb } from './verb.ts';
import { WEIGHTS } from './weights.ts';
import { likelyVerbs } from './wish-model.ts';

export interface Ranked {
  id: number;
  score: number;
  /** Share of the question that the tool's texts answer, 0 to 1. */
  coverage: number;
  /** What each feature gave: the text score, then factors around 1. */
  features: Record<string, number>;
}

export interface Ranking {
  /** Best first. */
  hits: Ranked[];
  /** The best of those that may not be shown, where it would stand clearly before all hits. */
  barred?: number;
}

/** Which tools may be shown at all. */
export type Admit = (platform: string, capability: Capability) => boolean;

/** Works on one index with arrays of its own that are cleared by what was touched: a question allocates nothing of its size. */
export class Ranker {
  readonly #index: SearchIndex;
  readonly #text: Float32Array;
  readonly #covered: Float32Array;
  readonly #named: Float32Array;
  readonly #saidCovers: Float32Array;
  readonly #saidGives: Float32Array;
  /** Per tool: the word that was counted last, and what it gave, so that of several stand-ins only the best counts. */
  readonly #stamp: Uint32Array;
  readonly #gain: Float32Array;
  readonly #share: Float32Array;
  readonly #touched: Uint32Array;
  readonly #ratings: Float64Array;
  /** Per platform: tools with the word at hand, and how much the words of the question speak for it. */
  readonly #within: Uint32Array;
  readonly #affinity: Float64Array;
  readonly #sizes: Uint32Array;
  readonly #said: Said;
  #saidShare = 1;
  #count = 0;
  #word = 0;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#said = new Said(index.said);
    this.#text = new Float32Array(index.size);
    this.#covered = new Float32Array(index.size);
    this.#named = new Float32Array(index.size);
    this.#saidCovers = new Float32Array(index.size);
    this.#saidGives = new Float32Array(index.size);
    this.#stamp = new Uint32Array(index.size);
    this.#gain = new Float32Array(index.size);
    this.#share = new Float32Array(index.size);
    this.#touched = new Uint32Array(index.size);
    this.#ratings = new Float64Array(index.size);
    this.#within = new Uint32Array(index.platforms.length);
    this.#affinity = new Float64Array(index.platforms.length);
    this.#sizes = new Uint32Array(index.platforms.length);
    for (const platform of index.platform) this.#sizes[platform] = (this.#sizes[platform] as number) + 1;
  }

  rank(question: Question, admit: Admit, limit: number): Ranking {
    const mass = this.#gather(question);
    this.#gatherSaid(question);
    const factors = this.#factorsFor(question, admit);
    this.#fade(mass);
    const { best, barred } = this.#best(question, factors, mass, limit);
    const hits = best.map((id): Ranked => {
      const features = this.#explain(question, factors, mass, id);
      return { id, coverage: this.#coverage(id, mass), score: this.#ratings[id] as number, features };
    });
    for (let i = 0; i < this.#count; i++) {
      const id = this.#touched[i] as number;
      this.#text[id] = 0;
      this.#covered[id] = 0;
      this.#named[id] = 0;
      this.#saidCovers[id] = 0;
      this.#saidGives[id] = 0;
    }
    this.#count = 0;
    this.#affinity.fill(0);
    return barred === undefined ? { hits } : { hits, barred };
  }

  /** Adds up what every word gives to every tool; answers how much the question says altogether. */
  #gather(question: Question): number {
    const { terms, size } = this.#index;
    let mass = 0;
    for (const { term, share, related } of question.wanted) {
      this.#word = this.#word === 0xffffffff ? 1 : this.#word + 1;
      const own = findTerm(terms, term);
      let weighs = this.#isUsed(own) ? this.#tells(own) : 0;
      this.#add(own, share, weighs * share);
      for (const { term: other, share: likeness } of related) {
        const t = findTerm(terms, other);
        if (!this.#isUsed(t)) continue;
        if (!this.#isUsed(own)) weighs = Math.max(weighs, this.#tells(t) * likeness);
        this.#add(t, share * likeness, Math.max(weighs, this.#tells(t)) * share * likeness);
      }
      mass += share * (weighs > 0 ? weighs : idf(size, 0) * WEIGHTS.unknown);
    }
    for (const pair of question.pairs) {
      this.#word++;
      this.#add(findTerm(terms, pair), 1, 0, WEIGHTS.pair);
    }
    for (const name of question.whole) {
      this.#word++;
      this.#add(findTerm(terms, name), 1, 0, WEIGHTS.whole);
    }
    return mass;
  }

  /** As above for sayings, which belong to groups of tools. */
  #gatherSaid(question: Question): void {
    const { terms, said } = this.#index;
    let mass = 0;
    for (const { term, share, related } of question.spoken) {
      this.#said.nextWord();
      const own = findTerm(terms, term);
      let weighs = own === NO_TERM ? 0 : (said.tells[own] as number);
      this.#said.add(own, share);
      for (const { term: other, share: likeness } of related) {
        const t = findTerm(terms, other);
        if (t === NO_TERM) continue;
        this.#said.add(t, share * likeness * WEIGHTS.sayings.related);
        if (own === NO_TERM) weighs = Math.max(weighs, (said.tells[t] as number) * likeness);
      }
      if (!term.includes(' ')) mass += share * (weighs > 0 ? weighs : 4);
    }
    this.#said.spread(mass, (tool, gain, coverage) => {
      if (this.#text[tool] === 0 && this.#saidGives[tool] === 0) this.#touched[this.#count++] = tool;
      this.#saidGives[tool] = gain;
      this.#saidCovers[tool] = coverage;
    });
  }

  /** The better a tool's own words answer, the less sayings are needed. */
  #fade(mass: number): void {
    let most = 0;
    for (let i = 0; i < this.#count; i++) most = Math.max(most, this.#covered[this.#touched[i] as number] as number);
    const known = mass > 0 ? Math.min(1, most / mass) : 0;
    this.#saidShare = 1 - WEIGHTS.sayings.fade * known ** WEIGHTS.sayings.fadeBy;
  }

  /** Some terms occur in sayings only. */
  #isUsed(t: number): boolean {
    const { start } = this.#index;
    return t !== NO_TERM && start[t] !== start[t + 1];
  }

  #tells(t: number): number {
    return idf(this.#index.size, (this.#index.start[t + 1] as number) - (this.#index.start[t] as number));
  }

  #add(t: number, share: number, countsAs: number, asPair = 1): void {
    if (t === NO_TERM) return;
    const { start, doc: docs, weight: weights, mask: masks, platform } = this.#index;
    this.#within.fill(0);
    const within = this.#within;
    const from = start[t] as number;
    const to = start[t + 1] as number;
    const tells = this.#tells(t);
    const factor = tells * share * (WEIGHTS.k1 + 1);
    const text = this.#text;
    const stamp = this.#stamp;
    const word = this.#word;
    for (let p = from; p < to; p++) {
      const doc = docs[p] as number;
      const tf = weights[p] as number;
      const mask = masks[p] as number;
      const at = platform[doc] as number;
      within[at] = (within[at] as number) + 1;
      const gain = ((factor * tf) / (tf + WEIGHTS.k1)) * (mask & AS_WORD ? 1 : asPair);
      const counts = mask & (IN_NAME | IN_NOUN) ? countsAs : countsAs * WEIGHTS.elsewhere;
      if (text[doc] === 0) this.#touched[this.#count++] = doc;
      if (stamp[doc] !== word) {
        stamp[doc] = word;
        this.#gain[doc] = gain;
        this.#share[doc] = counts;
        text[doc] = (text[doc] as number) + gain;
        this.#covered[doc] = (this.#covered[doc] as number) + counts;
      } else {
        if (gain > (this.#gain[doc] as number)) {
          text[doc] = (text[doc] as number) + gain - (this.#gain[doc] as number);
          this.#gain[doc] = gain;
        }
        if (counts > (this.#share[doc] as number)) {
          this.#covered[doc] = (this.#covered[doc] as number) + counts - (this.#share[doc] as number);
          this.#share[doc] = counts;
        }
      }
      if (mask & IN_NAME && countsAs > 0) this.#named[doc] = (this.#named[doc] as number) + tells;
    }
    if (countsAs > 0) this.#speakFor(share);
  }

  /** A word that few platforms know speaks for those that use it much. */
  #speakFor(share: number): void {
    const count = this.#within.length;
    let knowing = 0;
    for (const tools of this.#within) if (tools > 0) knowing++;
    if (knowing === 0 || count < 2) return;
    const tells = (Math.log((count + 0.5) / knowing) / Math.log(count + 1)) * share;
    for (let i = 0; i < count; i++) {
      const tools = this.#within[i] as number;
      const usual = 4 + (this.#sizes[i] as number) * 0.01;
      this.#affinity[i] = (this.#affinity[i] as number) + (tells * tools) / (tools + usual);
    }
  }

  /** What does not depend on the words: one number per kind of operation, capability and platform. */
  #factorsFor(question: Question, admit: Admit): Factors {
    const { platforms } = this.#index;
    const most = Math.max(1e-9, ...this.#affinity);
    const likely = likelyVerbs(this.#index.wishes, question.wished, WEIGHTS.wish.heat);
    const trust = question.plain ? WEIGHTS.wish.sure : WEIGHTS.wish.open;
    return {
      verb: VERBS.map(
        (verb, i) =>
          agreement(question.wish, verb) ** (question.plain ? WEIGHTS.verb : WEIGHTS.verbOpen) *
          (likely === undefined ? 1 : (WEIGHTS.wish.floor + (1 - WEIGHTS.wish.floor) * (likely[i] as number)) ** trust),
      ),
      capability: CAPABILITIES.map((capability) => ({
        asked: question.question && capability !== 'read' && capability !== 'diagnostic' ? WEIGHTS.asked : 1,
        danger:
          capability === 'destructive' && question.wish !== 'delete' && question.wish !== 'action' ? WEIGHTS.danger : 1,
      })),
      platform: platforms.map((platform, i) =>
        question.platforms.length === 0
          ? (question.hinted.length === 0 ? 1 : question.hinted.includes(platform) ? 1 : WEIGHTS.unhinted) *
            (1 - WEIGHTS.affinity * (1 - (this.#affinity[i] as number) / most))
          : question.platforms.includes(platform)
            ? WEIGHTS.platformYes
            : WEIGHTS.platformNo,
      ),
      admitted: platforms.map((platform) => CAPABILITIES.map((capability) => admit(platform, capability))),
    };
  }

  #best(question: Question, factors: Factors, mass: number, limit: number): { best: number[]; barred?: number } {
    const { platform, capability } = this.#index;
    const best: number[] = [];
    const ratings = this.#ratings;
    let barred: number | undefined;
    for (let i = 0; i < this.#count; i++) {
      const id = this.#touched[i] as number;
      ratings[id] = this.#rate(question, factors, mass, id);
      if (!factors.admitted[platform[id] as number]?.[capability[id] as number]) {
        if (barred === undefined || comesBefore(ratings, id, barred)) barred = id;
        continue;
      }
      const last = best[best.length - 1];
      if (best.length >= limit && last !== undefined && !comesBefore(ratings, id, last)) continue;
      let at = best.length;
      while (at > 0 && comesBefore(ratings, id, best[at - 1] as number)) at--;
      best.splice(at, 0, id);
      if (best.length > limit) best.pop();
    }
    const first = best[0] === undefined ? 0 : (ratings[best[0]] as number);
    return barred !== undefined && (ratings[barred] as number) > first * WEIGHTS.barred ? { best, barred } : { best };
  }

  #rate(question: Question, factors: Factors, mass: number, id: number): number {
    const { verb, capability, platform, flags } = this.#index;
    const byCapability = factors.capability[capability[id] as number] as CapabilityFactors;
    return (
      ((this.#text[id] as number) *
        (WEIGHTS.coverage + (1 - WEIGHTS.coverage) * this.#coverage(id, mass)) *
        (WEIGHTS.precision + (1 - WEIGHTS.precision) * this.#precision(id)) +
        this.#saidShare *
          (this.#saidGives[id] as number) *
          (WEIGHTS.coverage + (1 - WEIGHTS.coverage) * (this.#saidCovers[id] as number))) *
      (factors.verb[verb[id] as number] as number) *
      byCapability.asked *
      byCapability.danger *
      arity(question, VERBS[verb[id] as number] as Verb, ((flags[id] as number) & FLAG_ONE) !== 0) *
      (factors.platform[platform[id] as number] as number) *
      ((flags[id] as number) & FLAG_OLD ? WEIGHTS.old : 1)
    );
  }

  #explain(question: Question, factors: Factors, mass: number, id: number): Record<string, number> {
    const { verb, capability, platform, flags } = this.#index;
    const byCapability = factors.capability[capability[id] as number] as CapabilityFactors;
    return {
      text: this.#text[id] as number,
      coverage: WEIGHTS.coverage + (1 - WEIGHTS.coverage) * this.#coverage(id, mass),
      precision: WEIGHTS.precision + (1 - WEIGHTS.precision) * this.#precision(id),
      verb: factors.verb[verb[id] as number] as number,
      question: byCapability.asked,
      danger: byCapability.danger,
      arity: arity(question, VERBS[verb[id] as number] as Verb, ((flags[id] as number) & FLAG_ONE) !== 0),
      platform: factors.platform[platform[id] as number] as number,
      old: (flags[id] as number) & FLAG_OLD ? WEIGHTS.old : 1,
    };
  }

  #coverage(id: number, mass: number): number {
    const own = mass > 0 ? Math.min(1, (this.#covered[id] as number) / mass) : 0;
    return own + (1 - own) * WEIGHTS.sayings.covers * (this.#saidCovers[id] as number);
  }

  /** Share of the name that was asked for: words nobody asked for make it another thing. */
  #precision(id: number): number {
    const whole = this.#index.nameMass[id] as number;
    return whole > 0 ? Math.min(1, (this.#named[id] as number) / whole) : 0;
  }
}

interface CapabilityFactors {
  asked: number;
  danger: number;
}

interface Factors {
  verb: number[];
  capability: CapabilityFactors[];
  platform: number[];
  admitted: boolean[][];
}

const comesBefore = (ratings: Float64Array, a: number, b: number) =>
  (ratings[a] as number) > (ratings[b] as number) || ((ratings[a] as number) === (ratings[b] as number) && a < b);

/** One thing by name wants the operation on one; a plural without a name wants the list. */
function arity(question: Question, verb: Verb, single: boolean): number {
  if (verb !== 'list' && verb !== 'get') return 1;
  if (question.one) return single ? WEIGHTS.oneOne : WEIGHTS.oneMany;
  if (question.many) return single ? WEIGHTS.manyOne : WEIGHTS.manyMany;
  return 1;
}
