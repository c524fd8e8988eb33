/**
 * Misspelt words of a question: a word that is in no tool, no example utterance and no list of English words, and one slip away
 * from a word of tools or utterances (a letter too many, too few, another, or two exchanged), is read as that. An English word
 * that no tool has is read in its other spelling, British or American. A capital begins a name, which stays as it is.
 */
import { isEnglish } from './english-words.ts';
import { isVerbOfIntent } from './intent.ts';
import { isUsed, type SearchIndex } from './inverted-index.ts';
import { AS_WORD } from './postings.ts';
import { stem } from './stem.ts';
import { findTerm, NO_TERM, termAt } from './term-table.ts';
import { isContent } from './tokens.ts';
import { wordVectors } from './word-vectors.ts';

/** Each unknown word costs a look at the stems with its first letter. */
const MOST_WORDS = 8;
/** Where a larger share is unknown, the question is in another language. */
const MOST_SHARE = 1 / 3;
const ALWAYS = 2;
const LONGEST = 24;
/** Five letters and more: shorter words are one slip away from too many others. Not a part of a name, a path or an address. */
const WORD = /(?<![\p{L}\p{N}_.@/-])\p{L}\p{Ll}{4,}(?![\p{L}\p{N}_@/-])/gu;

export class Spelling {
  readonly #index: SearchIndex;
  /** Stems by their first letter, those of most tools first. Made with the first word that nobody knows. */
  #stems: ReadonlyMap<string, readonly string[]> | undefined;

  constructor(index: SearchIndex) {
    this.#index = index;
  }

  /** The text with its misspelt words put right. `masked` is the same without values. */
  corrected(text: string, masked: string): string {
    const right = new Map<string, string>();
    for (const word of this.#unknownIn(masked)) {
      const found = this.#nearest(word.toLowerCase());
      if (found !== undefined) right.set(word, found);
    }
    return right.size === 0 ? text : text.replace(WORD, (word) => right.get(word) ?? word);
  }

  #unknownIn(masked: string): string[] {
    const unknown = new Set<string>();
    let said = 0;
    for (const { 0: word, index } of masked.matchAll(WORD)) {
      said += 1;
      const isName = index > 0 && /^\p{Lu}/u.test(word);
      if (!isName && word.length <= LONGEST && !this.#isKnown(word.toLowerCase())) unknown.add(word);
    }
    return unknown.size > Math.max(ALWAYS, said * MOST_SHARE) ? [] : [...unknown].slice(0, MOST_WORDS);
  }

  #isKnown(word: string): boolean {
    if (!isContent(word) || isVerbOfIntent(word)) return true;
    const term = stem(word);
    return isUsed(this.#index, term) || findTerm(wordVectors().terms, term) !== NO_TERM;
  }

  /** Of the words one slip away the one that most tools have. */
  #nearest(word: string): string | undefined {
    this.#stems ??= this.#read();
    const fits = isEnglish(word) ? isOtherSpelling : isOneSlip;
    for (const root of this.#stems.get(word[0] as string) ?? []) {
      if (!mayBeOneSlip(word, root)) continue;
      const forms = formsOf(root).filter((form) => fits(word, form) && stem(form) === root);
      // `delte` may be the stem `delet` or the word `delete`.
      const right = forms.find(isVerbOfIntent) ?? forms.find(isEnglish) ?? forms[0];
      if (right !== undefined) return right;
    }
    return undefined;
  }

  #read(): Map<string, string[]> {
    const { terms, start } = this.#index;
    const uses = new Map<string, number>();
    const { terms: spoken, idf } = wordVectors();
    for (const [t, often] of idf.entries()) uses.set(termAt(spoken, t), 1 / (1 + often));
    for (let t = 0; t < start.length - 1; t++)
      if (this.#isWord(t)) uses.set(termAt(terms, t), (start[t + 1] as number) - (start[t] as number));
    const byLetter = new Map<string, string[]>();
    for (const [term] of [...uses].sort(([a, m], [b, n]) => n - m || (a < b ? -1 : 1))) {
      if (!PLAIN.test(term)) continue;
      const first = term[0] as string;
      const list = byLetter.get(first);
      if (list === undefined) byLetter.set(first, [term]);
      else list.push(term);
    }
    return byLetter;
  }

  /** Not two words joined. */
  #isWord(t: number): boolean {
    const { start, mask } = this.#index;
    for (let p = start[t] as number; p < (start[t + 1] as number); p++)
      if (((mask[p] as number) & AS_WORD) !== 0) return true;
    return false;
  }
}

const PLAIN = /^\p{Ll}{4,}$/u;
const ENDINGS = ['', 'e', 's', 'es', 'ed', 'ing'];
const LONGEST_ENDING = 3;

/** Words that may have this stem. */
const formsOf = (root: string): string[] => [...ENDINGS.map((ending) => root + ending), `${root.slice(0, -1)}y`];

/** A quick look that leaves out most: of two letters behind the first, one at least stays in its place or beside it. */
const mayBeOneSlip = (word: string, root: string): boolean =>
  root.length <= word.length + 1 &&
  root.length >= word.length - 1 - LONGEST_ENDING &&
  (root[1] === word[1] || root[1] === word[2] || root[2] === word[1] || root[2] === word[2]);

/** `organization` and `organisation`, `fibre` and `fiber`. */
const isOtherSpelling = (word: string, other: string): boolean => oneSpelling(word) === oneSpelling(other);

const oneSpelling = (word: string): string =>
  word
    .replaceAll('z', 's')
    .replaceAll('our', 'or')
    .replaceAll('ll', 'l')
    .replace(/re(?=s?$)/, 'er')
    .replace(/ence(?=[sd]?$)/, 'ense');

/** One letter more, one less, another one, or two neighbours exchanged (Damerau-Levenshtein distance 1). */
export function isOneSlip(word: string, other: string): boolean {
  const [short, long] = word.length <= other.length ? [word, other] : [other, word];
  if (long.length - short.length > 1) return false;
  let same = 0;
  while (same < short.length && short[same] === long[same]) same++;
  if (long.length > short.length) return short.slice(same) === long.slice(same + 1);
  if (same === short.length) return false;
  if (short.slice(same + 1) === long.slice(same + 1)) return true;
  return (
    short[same] === long[same + 1] && short[same + 1] === long[same] && short.slice(same + 2) === long.slice(same + 2)
  );
}
