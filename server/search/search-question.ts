/** Reads a question once: its content words, what it wants done, whether it names one thing, which platform it means. */
import { withoutForbidden } from './forbidden-verbs.ts';
import { intentOf, type SentenceIntent, urgencyOf, withoutFrame } from './intent.ts';
import { withoutValues } from './question-values.ts';
import { stem } from './stem.ts';
import { GENERIC_VERBS, isContent, terms, wholeTerm, words, wordsAsked } from './tokens.ts';
import { WEIGHTS } from './weights.ts';

export interface Wanted {
  term: string;
  /** Share of its weight: less for words beside the intent and for verbs of every day. */
  share: number;
}

export interface Question extends SentenceIntent {
  text: string;
  /** The text without quoted names, addresses and identifiers. */
  masked: string;
  wanted: Wanted[];
  /** Neighbours joined to one word. */
  pairs: string[];
  /** All its words as one term, for a name that is said and nothing else. */
  whole: string[];
  /** The sentence that carries the intent. */
  wished: string;
  /** It names one concrete thing (a quoted name, an address, an identifier). */
  one: boolean;
  /** The thing that it asks for is in the plural. */
  many: boolean;
  /** Platforms whose own words occur. */
  platforms: string[];
  /** Where none is named: platforms that its words hint at. */
  hinted: string[];
  /** The intents one by one, where there is more than one. */
  parts: Question[];
}

export const MAX_QUERY = 2_000;

/** Greetings, people, times: the frame of a message, never its topic. */
const FRAME = new Set(
  (
    'hi hello hey dear thanks thank thx cheers regards morning afternoon evening tonight today yesterday tomorrow night noon monday tuesday ' +
    'wednesday thursday friday saturday sunday weekend january february march april june july august september october november december oclock ' +
    'pm folks guys sir madam mr mrs ms anyone somebody someone everybody nobody something anything everything nothing really actually maybe just ' +
    'pls plz asap since until ago later soon already yet once again still here said says say told because although while however like called named help assist wondering wish love looking interested mood trying going planning curious sure able specific certain following using use used uses good nice great new'
  ).split(' '),
);

/** Words of every talk. They may name a thing, so they are not left out, but they seldom do. */
const CHATTY = new Set(
  (
    'thing things people half minute minutes hour hours day days week weeks month months year look looks like know think big small large little long ' +
    'short old early late fast hard easy right wrong left side way ways place places part parts bit bits lot lots time times back keep keeps put puts ' +
    'take takes taken come comes came go goes going gone went make makes made say call calls called tell told ask asks asked work works working ' +
    'start starts stop stops try tries first second third last next other others another own real whole full sure fine ok okay well better worse best ' +
    'worst bad far near close open end point case number numbers figure figures name names word words hand hands head eye man woman guy home house ' +
    'room office floor desk store shop team boss customer company firm business money question answer problem trouble reason change mind matter kind ' +
    'sort idea ten two three four five six seven eight nine twelve hundred thousand today one once twice above below around across along through ' +
    'without within against among behind beside beyond near ever never always often sometimes usually almost enough quite rather any every few most ' +
    'might may can cannot won don doesn didn isn wasn aren couldn shouldn wouldn haven hasn hadn'
  ).split(' '),
);

type PlatformWords = Readonly<Record<string, readonly string[]>>;

export function readQuestion(raw: string, named: PlatformWords, hints: PlatformWords = {}): Question {
  const text = raw.slice(0, MAX_QUERY).normalize('NFKC');
  const withoutNames = withoutValues(text);
  const masked = withoutForbidden(withoutNames);
  const sentences = sentencesOf(masked);
  const wished = wishedAmong(sentences);
  const said = ` ${words(masked).map(stem).join(' ')} `;
  const meant = (all: PlatformWords) =>
    phrasesOf(all)
      .filter(({ spoken }) => spoken.some((phrase) => said.includes(phrase)))
      .map(({ platform }) => platform);
  const platforms = meant(named);
  const frame = {
    text: text.trim(),
    masked,
    one: withoutNames !== text || SINGLE.test(withoutFrame(wished ?? masked)),
    platforms,
    hinted: platforms.length > 0 ? [] : meant(hints),
  };
  const clauses = intentsIn(wished ?? '');
  const others = sentences.filter((sentence) => sentence !== wished);
  return {
    ...frame,
    ...wantedOf(sentences, wished ?? masked),
    parts:
      clauses.length < 2
        ? []
        : clauses.map((clause) => ({ ...frame, ...wantedOf([...others, ...clauses], clause), parts: [] })),
  };
}

interface Phrases {
  platform: string;
  /** The same as they stand in a text. */
  spoken: string[];
}

const READ = new WeakMap<PlatformWords, Phrases[]>();

/** The words of platforms as stems, read once: they are the same for every question. */
function phrasesOf(all: PlatformWords): Phrases[] {
  const known = READ.get(all);
  if (known !== undefined) return known;
  const read = Object.entries(all).map(([platform, names]) => ({
    platform,
    spoken: names.map((name) => ` ${words(name).map(stem).join(' ')} `),
  }));
  READ.set(all, read);
  return read;
}

