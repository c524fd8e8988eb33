/** What the word vectors give to the tools of the groups that a question is likely about. */
import type { SearchIndex } from './inverted-index.ts';
import { isWriting, VERBS } from './operation-kind.ts';
import type { Scores } from './scores.ts';
import type { Question } from './search-question.ts';
import { WEIGHTS } from './weights.ts';
import { groupProbabilities, NO_GROUP, startsOf, wordVectors } from './word-vectors.ts';

const { group: W } = WEIGHTS;

/**
 * Without a known verb (`hide the SSID`) a question wants to change something if most of the groups that it is likely about
 * do so. A bare plural names things.
 */
export function withLikelyIntent(question: Question, changes: number | undefined): Question {
  if (changes === undefined || !(question.bare || question.intent === undefined)) return question;
  if (changes <= WEIGHTS.order.likely || (question.bare && question.many)) return { ...question, intent: 'read' };
  const sure = !question.bare || changes > WEIGHTS.order.sure;
  return { ...question, intent: sure ? 'write' : undefined, question: false };
}

export class GroupScores {
  readonly #scores: Scores;
  /** Where the tools of each group start in `#tools`; one more entry than groups, empty without tools in groups. */
  readonly #start: Uint32Array;
  readonly #tools: Uint32Array;
  /** Per group: does it change something? */
  readonly #writes: Uint8Array;
  /** Of the last text: the parts of a question share theirs. */
  #last: { text: string; probabilities: Float32Array } = { text: '', probabilities: new Float32Array() };

  constructor({ groupOf, verb }: SearchIndex, scores: Scores) {
    this.#scores = scores;
    const tools = Array.from(groupOf.keys()).filter((tool) => groupOf[tool] !== NO_GROUP);
    tools.sort((a, b) => (groupOf[a] as number) - (groupOf[b] as number) || a - b);
    this.#tools = Uint32Array.from(tools);
    const sizes: number[] = tools.length === 0 ? [] : new Array(wordVectors().groupBias.length).fill(0);
    for (const tool of tools) sizes[groupOf[tool] as number] = (sizes[groupOf[tool] as number] as number) + 1;
    this.#start = Uint32Array.from(startsOf(sizes));
    const writes = (tool: number | undefined) => tool !== undefined && isWriting(VERBS[verb[tool] as number]);
    this.#writes = Uint8Array.from(sizes, (_, group) => Number(writes(tools[this.#start[group] as number])));
  }

  get empty(): boolean {
    return this.#tools.length === 0;
  }

  /**
   * Answers which share of the likely groups changes something, 0 to 1; undefined where no group is likely. A question
   * without a verb of its own is about no group of writes, whatever its words are (`is the server deleted?`).
   */
  gather({ masked, question, plain }: Question): number | undefined {
    if (this.empty) return undefined;
    if (this.#last.text !== masked)
      this.#last = { text: masked, probabilities: groupProbabilities(wordVectors(), masked) };
    const { probabilities } = this.#last;
    let [all, writing] = [0, 0];
    for (let group = 0; group < probabilities.length; group++) {
      const probability = probabilities[group] as number;
      if (probability < W.least) continue;
      const [start, end] = [this.#start[group] as number, this.#start[group + 1] as number];
      if (start === end) continue;
      const writes = this.#writes[group] === 1;
      all += probability;
      if (writes) writing += probability;
      if (writes && question && !plain) continue;
      this.#give(start, end, probability ** W.power);
    }
    return all > 0 ? writing / all : undefined;
  }

  #give(start: number, end: number, share: number): void {
    for (let at = start; at < end; at++) {
      const tool = this.#tools[at] as number;
      this.#scores.touch(tool);
      this.#scores.group[tool] = share;
    }
  }
}
