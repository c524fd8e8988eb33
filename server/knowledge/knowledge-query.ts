/** What a question says about where to look: which platform it means, which version, and which words to look for. */
import { stem } from '../search/stem.ts';
import { NAMES, THESAURUS } from './thesaurus.ts';

export interface Asked {
  /** Stems that the question holds, each with what stands in for it. */
  terms: ReadonlyMap<string, number>;
  platforms: ReadonlySet<string>;
  /** Versions that it names, as written. */
  versions: readonly string[];
  /** It asks for what was replaced. */
  earlier: boolean;
}

const STOP = new Set(
  'a an and are as at be been before but by can could do does did for from had has have how i if in into is it its may me might more must my of off on or our shall should so than that the their them then there these they this those to too up us was we were what when where which while who whom whose why will with would you your'.split(
    ' ',
  ),
);

export const plain = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replaceAll(/(?<=\p{L})['’](s|t|re|ll|ve|d|m)\b/gu, '')
    .replaceAll(/[^\p{L}\p{N}.]+/gu, ' ')
    .replaceAll(/\.(?!\d)/g, ' ')
    .trim()} `;

/** Stems of a text, in order, without words that say nothing. */
export function stems(text: string): string[] {
  return plain(text)
    .split(' ')
    .filter((word) => word !== '' && !STOP.has(word))
    .map(stem);
}

const EDITION = '(edition|revision|runbook|notice|advisory|instructions|handbook|guide)';
const EARLIER = new RegExp(
  [
    '\\b(superseded|previous|former|original|initial)\\b',
    `\\b(old|older|first|earlier)\\s+(\\w+\\s+)?${EDITION}\\b`,
    `\\b(revision one|revision 1)\\b|\\b20\\d\\d ${EDITION}\\b`,
  ].join('|'),
  'i',
);

/** Words that stand in for another weigh less than the word itself. */
const SYNONYM = 0.6;

export function readQuestion(
  question: string,
  known: Readonly<Record<string, readonly string[]>> = {},
  synonyms: readonly (readonly string[])[] = THESAURUS,
): Asked {
  let text = plain(question);
  const platforms = new Set<string>();
  const names = [...Object.entries(NAMES), ...Object.entries(known)].flatMap(([id, words]) =>
    words.map((word) => ({ id, word: plain(word) })),
  );
  // The longest name counts, and its words say nothing else: "the cloud proxy" is not about a cloud.
  for (const { id, word } of names.sort((a, b) => b.word.length - a.word.length)) {
    if (!text.includes(word)) continue;
    platforms.add(id);
    text = text.replaceAll(word, ' ');
  }
  const versions = text.match(/(?<![\d.])\d+\.\d+(\.\d+)*(?![\d.])/g) ?? [];
  const terms = new Map(stems(text).map((term) => [term, 1]));
  for (const group of synonyms)
    if (group.some((phrase) => text.includes(` ${phrase} `)))
      for (const term of group.flatMap((phrase) => stems(phrase))) if (!terms.has(term)) terms.set(term, SYNONYM);
  return { terms, platforms, versions, earlier: EARLIER.test(question) };
}
