/** Text → comparable words, the same for tools and questions: split, joined where people join, stemmed. */
import { stem } from './stem.ts';

/** Words that carry no topic. Question words are here too: what they mean for ranking is read elsewhere. */
const STOP = new Set(
  (
    'a an and any are as at be been being by can could did do does doing for from had has have having how i if in into is it its itself just let me ' +
    'my no nor not now of off on one or our out over please shall should so some still tell than that the their them then there these they this ' +
    'those to under up us using want wants was we were what when where which who whom whose why will with within would you your all each every many ' +
    'much there currently right need needs via per about after again also before between both during only same such too very am get got getting im ' +
    'ive id give gives given know see etc eg ie'
  ).split(' '),
);

/** Verbs that any operation may have: they select a kind of operation more than a topic. */
export const GENERIC_VERBS = new Set(
  (
    'list show display view fetch retrieve read look find check create add make new define update change modify edit set adjust delete remove drop ' +
    'replace return returns'
  ).split(' '),
);

/** Spellings of one thing, joined before splitting. */
const JOINED: readonly [RegExp, string][] = [
  [/\b802[.\s]?1[\s-]?x\b/g, ' dot1x '],
  [/\bdot[\s-]1x\b/g, ' dot1x '],
  [/\bwi[\s-]fi\b/g, ' wifi '],
  [/\bsd[\s-]?wan\b/g, ' sdwan '],
  [/\baccess[\s-]points?\b/g, ' ap '],
  [/\baps\b/g, ' ap '],
  [/\be[\s-]mail\b/g, ' email '],
  [/\b(log|sign)[\s-]?(in|on)s?\b/g, ' login '],
  [/\b(log|sign)[\s-](out|off)\b/g, ' logout '],
  [/\bpower over ethernet\b/g, ' poe '],
  [/\bpass[\s-]?(phrase|word|key)s?\b/g, ' password '],
  [/\bdata[\s-]?cent(er|re)s?\b/g, ' datacentre '],
  [/\btrace[\s-]route\b/g, ' traceroute '],
  [/\bzero[\s-]touch\b/g, ' ztp '],
  [/\blicences?\b/g, ' license '],
];

/** Letters of writing systems without spaces are taken two by two. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Words of one spelling with capitals inside: people write `MySQL` where documents say `mysql`. */
const MIXED = /\b[A-Z]?[a-z]+[A-Z][A-Za-z]*\b/g;

/** As `words`, and every word with capitals inside also as one. */
export function wordsAsked(text: string): string[] {
  const whole = text.match(MIXED);
  return whole === null ? words(text) : [...words(text), ...whole.map((word) => word.toLowerCase())];
}

export function words(text: string): string[] {
  let plain = text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[_/]+/g, ' ')
    .replace(/['’](s|re|ve|ll|m|d)\b/g, '')
    .replace(/n['’]t\b/g, ' not');
  for (const [pattern, joined] of JOINED) plain = plain.replace(pattern, joined);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  if (/^[\x00-\x7f]*$/.test(plain)) return plain.match(/[a-z0-9]+/g) ?? [];
  return (
    plain
      .normalize('NFD')
      .replace(/\p{Mn}+/gu, '')
      .replace(DENSE, (run) => ` ${run.length < 2 ? run : pairsOfLetters(run)} `)
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

const pairsOfLetters = (run: string) => Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2)).join(' ');

/** Content words, stemmed. Generic verbs are left out unless asked for: they would match every tool of a kind. */
export function terms(text: string, keepVerbs = false): string[] {
  return words(text)
    .filter((word) => isContent(word, keepVerbs))
    .map(stem);
}

export function isContent(word: string, keepVerbs = false): boolean {
  return word.length > 1 && !STOP.has(word) && (keepVerbs || !GENERIC_VERBS.has(word));
}

/** Neighbours joined to one word: a term of its own, and the spelling of those who write the two as one. */
export function pairs(list: readonly string[]): string[] {
  return list.slice(1).map((word, i) => `${list[i]}${word}`);
}
