/** Features of one sentence of a user, without understanding it: the class of its intent, and its typed values. */
import { wordsOf } from './name-words.ts';

export type IntentClass = 'read' | 'diagnose' | 'change';

export interface Mention {
  value: string;
  kind: 'mac' | 'moment' | 'ip' | 'version' | 'quoted' | 'identifier' | 'number' | 'capitalised';
  /** Words shortly before and after, nearest first. */
  before: string[];
  after: string[];
  /** The intent calls it a passphrase or the like: it goes where a secret is taken, and nowhere else. */
  secret: boolean;
}

export interface Intent {
  text: string;
  words: string[];
  class: IntentClass;
  mentions: Mention[];
}

const CHANGE =
  /^(set|change|rename|extend|unblock|postpone|register|isolate|separate|pause|snooze|silence|lock|unlock|edit|modify|adjust|withdraw|revoke|retry|release|restore|undo|reconnect|reauthenticate|order|book|request|classify|promote|quarantine|allow|permit|deny|update|enable|disable|create|add|replace|rotate|reboot|restart|upgrade|reset|move|assign|disconnect|kick|block|bounce|push|resync|repair|clear|acknowledge|defer|approve|schedule|reschedule|cancel|turn|switch|give|make|put|mark|delete|remove|drop|erase|wipe|drain|hide|raise|lower|increase|decrease|fix|resolve|close|open|stop|start|apply|roll|install|power|cycle)$/;
const DIAGNOSE = /^(ping|trace|traceroute|test|probe|locate|blink|flash|nslookup|diagnose)$/;
/** Polite or connecting words in front of the verb. */
const LEAD =
  /^(please|then|and|also|now|just|so|can|could|would|will|you|we|i|need|want|to|let|lets|go|ahead|kindly|immediately|finally|first|if|not)$/;

/** Names of values that must stay secret. */
export const SECRET_WORD = /^(passphrase|password|passcode|passwd|psk|secret|credential)$/;

const FILLER = new Set([
  'the',
  'a',
  'an',
  'of',
  'to',
  'for',
  'with',
  'and',
  'on',
  'in',
  'at',
  'by',
  'so',
  'that',
  'it',
  'its',
  'be',
]);

