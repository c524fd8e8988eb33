/** Reads texts into term numbers. Each different text is read once: the operations of one resource share most of theirs. */
import { stem } from './stem.ts';
import { isContent, wholeTerm, words } from './tokens.ts';

export interface ReadText {
  /** The content words, again where they stand again. */
  words: readonly number[];
  /** The same, and verbs of every day. */
  withVerbs: readonly number[];
  /** Neighbours among the content words, joined. */
  pairs: readonly number[];
}

export class Reader {
  /** Terms by their number. */
  readonly vocabulary: string[];
  readonly #numbers: Map<string, number>;
  readonly #texts = new Map<string, ReadText>();

  /** Terms that have their numbers already keep them. */
  constructor(vocabulary: readonly string[] = []) {
    this.vocabulary = [...vocabulary];
    this.#numbers = new Map(vocabulary.map((term, number) => [term, number]));
  }

  text(source: string): ReadText {
    const known = this.#texts.get(source) ?? this.#read(source);
    this.#texts.set(source, known);
    return known;
  }

  /** All content words as one term, for who says exactly that and nothing else; none where there are no words. */
  whole({ words: own }: ReadText): number[] {
    return own.length === 0 ? [] : [this.#term(wholeTerm(own.map((term) => this.vocabulary[term] as string)))];
  }

  #read(source: string): ReadText {
    const spoken = words(source).filter((word) => isContent(word, true));
    const content = spoken.filter((word) => isContent(word)).map(stem);
    return {
      words: content.map((term) => this.#term(term)),
      withVerbs: spoken.map((word) => this.#term(stem(word))),
      pairs: content.slice(1).map((term, i) => this.#term(`${content[i]}${term}`)),
    };
  }

  #term(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.vocabulary.push(term) - 1;
    this.#numbers.set(term, number);
    return number;
  }
}