/** What one sentence wants, in the light of the others. */
function wantedOf(
  sentences: readonly string[],
  wished: string,
): SentenceIntent & Pick<Question, 'wanted' | 'pairs' | 'whole' | 'wished' | 'many'> {
  const asked: AskedTerms = { shares: new Map(), pairs: [] };
  const alone = sentences.length === 1 ? terms(wished) : [];
  const few = sentences.length === 1 && alone.length <= FEW_WORDS;
  for (const sentence of sentences)
    addTerms(asked, withoutFrame(sentence), sentence === wished ? 1 : WEIGHTS.aside, few);
  const { shares, pairs } = asked;
  const wanted: Wanted[] = [...shares].map(([term, share]) => ({ term, share }));
  return {
    wanted,
    pairs,
    whole: wholeTerms(alone),
    wished,
    ...intentOf(wished),
    many: speaksOfMany(withoutFrame(wished)) && !SINGLE.test(withoutFrame(wished)),
  };
}

/** What the sentences of a question ask for by their words. */
interface AskedTerms {
  /** By term: the largest share of its weight that a sentence gives it. */
  shares: Map<string, number>;
  /** Neighbours joined to one word. */
  pairs: string[];
}

function addTerms({ shares, pairs }: AskedTerms, sentence: string, share: number, few: boolean): void {
  const found = wordsAsked(sentence);
  const stems = found.map(stem);
  let before = '';
  for (const [i, word] of found.entries()) {
    const term = stems[i] as string;
    if (!isContent(word, true) || FRAME.has(word) || FRAME.has(term)) continue;
    const generic = GENERIC_VERBS.has(word);
    const kind = weightOfKind(word, term, generic, few);
    shares.set(term, Math.max(shares.get(term) ?? 0, share * kind));
    if (generic) continue;
    if (before !== '') pairs.push(before + term);
    before = term;
  }
}

function weightOfKind(word: string, term: string, generic: boolean, few: boolean): number {
  if (NUMBER.test(word)) return WEIGHTS.number;
  if (generic) return WEIGHTS.verbWord;
  return !few && (CHATTY.has(word) || CHATTY.has(term)) ? WEIGHTS.chatty : 1;
}

/** All words of a lone sentence as one term, with and without the first, which may be its verb. */
function wholeTerms(alone: readonly string[]): string[] {
  if (alone.length === 0 || alone.length > MAX_WHOLE) return [];
  return alone.length > 1 ? [wholeTerm(alone), wholeTerm(alone.slice(1))] : [wholeTerm(alone)];
}

/** How many, how long, which day: seldom what a tool is called. */
const NUMBER = /^\d+(?:st|nd|rd|th|am|pm|h)?$/;

const MAX_CLAUSES = 3;
/** Longer ones are no names. */
const MAX_WHOLE = 6;
/** In so few words each one counts, however common it is elsewhere. */
const FEW_WORDS = 4;

/** Intents in one sentence: "find the backup and restore it", but not "it is slow and people complain". */
function intentsIn(sentence: string): string[] {
  const clauses = clausesOf(sentence);
  return clauses.every((clause) => intentOf(clause).plain) ? clauses : [];
}

function clausesOf(sentence: string): string[] {
  return sentence
    .split(/(?:[,;]\s+)?\b(?:and then|then|and also|and)\b|;\s+/i)
    .filter((clause) => wordsAsked(clause).some((word) => isContent(word)))
    .slice(0, MAX_CLAUSES);
}

/** One thing without its name: `a specific alarm`, `by its id`. */
const SINGLE =
  /^\W*(?:[\w-]+ ){1,3}?(?:(?:details?|information|data) (?:of|about|on|for) )?(?:an?|one|the) (?:specific|particular|single|certain|given|existing|individual)\b(?! (?:sets?|lists?|groups?|types?|kinds?|collection|number))|\b(?:by|using|with|from|through) (?:its|their) (?:[a-z]+ ){0,2}(?:id|ids|identifier|uuid|name|key)\b|\bby id\b/i;

const PREPOSITION =
  /^(in|of|for|on|from|to|at|with|by|that|which|who|where|into|behind|under|than|via|is|are|was|were|have|has|do|does|did|could|can|will)$/;
const NOT_PLURAL =
  /^(is|was|has|does|this|its|as|us|dns|always|access|status|whats|details|settings|radius|tacacs|aws|ios|https|address|bus|news|statistics|stats)$/;

/** Is the thing asked for, the first noun of the sentence, in the plural? */
function speaksOfMany(sentence: string): boolean {
  let last = '';
  // As written: `access points` are joined to `ap` elsewhere.
  for (const word of sentence.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
    if (PREPOSITION.test(word) && last !== '') break;
    if (isContent(word) && !FRAME.has(word)) last = word;
  }
  return /[^su]s$|ies$/.test(last) && !NOT_PLURAL.test(last);
}

function sentencesOf(text: string): string[] {
  return text.split(/(?<=[.!?;])\s+(?=\S)|\n+|\s[–—-]\s/u).filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
}

/** The sentence that carries the intent; of equals the later one, because tickets end with what they want. */
function wishedAmong(sentences: readonly string[]): string | undefined {
  let best: string | undefined;
  let bestUrgency = -1;
  for (const sentence of sentences) {
    const urgency = urgencyOf(sentence);
    if (urgency >= bestUrgency) {
      best = sentence;
      bestUrgency = urgency;
    }
  }
  return best;
}
