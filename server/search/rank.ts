/**
 * Ranks tools for a question: a BM25F core over their document terms and the utterances of their group, then factors
 * for how well the kind of operation fits the question. The parts of each returned hit are kept, so that `--explain`
 * can show them.
 */
import { CAPABILITIES, type Capability } from '../access/access-policy.ts';
import { DocumentTerms } from './document-terms.ts';
import { Factors } from './fit-factors.ts';
import { GroupScores, withLikelyIntent } from './group-scores.ts';
import type { SearchIndex } from './inverted-index.ts';
import { Scores } from './scores.ts';
import type { Question } from './search-question.ts';
import { classesOf } from './tool-classes.ts';
import { WEIGHTS } from './weights.ts';
import { NO_GROUP } from './word-vectors.ts';

export interface Ranked {
  id: number;
  score: number;
  /** Share of the question that the tool's texts answer, 0 to 1. */
  coverage: number;
  /** What each feature gave: the text, then factors around 1. */
  features: Record<string, number>;
  /** The parts of the text score: words × coverage × precision + group. */
  text: Record<'words' | 'coverage' | 'precision' | 'group', number>;
}

export interface Ranking {
  /** Best first. */
  hits: Ranked[];
  /** The best of those that may not be shown, where it would stand clearly before all hits. */
  barred?: number;
}

/** Which tools may be shown at all. */
export type Admit = (platform: string, capability: Capability) => boolean;

/** Versions an operation may have before they crowd out others. */
const VERSIONS = 4;

const UNKNOWN = -1;
/** Rounding tolerance of a share that is at most 1. */
const ROUNDED = 1 + 1e-9;

export class Ranker {
  readonly #index: SearchIndex;
  readonly #scores: Scores;
  readonly #own: DocumentTerms;
  readonly #groups: GroupScores;
  readonly #ratings: Float64Array;
  /** Per class of tools, for the question at hand. */
  readonly #classOf: Uint32Array;
  readonly #products: Float64Array;
  readonly #admits: Uint8Array;
  /** The total weight of the question's words, and what a sure group contributes. */
  #mass = 0;
  #groupWeight = 0;

  constructor(index: SearchIndex) {
    this.#index = index;
    this.#scores = new Scores(index.size);
    this.#own = new DocumentTerms(index, this.#scores);
    this.#groups = new GroupScores(index, this.#scores);
    this.#ratings = new Float64Array(index.size);
    const { of, count } = classesOf(index);
    this.#classOf = of;
    this.#products = new Float64Array(count);
    this.#admits = new Uint8Array(count);
  }

