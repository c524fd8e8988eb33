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

/** The words of a text, in the spelling that all are compared in. */
function split(text: string): string[] {
  return splitPlain(text) ?? splitByRules(text);
}

const LOWER = 1;
const DIGIT = 2;
const UPPER = 3;
const BY_RULES = 4;
const KIND = Uint8Array.from({ length: 128 }, (_, code) => {
  const letter = String.fromCharCode(code);
  if (/[a-z]/.test(letter)) return LOWER;
  if (/\d/.test(letter)) return DIGIT;
  if (/[A-Z]/.test(letter)) return UPPER;
  return letter === "'" ? BY_RULES : 0;
});

/** Words that are the whole of a joined spelling, and words that begin one, with what must follow for that. */
const JOINED_WORD = new Map<string, string>();
const BEGINS_JOINED = new Set('802 8021 dot wi sd access e log sign power pass data trace zero'.split(' '));
const JOINED_PAIR =
  /^(?:802 1|dot 1|8021 x|wi fi|sd wan|access points?$|e mail|(?:log|sign) (?:in|on|out|off)|power over|pass (?:phrase|word|key)|data cent|trace route|zero touch)/;
for (const word of 'aps 8021x logins logon logons signin signins signon signons logoff signout signoff licence licences'.split(
  ' ',
))
  JOINED_WORD.set(word, joinedOf(word).trim());
for (const kind of ['passphrase', 'password', 'passkey', 'datacenter', 'datacentre'])
  for (const word of [kind, `${kind}s`]) JOINED_WORD.set(word, joinedOf(word).trim());

/** The same as by rules, in one pass; undefined for a text that holds what only they know. */
function splitPlain(text: string): string[] | undefined {
  const count = scanPlain(text);
  if (count === ONLY_BY_RULES) return undefined;
  const lower = text.toLowerCase();
  const found: string[] = [];
  let before = '';
  for (let i = 0; i < count; i++) {
    const word = lower.slice(SCAN.from[i], SCAN.to[i]);
    if (mayJoin(before, word)) return undefined;
    found.push(joinedWord(word));
    before = word;
  }
  return found;
}

/** Could these neighbours be one word by the rules? */
export const mayJoin = (before: string, word: string) =>
  BEGINS_JOINED.has(before) && JOINED_PAIR.test(`${before} ${word}`);
export const beginsJoined = (word: string) => BEGINS_JOINED.has(word);
export const joinedWord = (word: string) => JOINED_WORD.get(word) ?? word;

export const ONLY_BY_RULES = -1;

/** The last scanned text: its letters in lower case, and the bounds of its words. */
export const SCAN = { letters: new Uint8Array(1 << 10), from: new Uint32Array(1 << 10), to: new Uint32Array(1 << 10) };

const ENCODER = new TextEncoder();

/**
 * How a letter changes the word bounds, by the kind of the letter before. After a lower-case letter a capital always
 * begins a word.
 */
const BEGUN = 5;
const ENDS = 1;
const BEGINS = 2;
const BEFORE_SMALL = 4;
const INSIDE_WORD = (LOWER << 3) | LOWER;
const STEP = Uint8Array.from({ length: 64 }, (_, i) => {
  const before = i >> 3;
  const kind = i & 7;
  if (kind === 0) return before === 0 ? 0 : ENDS;
  if (before === 0) return BEGINS | (kind << 3);
  if (kind !== UPPER) return kind << 3;
  if (before === LOWER || before === DIGIT) return ENDS | BEGINS | (BEGUN << 3);
  return (before === UPPER ? ENDS | BEGINS | BEFORE_SMALL : 0) | (UPPER << 3);
});

/** Finds the words of plain ASCII; answers how many. */
export function scanPlain(text: string): number {
  const { length } = text;
  if (!isEncoded(text)) return ONLY_BY_RULES;
  const { letters, from, to } = SCAN;
  let count = 0;
  let before = 0;
  for (let at = 0; at <= length; at++) {
    const code = letters[at] as number;
    const kind = KIND[code] as number;
    const pair = (before << 3) | kind;
    // Most letters: they need no look-up.
    if (pair === INSIDE_WORD) continue;
    if (kind === BY_RULES) return ONLY_BY_RULES;
    if (kind === UPPER) letters[at] = code | 32;
    const step = STEP[pair] as number;
    before = step >> 3;
    if ((step & BEFORE_SMALL) !== 0 && KIND[letters[at + 1] as number] !== LOWER) continue;
    if ((step & ENDS) !== 0) to[count++] = at;
    if ((step & BEGINS) !== 0) from[count] = at;
  }
  return count;
}

/** Puts the letters of plain ASCII into the buffer, with a byte behind them that is no letter. */
function isEncoded(text: string): boolean {
  const { length } = text;
  if (length >= SCAN.letters.length) {
    SCAN.letters = new Uint8Array(length * 2);
    SCAN.from = new Uint32Array(length * 2);
    SCAN.to = new Uint32Array(length * 2);
  }
  // All at once, which is quicker than letter by letter; what is not ASCII takes more than one byte.
  const { read, written } = ENCODER.encodeInto(text, SCAN.letters);
  SCAN.letters[length] = 0;
  return read === length && written === length;
}

export function splitByRules(text: string): string[] {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  const plain = /^[\x00-\x7f]*$/.test(text);
  const apart = plain
    ? text.replace(/([a-z0-9])([A-Z])|([A-Z])(?=[A-Z][a-z])/g, '$1$3 $2')
    : text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu}+)(\p{Lu}\p{Ll})/gu, '$1 $2');
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
