/** Text → comparable words, the same for tools and questions: split, joined where people join, stemmed. */
import { stem } from './stem.ts';

/** Words that carry no topic. Question words are here too: what they mean for ranking is read elsewhere. */
const STOP = new Set(
  (
    'a an and any are as at be been being by can could did do does doing for from had has have having how i if in into is it its itself just let me ' +
    'my no nor not now of off on one or our out over please shall should so some still tell than that the their them then there these they this ' +
    'those to under up us using want wants was we were what when where which who whom whose why will with within would you your all each every many ' +
    'much there currently right need needs via per about after again also before between both during only same such too very am get got getting im ' +
    'ive id give gives given know knows see etc eg ie'
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
const JOINED: readonly [string, string][] = [
  ['802[.\\s]?1[\\s-]?x', 'dot1x'],
  ['dot[\\s-]1x', 'dot1x'],
  ['wi[\\s-]fi', 'wifi'],
  ['sd[\\s-]?wan', 'sdwan'],
  ['access[\\s-]points?|aps', 'ap'],
  ['e[\\s-]mail', 'email'],
  ['(?:log|sign)[\\s-]?(?:in|on)s?', 'login'],
  ['(?:log|sign)[\\s-](?:out|off)', 'logout'],
  ['power over ethernet', 'poe'],
  ['pass[\\s-]?(?:phrase|word|key)s?', 'password'],
  ['data[\\s-]?cent(?:er|re)s?', 'datacentre'],
  ['trace[\\s-]route', 'traceroute'],
  ['zero[\\s-]touch', 'ztp'],
  ['licences?', 'license'],
];
const ANY_JOINED = new RegExp(`\\b(?:${JOINED.map(([pattern]) => pattern).join('|')})\\b`, 'g');
const EACH_JOINED = JOINED.map(([pattern, joined]): [RegExp, string] => [
  new RegExp(`^(?:${pattern})$`),
  ` ${joined} `,
]);
const joinedOf = (spelling: string) => EACH_JOINED.find(([pattern]) => pattern.test(spelling))?.[1] ?? spelling;

/** Letters of writing systems without spaces are taken two by two. */
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]+/gu;

/** Words of one spelling with capitals inside: people write `MySQL` where documents say `mysql`. */
const MIXED = /\b[A-Z]?[a-z]+[A-Z][A-Za-z]*\b/g;

/** As `words`, and every word with capitals inside also as one. */
export function wordsAsked(text: string): readonly string[] {
  const whole = text.match(MIXED);
  return whole === null ? words(text) : [...words(text), ...whole.map((word) => word.toLowerCase())];
}

/** One question is read from several sides: what was split last is kept, as long as it is little. */
const SPLIT = new Map<string, readonly string[]>();
const SPLIT_LIMIT = 64;
const SHORT = 2_000;

export function words(text: string): readonly string[] {
  const known = SPLIT.get(text);
  if (known !== undefined) return known;
  const found = split(text);
  if (SPLIT.size >= SPLIT_LIMIT) SPLIT.clear();
  if (text.length <= SHORT) SPLIT.set(text, found);
  return found;
}

/** `SSIDs`, `VMs`: the plural of an acronym is compared as the acronym. */
const PLURAL_ACRONYM = /([A-Z]{2})s(?![A-Za-z\d])/g;

/** The words of a text, in the spelling that all are compared in. */
function split(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  const plain = /^[\x00-\x7f]*$/.test(text);
  const single = text.replace(PLURAL_ACRONYM, '$1');
  // A last capital is no word: `PoE`, `IoT`.
  const apart = plain
    ? single.replace(/([a-z0-9])([A-Z])(?=[A-Za-z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    : single.replace(/([\p{Ll}\d])(\p{Lu})(?=\p{L})/gu, '$1 $2').replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ');
  const joined = apart
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/n['’]t\b/g, ' not')
    .replace(/['’](s|re|ve|ll|m|d)\b/g, '')
    .replace(ANY_JOINED, joinedOf);
  if (plain) return joined.match(/[a-z0-9]+/g) ?? [];
  return (
    joined
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

/** Words without any meaning. How many groups use the other words gives their weight. */
const EMPTY = new Set(
  'a an the and or of to in on at is are be it this that for with i we you my our your me us please pls can could would do does'.split(
    ' ',
  ),
);

/** Does a word count in what somebody says? */
export const isSpoken = (word: string): boolean => !EMPTY.has(word) && !/^\d/.test(word);
export const isStop = (word: string): boolean => STOP.has(word);

/** All words of what somebody says, given as words, and neighbours among them. */
export function utteranceTerms(list: readonly string[]): string[] {
  const said = list.filter(isSpoken);
  const stems = said.map(stem);
  // `right now` and the like are said of everything.
  const pairs = stems.flatMap((word, i) =>
    i > 0 && !(isStop(said[i] as string) && isStop(said[i - 1] as string)) ? [`${stems[i - 1]} ${word}`] : [],
  );
  return [...stems, ...pairs];
}

/** All words of a name as one term; the sign keeps it apart from words. */
export function wholeTerm(list: readonly string[]): string {
  return `=${list.join(' ')}`;
}
