/**
 * Reads texts into numbers: each text is split once, each different word is looked at once, and from there on there are
 * numbers only. The operations of one resource share most of their texts.
 */
import { NumberLists } from './number-lists.ts';
import { PairNumbers } from './pair-numbers.ts';
import { stem } from './stem.ts';
import { beginsJoined, isContent, joinedWord, mayJoin, SCAN, scanPlain, splitByRules, wholeTerm } from './tokens.ts';
import { WordNumbers } from './word-numbers.ts';

const CONTENT = 1;
const CONTENT_OR_VERB = 2;
const BEGINS = 4;

const UNNUMBERED = -1;
const NOT_ASKED = -2;

export class Reader {
  /** Terms by their number. */
  readonly vocabulary: string[];
  /** Stems by theirs, those that are no terms too. */
  readonly stems: string[] = [];
  readonly #terms: Map<string, number>;
  readonly #stemNumbers = new Map<string, number>();
  /** Per stem the term it is. */
  readonly #termOfStem: number[] = [];
  readonly #wordNumbers = new Map<string, number>();
  /** Spellings in plain letters, and the word of each: several may be one. */
  readonly #spellings = new WordNumbers();
  readonly #wordOfSpelling: number[] = [];
  /** Per word: its stem, and what kind of word it is. */
  readonly #stemOfWord: number[] = [];
  readonly #kindOfWord: number[] = [];
  readonly #textNumbers = new Map<string, number>();
  /** Per text its words, and its term as a whole. */
  readonly #texts = new NumberLists();
  readonly #wholeOfText: number[] = [];
  /** Neighbours by the numbers of their terms, and the term the two make. */
  readonly #neighbours = new PairNumbers();
  readonly #termOfNeighbours: number[] = [];

  /** Terms that have their numbers already keep them. */
  constructor(vocabulary: readonly string[] = []) {
    this.vocabulary = [...vocabulary];
    this.#terms = new Map(vocabulary.map((term, number) => [term, number]));
  }

  /** The number of a text that others may have too: it is read once. */
  text(source: string): number {
    const known = this.#textNumbers.get(source);
    if (known !== undefined) return known;
    const number = this.textOfOne(source);
    this.#textNumbers.set(source, number);
    return number;
  }

  /** The same for a text that nobody else will have. */
  textOfOne(source: string): number {
    if (!this.#readPlain(source)) for (const word of splitByRules(source)) this.#texts.push(this.#wordNumber(word));
    this.#wholeOfText.push(NOT_ASKED);
    return this.#texts.close();
  }

  /** The content words of a text; `once` leaves out what the open list has. */
  words(text: number, into: NumberLists, once = false): void {
    const { numbers } = this.#texts;
    const to = this.#texts.to(text);
    for (let at = this.#texts.from(text); at < to; at++) {
      const term = this.#termAt(numbers[at] as number, CONTENT);
      if (term === UNNUMBERED) continue;
      if (once) into.pushOnce(term);
      else into.push(term);
    }
  }

  /** The same, and verbs of every day; each once. */
  withVerbs(text: number, into: NumberLists): void {
    const { numbers } = this.#texts;
    const to = this.#texts.to(text);
    for (let at = this.#texts.from(text); at < to; at++) {
      const term = this.#termAt(numbers[at] as number, CONTENT_OR_VERB);
      if (term !== UNNUMBERED) into.pushOnce(term);
    }
  }

  /** Neighbours among the content words, joined. */
  pairs(text: number, into: NumberLists): void {
    const { numbers } = this.#texts;
    const to = this.#texts.to(text);
    let before = UNNUMBERED;
    for (let at = this.#texts.from(text); at < to; at++) {
      const term = this.#termAt(numbers[at] as number, CONTENT);
      if (term === UNNUMBERED) continue;
      if (before !== UNNUMBERED) into.push(this.#joined(before, term));
      before = term;
    }
  }

  /** All content words as one term, for who says exactly that and nothing else. */
  whole(text: number, into: NumberLists): void {
    if (this.#wholeOfText[text] === NOT_ASKED) this.#wholeOfText[text] = this.#wholeOf(text);
    const term = this.#wholeOfText[text] as number;
    if (term !== UNNUMBERED) into.push(term);
  }

  termOf(stem: number): number {
    const known = this.#termOfStem[stem] as number;
    if (known !== UNNUMBERED) return known;
    const number = this.term(this.stems[stem] as string);
    this.#termOfStem[stem] = number;
    return number;
  }

  term(term: string): number {
    const known = this.#terms.get(term);
    if (known !== undefined) return known;
    const number = this.vocabulary.push(term) - 1;
    this.#terms.set(term, number);
    return number;
  }

  #termAt(word: number, kind: number): number {
    return (this.#kindOfWord[word] as number) & kind ? this.termOf(this.#stemOfWord[word] as number) : UNNUMBERED;
  }

  #joined(a: number, b: number): number {
    const number = this.#neighbours.numberOf(a, b);
    if (number === this.#termOfNeighbours.length)
      this.#termOfNeighbours.push(this.term(`${this.vocabulary[a]}${this.vocabulary[b]}`));
    return this.#termOfNeighbours[number] as number;
  }

  #wholeOf(text: number): number {
    const terms: string[] = [];
    for (const word of this.#texts.list(text)) {
      const term = this.#termAt(word, CONTENT);
      if (term !== UNNUMBERED) terms.push(this.vocabulary[term] as string);
    }
    return terms.length === 0 ? UNNUMBERED : this.term(wholeTerm(terms));
  }

  /** Adds the words of a text to the open list, unless rules are needed to tell them. */
  #readPlain(source: string): boolean {
    const count = scanPlain(source);
    const began = this.#texts.length;
    let joins = false;
    let before = 0;
    for (let i = 0; i < count; i++) {
      const spelling = this.#spellings.numberOf(SCAN.letters, SCAN.from[i] as number, SCAN.to[i] as number);
      if (joins && mayJoin(this.#spellings.wordAt(before), this.#spellings.wordAt(spelling))) {
        this.#texts.length = began;
        return false;
      }
      const word = this.#wordOfSpelling[spelling] ?? this.#newSpelling(spelling);
      this.#texts.push(word);
      joins = ((this.#kindOfWord[word] as number) & BEGINS) !== 0;
      before = spelling;
    }
    return count >= 0;
  }

  #newSpelling(spelling: number): number {
    const word = this.#wordNumber(joinedWord(this.#spellings.wordAt(spelling)));
    this.#wordOfSpelling[spelling] = word;
    return word;
  }

  #wordNumber(word: string): number {
    const known = this.#wordNumbers.get(word);
    if (known !== undefined) return known;
    const root = stem(word);
    let number = this.#stemNumbers.get(root);
    if (number === undefined) {
      number = this.stems.push(root) - 1;
      this.#stemNumbers.set(root, number);
      this.#termOfStem.push(UNNUMBERED);
    }
    this.#kindOfWord.push(
      (isContent(word) ? CONTENT : 0) |
        (isContent(word, true) ? CONTENT_OR_VERB : 0) |
        (beginsJoined(word) ? BEGINS : 0),
    );
    const own = this.#stemOfWord.push(number) - 1;
    this.#wordNumbers.set(word, own);
    return own;
  }
}
