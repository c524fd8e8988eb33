/**
 * Factors of a score that do not depend on a tool's words: how well the kind, capability, number and platform of an
 * operation fit a question.
 */
import { CAPABILITIES } from '../access/access-policy.ts';
import { FLAG_OLD, FLAG_ONE, FLAG_POSES } from './analysed-tool.ts';
import type { SearchIndex } from './inverted-index.ts';
import { agreement, isWriting, VERBS, type Verb } from './operation-kind.ts';
import type { Question } from './search-question.ts';
import { WEIGHTS } from './weights.ts';

/** For one question a number for each verb, capability and platform. */
export class Factors {
  readonly #index: SearchIndex;
  readonly #question: Question;
  readonly #verb: readonly number[];
  readonly #asked: readonly number[];
  readonly #danger: readonly number[];
  readonly #platform: readonly number[];

  constructor(index: SearchIndex, question: Question, affinity: Float64Array) {
    this.#index = index;
    this.#question = question;
    this.#verb = verbFactors(question);
    const asked = question.plain ? WEIGHTS.askedByVerb : WEIGHTS.asked;
    this.#asked = VERBS.map((verb) => (question.question && isWriting(verb) ? asked : 1));
    this.#danger = CAPABILITIES.map((capability) =>
      capability === 'destructive' && question.intent !== 'delete' && question.intent !== 'action' ? WEIGHTS.danger : 1,
    );
    this.#platform = platformFactors(index, question, affinity);
  }

  of(tool: number): Record<string, number> {
    const { verb, capability, platform, flags } = this.#index;
    return {
      verb: this.#verb[verb[tool] as number] as number,
      question: this.#asked[verb[tool] as number] as number,
      danger: this.#danger[capability[tool] as number] as number,
      arity: this.#arity(tool),
      platform: this.#platform[platform[tool] as number] as number,
      old: (flags[tool] as number) & FLAG_OLD ? WEIGHTS.old : 1,
      poses: (flags[tool] as number) & FLAG_POSES ? WEIGHTS.poses : 1,
    };
  }

  product(tool: number): number {
    const { verb, capability, platform, flags } = this.#index;
    return (
      (this.#verb[verb[tool] as number] as number) *
      (this.#asked[verb[tool] as number] as number) *
      (this.#danger[capability[tool] as number] as number) *
      this.#arity(tool) *
      (this.#platform[platform[tool] as number] as number) *
      ((flags[tool] as number) & FLAG_OLD ? WEIGHTS.old : 1) *
      ((flags[tool] as number) & FLAG_POSES ? WEIGHTS.poses : 1)
    );
  }

  /**
   * A plural wants the list, also beside a name: in `events of ap-12` the name says whose they are. One thing by name wants the
   * operation on one, a question without either, less surely, the list.
   */
  #arity(tool: number): number {
    const verb = VERBS[this.#index.verb[tool] as number] as Verb;
    if (verb !== 'list' && verb !== 'get') return 1;
    const single = ((this.#index.flags[tool] as number) & FLAG_ONE) !== 0;
    const { one, many, intent, plain } = this.#question;
    if (many) return single ? WEIGHTS.manyOne : WEIGHTS.manyMany;
    if (one) return single ? WEIGHTS.oneOne : WEIGHTS.oneMany;
    return single && intent === 'read' && !plain ? WEIGHTS.unnamedOne : 1;
  }
}

function verbFactors({ intent }: Question): number[] {
  return VERBS.map((verb) => agreement(intent, verb) ** WEIGHTS.verb);
}

/** A platform that is named, else one that is hinted at, else one whose own words occur. */
function platformFactors({ platforms }: SearchIndex, question: Question, affinity: Float64Array): number[] {
  if (question.platforms.length > 0)
    return platforms.map((platform) =>
      question.platforms.includes(platform) ? WEIGHTS.platformYes : WEIGHTS.platformNo,
    );
  const most = Math.max(0, ...affinity);
  return platforms.map((platform, i) => {
    const hinted = question.hinted.length === 0 || question.hinted.includes(platform);
    return (
      (hinted ? 1 : WEIGHTS.unhinted) *
      (1 - (WEIGHTS.affinity * (most - (affinity[i] as number))) / (most + WEIGHTS.faint + 1e-9))
    );
  });
}
