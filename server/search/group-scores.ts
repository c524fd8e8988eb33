/** What the word vectors give to the tools of the groups that a question is likely about. */
import type { SearchIndex } from './inverted-index.ts';
import { isWriting, VERBS } from './operation-kind.ts';
import type { Scores } from './scores.ts';
import type { Question } from './search-question.ts';
import { WEIGHTS } from './weights.ts';
import { groupProbabilities, NO_GROUP, startsOf, wordVectors } from './word-vectors.ts';

const { group: W } = WEIGHTS;

export class GroupScores {
  readonly #scores: Scores;
  /** Where the tools of each group start in `#tools`; one more entry than groups, empty without tools in groups. */
  readonly #start: Uint32Array;
  readonly #tools: Uint32Array;
  /** Per tool: does it change something? */
  readonly #writes: Uint8Array;
  /** Of the last text: the parts of a question share theirs. */
  #last: { text: string; probabilities: Float32Array } = { text: '', probabilities: new Float32Array() };

  constructor({ groupOf, verb }: SearchIndex, scores: Scores) {
    this.#scores = scores;
    this.#writes = Uint8Array.from(verb, (number) => Number(isWriting(VERBS[number])));
    const tools = Array.from(groupOf.keys()).filter((tool) => groupOf[tool] !== NO_GROUP);
    tools.sort((a, b) => (groupOf[a] as number) - (groupOf[b] as number) || a - b);
    this.#tools = Uint32Array.from(tools);
    const sizes: number[] = tools.length === 0 ? [] : new Array(wordVectors().groups.size).fill(0);
    for (const tool of tools) sizes[groupOf[tool] as number] = (sizes[groupOf[tool] as number] as number) + 1;
    this.#start = Uint32Array.from(startsOf(sizes));
  }

  get empty(): boolean {
    return this.#tools.length === 0;
  }

  /** A question without a verb of its own is about no group of writes, whatever its words are (`is the server deleted?`). */
  gather({ masked, question, plain }: Question): void {
    if (this.empty) return;
    if (this.#last.text !== masked)
      this.#last = { text: masked, probabilities: groupProbabilities(wordVectors(), masked) };
    const { probabilities } = this.#last;
    for (let group = 0; group < probabilities.length; group++) {
      const probability = probabilities[group] as number;
      if (probability < W.least) continue;
      const share = probability ** W.power;
      for (let at = this.#start[group] as number; at < (this.#start[group + 1] as number); at++) {
        const tool = this.#tools[at] as number;
        if (question && !plain && this.#writes[tool] === 1) continue;
        this.#scores.touch(tool);
        this.#scores.group[tool] = share;
      }
    }
  }
}
