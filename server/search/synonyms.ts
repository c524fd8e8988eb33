/**
 * The dictionary as numbers of the index: for each term its synonyms, and for each phrase, by its first word, its
 * terms. Only the words of the question are looked up by spelling.
 */
import type { DictionaryEntry } from './dictionary.ts';
import { startsOf } from './number-lists.ts';
import { continues } from './phrase-pattern.ts';
import { stem } from './stem.ts';
import type { Reader } from './text-reader.ts';
import { WEIGHTS } from './weights.ts';

export interface Synonyms {
  /** Where those of each term start; one more entry than terms. */
  start: Uint32Array;
  term: Uint32Array;
  /** How far each may stand for it, 0 to 1. */
  share: Float32Array;
  /** Where the phrases that begin with each term start; one more entry than terms. */
  phraseStart: Uint32Array;
  /** Per phrase where its further words start in `phraseTerms`, and where what it is about; then the end of the last. */
  phraseParts: Uint32Array;
  phraseTerms: Uint32Array;
}

const { dictionary: W } = WEIGHTS;

interface Phrase {
  rest: number[];
  about: number[];
}

/** Every word of the dictionary becomes a term, so that documents added later are met by it too. */
export function synonymsOf(entries: readonly DictionaryEntry[], reader: Reader): Synonyms {
  // The dictionary says each of its words many times.
  const known = new Map<string, number>();
  const termOf = (word: string) => {
    const number = known.get(word) ?? reader.term(stem(word));
    known.set(word, number);
    return number;
  };
  const words: Map<number, number>[] = [];
  const phrases: Phrase[][] = [];
  for (const { said, near, about } of entries) {
    const [first, ...rest] = said.map(termOf) as [number, ...number[]];
    if (rest.length > 0) {
      phrases[first] ??= [];
      phrases[first].push({ rest, about: about.map(termOf) });
      continue;
    }
    words[first] ??= new Map();
    near.forEach((word) => {
      relate(words[first] as Map<number, number>, termOf(word), W.near);
    });
    about.forEach((word, place) => {
      relate(words[first] as Map<number, number>, termOf(word), W.about * W.next ** place);
    });
    words[first].delete(first);
  }
  return flat(words, phrases, reader.vocabulary.length);
}

function relate(others: Map<number, number>, term: number, share: number): void {
  others.set(term, Math.max(others.get(term) ?? 0, share));
}

function flat(words: readonly Map<number, number>[], phrases: readonly Phrase[][], terms: number): Synonyms {
  const start = new Uint32Array(terms + 1);
  const phraseStart = new Uint32Array(terms + 1);
  for (let t = 0; t < terms; t++) {
    start[t + 1] = (start[t] as number) + (words[t]?.size ?? 0);
    phraseStart[t + 1] = (phraseStart[t] as number) + (phrases[t]?.length ?? 0);
  }
  const term = new Uint32Array(start[terms] as number);
  const share = new Float32Array(term.length);
  words.forEach((others, t) => {
    let at = start[t] as number;
    for (const [other, far] of others) {
      term[at] = other;
      share[at++] = far;
    }
  });
  const parts: number[] = [];
  const phraseTerms: number[] = [];
  phrases.forEach((list) => {
    for (const { rest, about } of list) {
      parts.push(rest.length, about.length);
      phraseTerms.push(...rest, ...about);
    }
  });
  return {
    start,
    term,
    share,
    phraseStart,
    phraseParts: Uint32Array.from(startsOf(parts)),
    phraseTerms: Uint32Array.from(phraseTerms),
  };
}

/** The same for an index with more terms: what is added says nothing for others. */
export function withMoreTerms(synonyms: Synonyms, terms: number): Synonyms {
  return {
    ...synonyms,
    start: lengthened(synonyms.start, terms + 1),
    phraseStart: lengthened(synonyms.phraseStart, terms + 1),
  };
}

function lengthened(starts: Uint32Array, length: number): Uint32Array {
  const more = new Uint32Array(length).fill(starts.at(-1) as number);
  more.set(starts);
  return more;
}

/** Of each turn of phrase that stands among these terms, the terms it is about; `stop` marks where a sentence ends. */
export function phrasesIn(synonyms: Synonyms, terms: readonly number[], stop: number): Uint32Array[] {
  const { phraseStart, phraseParts, phraseTerms } = synonyms;
  const found = new Map<number, Uint32Array>();
  terms.forEach((term, at) => {
    if (term < 0) return;
    const to = phraseStart[term + 1] as number;
    for (let phrase = phraseStart[term] as number; phrase < to; phrase++) {
      const from = phraseParts[phrase * 2] as number;
      const about = phraseParts[phrase * 2 + 1] as number;
      if (!continues(terms, at, phraseTerms, from, about, stop)) continue;
      found.set(phrase, phraseTerms.subarray(about, phraseParts[phrase * 2 + 2]));
    }
  });
  return [...found.values()];
}
