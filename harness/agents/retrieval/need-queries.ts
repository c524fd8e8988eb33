/** What is asked of discovery for one part of the intent: its own words, those of the contract, and the nouns of both. */
import type { Fact } from './fact-fields.ts';
import { wordsOf } from './name-words.ts';
import type { Need } from './needs.ts';
import { withoutExamples } from './row-choice.ts';
import { SILENT } from './word-likeness.ts';

/** A query, or none where what it asks for is found by now. */
export type Query = (isFound: (fact: Fact) => boolean) => string | undefined;

/**
 * The clause as it stands, all facts in the words of the contract, what they are facts of, what the clause calls the values
 * that it names, and each fact that is missing.
 */
export function* queriesFor(need: Need): Generator<Query> {
  yield () => withoutValues(need.text, need);
  yield () => (need.facts.length === 0 ? undefined : need.facts.map((fact) => wordsFor(fact, need)).join('; '));
  const nouns = [...subjectNounsOf(need.facts), ...nounsBeside(need)];
  for (const thing of new Set(nouns)) yield () => `get ${thing}`;
  for (const thing of toldBy(need.facts).filter((one) => !nouns.includes(one)))
    yield (isFound) => (need.facts.every(isFound) ? undefined : `get ${thing}`);
  for (const fact of need.facts.length > 1 ? need.facts : [])
    yield (isFound) => (isFound(fact) ? undefined : wordsFor(fact, need));
}

/** "the alert alr-1006", "the appliance 45.NE": the noun before a value is what it is called. */
const nounsBeside = ({ mentions, text }: Need): string[] =>
  mentions
    .filter(({ kind, value }) => ['identifier', 'mac'].includes(kind) && text.includes(value))
    .flatMap(({ before: [nearest = ''] }) => (/^[a-z]{4,}$/.test(nearest) && !NO_NOUN.test(nearest) ? [nearest] : []))
    .slice(0, 2);

const NO_NOUN =
  /^(serial|address|number|with|from|about|that|this|what|which|does|have|than|into|onto|behind|called|named|under|over|look|then|read|show|until|where|when|there|give|tell|note|name)$/;

export const wordsFor = ({ name, description }: Fact, need: Need): string =>
  `${name.replaceAll('_', ' ')}: ${withoutValues(withoutExamples(description), need)}`;

/** "… of the access point": an access point. */
export const subjectNounsOf = (facts: readonly Fact[]): string[] => [
  ...new Set(
    facts.flatMap((fact) => {
      const nouns = [EVERY_THING.exec(fact.description)?.[1], ...toldOf(fact).map((text) => OF_THING.exec(text)?.[1])];
      return nouns.filter((one): one is string => one !== undefined && !wordsOf(one).every((word) => SILENT.has(word)));
    }),
  ),
];

/** What a fact says of itself, and of each entry where it is a list. */
function toldOf({ description, items }: Fact): string[] {
  const properties = (items?.['properties'] ?? {}) as Record<string, { description?: unknown }>;
  return [description, ...Object.values(properties).map((one) => String(one.description ?? ''))];
}

/** "Every foreign access point that is on our wire". */
const EVERY_THING =
  /^(?:every|each|all)(?: such| the)? ([a-z][a-z -]*?)(?= (?:that|which|who|whose|in|at|of|to|on|through|from|according|with|under|as|is|was|has|had)\b|[,.]|$)/i;

/** "… that the access point sends", "… according to the alert": what a fact is told by, where it is not what it is of. */
const toldBy = (facts: readonly Fact[]): string[] => [
  ...new Set(
    facts.flatMap(({ description }) =>
      [...description.matchAll(BY_THING)].flatMap(([, thing = '']) =>
        wordsOf(thing).every((word) => SILENT.has(word)) ? [] : [thing],
      ),
    ),
  ),
];

const BY_THING =
  /\b(?:according to|that|which|by|in|on|for|from) (?:the |its |an? )([a-z][a-z -]*?)(?= (?:that|which|who|in|at|of|to|on|through|from|according|with|under|as|is|was|has|had|sends?|says?|gives?|keeps?|holds?|knows?|shows?|sees?|uses?|carries|runs?|now)\b|[,.]|$)/gi;

const OF_THING =
  /\bof (?:the |its |an? |that )*([a-z][a-z -]*?)(?= (?:that|which|who|in|at|of|to|on|through|from|according|with|under|as|is|was|has|afterwards|then|now|before|after|so)\b|[,.]|$)/i;

/** Addresses and keys say nothing about which tool is meant. */
export const withoutValues = (text: string, { mentions }: Need): string =>
  mentions
    .filter(({ kind }) => ['mac', 'identifier', 'moment', 'ip', 'quoted'].includes(kind))
    .reduce((left, { value }) => left.replaceAll(value, ' '), text)
    .replaceAll(/\s+/g, ' ')
    .trim();
