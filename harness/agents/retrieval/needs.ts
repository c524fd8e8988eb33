/**
 * An intent in parts: each clause that asks for something, with its platform, the values that it names and the facts of the
 * contract that it asks for. Parts are answered one by one, so an intent over two platforms is two short ones.
 */
import type { Fact } from './fact-fields.ts';
import type { Platforms } from './platforms.ts';
import { classOf, type Intent, isRequest, pointsBack, readIntent, sentencesOf, startsRequest } from './task-intent.ts';
import { likeness, stems } from './word-likeness.ts';

export interface Need extends Intent {
  platform: string | undefined;
  /** The part itself names it; else it is that of a part before, which may be another. */
  isPlatformNamed: boolean;
  facts: Fact[];
  /** Every fact of the contract. */
  asks: readonly Fact[];
  /** The whole intent, for values that another clause names. */
  whole: Intent;
}

/** What a part itself names; where it names nothing, what the others name. */
export function namedBy({ mentions, text }: Need): Need['mentions'] {
  const own = mentions.filter(({ value, kind }) => kind !== 'moment' && text.includes(value));
  return own.length === 0 ? mentions : own;
}

const HAND =
  /^\W*(?:please |then |and |also )*(?:send|give|pass|hand)(?: me| us| back| over)? (?:the |its |their )?(?:\w+ )?\w+/i;

/** "Send host name and status": what is to be handed over is a fact of the contract. */
function handsOver(part: string, facts: readonly Fact[]): boolean {
  const thing = stems(HAND.exec(part)?.[0] ?? '').slice(1);
  return facts.some(({ words, about }) => Math.max(likeness(words, thing), likeness(about, thing)) >= 0.5);
}

/** What limits a change is no change of its own. */
const ONLY =
  /^\W*(?:and |but )?(?:please )?(?:change|do|touch|alter|modify)? ?(?:only that|nothing else|no other (?:change|setting)|nothing more)\W*$/i;

/** A clause of fewer words says too little on its own. */
const LEAST_WORDS = 4;

export function needsIn(intent: Intent, facts: readonly Fact[], platforms: Platforms): Need[] {
  const clauses = clausesIn(intent.text, platforms);
  const needs = clauses.map(({ text, part, platform }): Need => {
    const own = { ...readIntent(text), part, class: classOf(part) };
    const values = new Set(own.mentions.map(({ value }) => value));
    const mentions = [...own.mentions, ...intent.mentions.filter(({ value }) => !values.has(value))];
    if (own.class === 'change' && handsOver(part, facts)) own.class = 'read';
    const isPlatformNamed = platforms.namedIn(part) !== undefined;
    return { ...own, mentions, platform, isPlatformNamed, facts: [], asks: facts, whole: intent };
  });
  for (const [at, fact] of facts.entries()) {
    const platform = platforms.namedIn(fact.description);
    const scored = needs.map((need, i) => ({ need, score: fitness(fact, at / facts.length, need, i / needs.length) }));
    const [best] = scored
      .filter(({ need }) => platform === undefined || need.platform === undefined || need.platform === platform)
      .sort((a, b) => b.score - a.score);
    if (best === undefined) needs.push(needOf(fact, platform, intent));
    else if (platform !== undefined && best.need.platform === undefined && clauses.length > 1)
      needs.push(needOf(fact, platform, intent, best.need));
    else best.need.facts.push(fact);
  }
  return needs;
}

/** A request in other words than a verb of change: "devices should no longer …", "it needs another key". */
const WISH =
  /\b(should|must|shall|ought to|needs? (?:a|an|another|to)|has to|have to|make sure|see to (?:it|that|this)|take care of|put an end|do (?:it|that|so))\b/i;
const AS_IT_IS = /\b(now|afterwards|after)\b/i;

const CHANGED =
  /\b(afterwards|then|in use now|uses now|is now|new case|accepted the change|before (?:it|that|the|this) (?:was|is|change|update|upgrade|move)|after (?:it|that|the|this)|ran to its end|came to its end)\b/i;

/**
 * A contract that asks how something is afterwards speaks of a change, also where no verb of the intent is known: the first
 * part that tells and does not ask is it.
 */
export function withChange(needs: Need[], facts: readonly Fact[]): Need[] {
  const said = sentencesOf(needs[0]?.whole.text ?? '');
  const wishes = said.some((one) => !one.endsWith('?') && WISH.test(one));
  // The verbs of asking are few. Who asks for nothing by one of them wants something done.
  const asksNothing = !said.some(isRequest);
  const isChange = facts.some(
    ({ description }) => CHANGED.test(description) || ((wishes || asksNothing) && AS_IT_IS.test(description)),
  );
  // Whoever says a new secret wants it to be set.
  const setsSecret = needs[0]?.whole.mentions.some(({ secret }) => secret) ?? false;
  if (!(isChange || setsSecret) || needs.some((need) => need.class !== 'read')) return needs;
  const [first] = needs;
  if (first === undefined) return needs;
  const sentences = said.filter((sentence) => !sentence.endsWith('?'));
  const wish = sentences.findIndex((sentence) => WISH.test(sentence));
  // "See to that": what it points at stands in front of it.
  const told =
    wish > 0 && pointsBack(sentences[wish] ?? '')
      ? `${sentences[wish]} ${sentences[wish - 1]}`
      : (sentences[Math.max(wish, 0)] ?? first.whole.text);
  const runs = facts.some(({ description }) => /\b(ran|came) to its end\b/.test(description));
  const whole = first.whole;
  const own = readIntent(told);
  const values = new Set(own.mentions.map(({ value }) => value));
  const mentions = [...own.mentions, ...whole.mentions.filter(({ value }) => !values.has(value))];
  const change: Need = {
    ...own,
    mentions,
    class: runs ? 'diagnose' : 'change',
    platform: first.platform,
    isPlatformNamed: false,
    facts: [],
    asks: facts,
    whole,
  };
  return [change, ...needs];
}