  rank(asked: Question, admit: Admit, limit: number): Ranking {
    this.#mass = this.#own.gather(asked);
    this.#groupWeight = WEIGHTS.group.weight * (1 - WEIGHTS.group.fade * this.#known());
    const question = withLikelyIntent(asked, this.#groups.gather(asked));
    const factors = new Factors(this.#index, question, this.#own.affinity);
    const { best, barred } = this.#best(factors, admit, limit * VERSIONS);
    const hits = this.#apart(best)
      .slice(0, limit)
      .map((id) => this.#explain(factors, id));
    this.#scores.clear();
    return barred === undefined ? { hits } : { hits, barred };
  }

  /** Further versions of an operation stand behind the first of all others. */
  #apart(best: readonly number[]): number[] {
    const seen = new Set<number>();
    const first: number[] = [];
    const further: number[] = [];
    for (const id of best) {
      const of = this.#index.versionOf[id] as number;
      (seen.has(of) ? further : first).push(id);
      seen.add(of);
    }
    return [...this.#spread(first), ...further];
  }

  /** Each further tool of a group loses a share of its rating, so that one group does not fill the answer. */
  #spread(ids: readonly number[]): number[] {
    const shown = new Map<number, number>();
    const rated = ids.map((id) => {
      const group = this.#index.groupOf[id] as number;
      const before = group === NO_GROUP ? 0 : (shown.get(group) ?? 0);
      shown.set(group, before + 1);
      return { id, rating: (this.#ratings[id] as number) * WEIGHTS.again ** before };
    });
    return rated.sort((a, b) => b.rating - a.rating).map(({ id }) => id);
  }

  /** The share of the question that the words of one tool answer at most. */
  #known(): number {
    const { covered, touched, count } = this.#scores;
    let most = 0;
    for (let i = 0; i < count; i++) most = Math.max(most, covered[touched[i] as number] as number);
    return this.#mass > 0 ? Math.min(1, most / this.#mass) : 0;
  }

  /** A tool whose points alone, times its factors, stay behind the last of the best is not rated: nothing else can raise it. */
  #best(factors: Factors, admit: Admit, limit: number): { best: number[]; barred?: number } {
    const { touched, count, own, group } = this.#scores;
    const ratings = this.#ratings;
    const best: number[] = [];
    let least = 0;
    let barred: number | undefined;
    let mostBarred = 0;
    this.#products.fill(UNKNOWN);
    for (let i = 0; i < count; i++) {
      const id = touched[i] as number;
      const type = this.#knownClass(id, factors, admit);
      const product = this.#products[type] as number;
      const admitted = this.#admits[type] === 1;
      const points = (own[id] as number) + this.#groupWeight * (group[id] as number);
      if (points * product * ROUNDED < (admitted ? least : mostBarred)) continue;
      const rating = this.#text(id) * product;
      ratings[id] = rating;
      if (!admitted) {
        if (barred !== undefined && !comesBefore(ratings, id, barred)) continue;
        barred = id;
        mostBarred = rating;
        continue;
      }
      insertByRating(ratings, best, id, limit);
      if (best.length === limit) least = ratings[best[limit - 1] as number] as number;
    }
    return this.#withBarred(best, barred);
  }

  /** The best hidden tool is reported only if it would clearly precede all hits. */
  #withBarred(best: number[], barred: number | undefined): { best: number[]; barred?: number } {
    if (barred === undefined) return { best };
    const first = best[0] === undefined ? 0 : (this.#ratings[best[0]] as number);
    return (this.#ratings[barred] as number) > first * WEIGHTS.barred ? { best, barred } : { best };
  }

  /** The class of a tool, once it is read: the factors of all tools that are like it, and whether they may be shown. */
  #knownClass(tool: number, factors: Factors, admit: Admit): number {
    const type = this.#classOf[tool] as number;
    if (this.#products[type] !== UNKNOWN) return type;
    const { platforms, platform, capability } = this.#index;
    this.#products[type] = factors.product(tool);
    this.#admits[type] = admit(
      platforms[platform[tool] as number] as string,
      CAPABILITIES[capability[tool] as number] as Capability,
    )
      ? 1
      : 0;
    return type;
  }

  #explain(factors: Factors, id: number): Ranked {
    const coverage = this.#coverage(id);
    return {
      id,
      score: this.#ratings[id] as number,
      coverage,
      features: { text: this.#text(id), ...factors.of(id) },
      text: {
        words: this.#scores.own[id] as number,
        coverage: softened(coverage, WEIGHTS.coverage),
        precision: softened(this.#precision(id), WEIGHTS.precision),
        group: this.#group(id),
      },
    };
  }

  #text(id: number): number {
    return (
      (this.#scores.own[id] as number) *
        softened(this.#coverage(id), WEIGHTS.coverage) *
        softened(this.#precision(id), WEIGHTS.precision) +
      this.#group(id)
    );
  }

  #group(id: number): number {
    return this.#groupWeight * (this.#scores.group[id] as number);
  }

  #coverage(id: number): number {
    const { covered, group } = this.#scores;
    const own = this.#mass > 0 ? Math.min(1, (covered[id] as number) / this.#mass) : 0;
    return own + (1 - own) * WEIGHTS.group.covers * (group[id] as number);
  }

  /** Share of the name that was asked for: words nobody asked for make it another thing. */
  #precision(id: number): number {
    const whole = this.#index.nameMass[id] as number;
    return whole > 0 ? Math.min(1, (this.#scores.named[id] as number) / whole) : 0;
  }
}

/** A share from 0 to 1 that never takes everything away. */
const softened = (share: number, least: number) => least + (1 - least) * share;

/** Keeps the best, best first and at most so many. */
function insertByRating(ratings: Float64Array, best: number[], id: number, limit: number): void {
  const last = best[best.length - 1];
  if (best.length >= limit && last !== undefined && !comesBefore(ratings, id, last)) return;
  let at = best.length;
  while (at > 0 && comesBefore(ratings, id, best[at - 1] as number)) at--;
  best.splice(at, 0, id);
  if (best.length > limit) best.pop();
}

const comesBefore = (ratings: Float64Array, a: number, b: number) =>
  (ratings[a] as number) > (ratings[b] as number) || ((ratings[a] as number) === (ratings[b] as number) && a < b);