const KINDS: [Mention['kind'], RegExp][] = [
  ['quoted', /"([^"]{1,120})"|“([^”]{1,120})”|(?<![A-Za-z0-9])'([^']{1,120})'(?![A-Za-z0-9])/g],
  ['mac', /\b(?:[0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b/gi],
  ['moment', /\b\d{4}-\d\d-\d\d(?:T\d\d:\d\d(?::\d\d)?(?:Z|[+-]\d\d:\d\d)?)?(?![\w-])/g],
  ['identifier', /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi],
  // Four numbers are an address, unless the word before says otherwise.
  ['version', /(?<=\b(?:version|firmware|release) )\d+(?:\.\d+)+\b/gi],
  ['ip', /\b\d{1,3}(?:\.\d{1,3}){3}\b(?!\.\d)/g],
  ['version', /\b\d+(?:\.\d+){2,}\b/g],
  [
    'identifier',
    /\b(?=[A-Za-z0-9_-]*\d)[A-Za-z][A-Za-z0-9]*(?:[-_][A-Za-z0-9]+)+\b|\b(?=[A-Z0-9]*\d)(?=[A-Z0-9]*[A-Z])[A-Z0-9]{6,20}\b/g,
  ],
  // A lower-case name with a number of its own.
  ['identifier', /\b[a-z]{3,}\d{2,}\b/g],
  // A code without a digit is told from a shouted word by the noun in front of it.
  ['identifier', /\b(?:serial number|serial|number|device|switch|gateway|point|ap|id)\s+([A-Z0-9]{6,20})\b/gi],
  ['number', /(?<![\w.:-])\d+(?![\w:-]|\.\d)/g],
  ['capitalised', /\b[A-Z][a-z]+(?: [A-Z][a-z]+)+\b/g],
];

export function readIntent(text: string): Intent {
  return { text, words: wordsOf(text), class: classOf(text), mentions: mentionsIn(text) };
}

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+/)
    .flatMap((sentence) => sentence.split(/,?\s+(?:and then|then)\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const ASKS =
  /^(show|list|get|find|tell|read|look|check|explain|report|count|compare|name|see|view|display|describe|which|what|who|whose|where|when|why|how|is|are|does|do|has|have|did)$/;
/** Words that point at what an earlier sentence named. */
const POINTS = /\b(it|its|them|there|that one|this one|the same|their|his|her)\b/i;

/**
 * The requests of an intent, in their order: what is told around them only explains. Each keeps the values of the whole text,
 * its own first; one that points backwards is read together with the sentence before it.
 */
export function requestsIn(intent: Intent): Intent[] {
  const sentences = sentencesOf(intent.text);
  const requests = sentences.flatMap((sentence, i) => {
    if (!isRequest(sentence)) return [];
    const before = POINTS.test(sentence) ? (sentences[i - 1] ?? '') : '';
    const text = `${sentence} ${before}`.trim();
    return [withMentionsOf({ ...readIntent(text), class: classOf(sentence) }, intent)];
  });
  return requests.length === 0 ? [intent] : requests;
}

function isRequest(sentence: string): boolean {
  if (sentence.endsWith('?')) return true;
  const clauses = sentence.split(/\s*(?:,|:)\s*/);
  return clauses.some((clause) => {
    const words = clause.toLowerCase().split(/[^a-z]+/);
    const verb = words.find((word) => word !== '' && !LEAD.test(word)) ?? '';
    return ASKS.test(verb) || CHANGE.test(verb) || DIAGNOSE.test(verb);
  });
}

function withMentionsOf(request: Intent, whole: Intent): Intent {
  const own = new Set(request.mentions.map(({ value }) => value));
  return { ...request, mentions: [...request.mentions, ...whole.mentions.filter(({ value }) => !own.has(value))] };
}

function classOf(text: string): IntentClass {
  const clauses = sentencesOf(text).flatMap((sentence) => sentence.split(/\s*(?:,|:|\band\b|\bso\b)\s*/));
  const wishes = clauses.map((clause) => {
    const words = clause
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    const verb = words.find((word) => !LEAD.test(word)) ?? '';
    return CHANGE.test(verb) ? 'change' : DIAGNOSE.test(verb) ? 'diagnose' : 'read';
  });
  return wishes.includes('change') ? 'change' : wishes.includes('diagnose') ? 'diagnose' : 'read';
}

/** "pre-shared key", read backwards. */
const isSharedKey = (before: readonly string[], i: number): boolean =>
  before[i] === 'key' && before[i + 1] === 'shared';

const meaningful = (text: string): string[] => wordsOf(text).filter((word) => !FILLER.has(word));

function mentionsIn(text: string): Mention[] {
  const taken: [number, number][] = [];
  const found: (Mention & { at: number })[] = [];
  for (const [kind, pattern] of KINDS) {
    for (const match of text.matchAll(pattern)) {
      const [start, end] = [match.index, match.index + match[0].length];
      if (taken.some(([a, b]) => start < b && end > a)) continue;
      if (kind === 'identifier' && !/[0-9_-]|^[A-Z]+$/.test(match[1] ?? match[0])) continue;
      taken.push([start, end]);
      const value = match.slice(1).find((group) => group !== undefined) ?? match[0];
      const before = meaningful(text.slice(0, start)).reverse().slice(0, 9);
      const after = meaningful(text.slice(end)).slice(0, 4);
      const secret = kind === 'quoted' && before.some((word, i) => SECRET_WORD.test(word) || isSharedKey(before, i));
      found.push({ value, kind, before, after, secret, at: start });
    }
  }
  return found.sort((a, b) => a.at - b.at).map(({ at: _, ...mention }) => mention);
}