/** A fact that no clause asks for is looked for by its own words. */
export function needOf(fact: Fact, platform: string | undefined, intent: Intent, near?: Need): Need {
  const text = `${fact.words.join(' ')}: ${fact.description} ${near?.text ?? ''}`;
  const own = readIntent(text);
  return {
    ...own,
    class: 'read',
    mentions: near?.mentions ?? intent.mentions,
    platform,
    isPlatformNamed: near?.isPlatformNamed ?? false,
    facts: [fact],
    asks: [fact],
    whole: intent,
  };
}

/** A contract names its facts mostly in the order of the intent. */
function fitness(fact: Fact, position: number, need: Need, place: number): number {
  const words = need.words.flatMap((word) => stems(word));
  return likeness(fact.words, words) + 2 * likeness(fact.about, words) + 0.6 * (1 - Math.abs(position - place));
}

interface Clause {
  /** With the sentence that it points back at. */
  text: string;
  part: string;
  platform: string | undefined;
}

function clausesIn(text: string, platforms: Platforms): Clause[] {
  const clauses: Clause[] = [];
  let told = '';
  const named = platforms.allIn(text);
  const only = new Set(named.map(({ id }) => id)).size === 1 ? named[0]?.id : undefined;
  for (const sentence of sentencesOf(text)) {
    const parts = partsOf(sentence, platforms);
    if (parts.some(isRequest)) addParts(clauses, parts, { told, only, platforms });
    else {
      told = sentence;
      const last = clauses.at(-1);
      if (last !== undefined) last.platform ??= platforms.namedIn(sentence);
    }
  }
  return clauses.length === 0 ? [{ text, part: text, platform: platforms.namedIn(text) }] : clauses;
}

interface Around {
  /** The last sentence that only tells. */
  told: string;
  /** The only platform of the intent. */
  only: string | undefined;
  platforms: Platforms;
}

function addParts(clauses: Clause[], parts: readonly string[], { told, only, platforms }: Around): void {
  let before: string | undefined;
  for (const part of parts.filter((one) => !ONLY.test(one))) {
    const platform = platforms.namedIn(part) ?? before ?? (pointsBack(part) ? clauses.at(-1)?.platform : undefined);
    const leansOn = pointsBack(part) || isElliptic(part);
    const text = leansOn && !namesValue(part) ? joinedWith(part, whatIsPointedAt(clauses, told)) : part;
    clauses.push({ text, part, platform: platform ?? only });
    before = platform;
  }
}

/** "Encryption, channel, strongest signal?": of what, an earlier sentence says. */
const isElliptic = (part: string): boolean => part.endsWith('?') && !startsRequest(part);

const joinedWith = (part: string, context: string): string => `${part}${/[.?!]$/.test(part) ? '' : '.'} ${context}`;

/** A name, an address or the like; a number or a moment alone names nothing. */
const namesValue = (text: string): boolean =>
  readIntent(text).mentions.some(({ kind }) => kind !== 'moment' && kind !== 'version');

/** The last part that names a value, or the last one. */
function whatIsPointedAt(clauses: readonly Clause[], told: string): string {
  const named = [...clauses].reverse().find(({ part }) => namesValue(part));
  return named?.part ?? (namesValue(told) ? told : (clauses.at(-1)?.part ?? told));
}

/** "… in the cloud, and how many … in the analytics": cut where the next part asks anew or names another platform. */
function partsOf(sentence: string, platforms: Platforms): string[] {
  const pieces = sentence.split(/(?<=[,;:])\s+|\s+(?=(?:and|then|but)\s)/);
  const parts: string[] = [];
  for (const piece of pieces) {
    const last = parts.at(-1);
    if (last === undefined || (startsPart(piece, last, platforms) && wordCount(last) >= LEAST_WORDS)) parts.push(piece);
    else parts[parts.length - 1] = `${last} ${piece}`;
  }
  const tail = parts.at(-1) ?? '';
  if (parts.length > 1 && wordCount(tail) < LEAST_WORDS) parts.splice(-2, 2, `${parts.at(-2)} ${tail}`);
  return parts.map((part) => part.replace(/^(?:and|then|but)\s+/, '').replace(/[,;:]$/, ''));
}

const wordCount = (text: string): number => text.split(/\s+/).length;

function startsPart(piece: string, before: string, platforms: Platforms): boolean {
  if (startsRequest(piece)) return true;
  const platform = platforms.namedIn(piece);
  const previous = platforms.namedIn(before);
  return platform !== undefined && previous !== undefined && platform !== previous;
}
