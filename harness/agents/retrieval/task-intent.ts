/** Features of one sentence of a user, without understanding it: the class of its intent, and its typed values. */
import { wordsOf } from './name-words.ts';

export type IntentClass = 'read' | 'diagnose' | 'change';

export interface Mention {
  value: string;
  kind: 'mac' | 'moment' | 'ip' | 'version' | 'quoted' | 'identifier' | 'number' | 'name' | 'capitalised';
  /** Words shortly before and after, nearest first. */
  before: string[];
  after: string[];
  /** The intent calls it a passphrase or the like: it goes where a secret is taken, and nowhere else. */
  secret: boolean;
}

export interface Intent {
  text: string;
  words: readonly string[];
  class: IntentClass;
  mentions: Mention[];
  /** The part of the text that asks; the rest tells what it points back at. */
  part?: string;
  /** The intent that the text is a part of. */
  whole?: { text: string };
}

const CHANGE =
  /^(set|change|rename|extend|flip|cap|ack|kill|bin|prolong|lengthen|shorten|trigger|file|escalate|enter|submit|lift|free|ban|exclude|grant|attach|detach|activate|deactivate|shift|shut|suspend|resume|send|keep|limit|restrict|unblock|postpone|register|isolate|separate|pause|snooze|silence|lock|unlock|edit|modify|adjust|withdraw|revoke|retry|release|restore|undo|reconnect|reauthenticate|order|book|request|classify|promote|quarantine|allow|permit|deny|update|enable|disable|create|add|replace|rotate|reboot|restart|upgrade|reset|move|assign|disconnect|kick|block|bounce|push|resync|repair|clear|acknowledge|defer|approve|schedule|reschedule|cancel|turn|switch|give|make|put|mark|delete|remove|drop|erase|wipe|drain|hide|raise|lower|increase|decrease|fix|resolve|close|open|stop|start|apply|roll|install|power|cycle)$/;
const DIAGNOSE = /^(ping|run|trace|traceroute|test|probe|locate|blink|flash|nslookup|diagnose)$/;
const HAS_DONE = /^\W*(?:please )?(?:have|get|make|let) (?:it|them|him|her|this|that|the [a-z]+) (?!know|see)[a-z]+/i;
/** "Give its name", "open the alert and read it": verbs of change that only ask to be told. */
const HANDS_OVER =
  /^\W*(?:\w+ )?(?:give (?:me|us|its|their|the|name|names|both|each|serial|id|ids|subject|state|status|model|address)\b(?!.* access\b)|take (?:\w+ ){1,4}from\b|make (?:sure|a list|me a list)|put (?:\w+ ){0,2}together|open .* read\b|order by|close to)/i;
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
  ['name', /(?<![\w.])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g],
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
  ['identifier', /\b\d+\.[A-Z]{1,4}\b/g],
  // A lower-case name with a number of its own.
  ['identifier', /\b[a-z]{3,}\d{2,}\b/g],
  // A code without a digit is told from a shouted word by the noun in front of it.
  ['identifier', /\b(?:serial number|serial|number|device|switch|gateway|point|ap|id)\s+([A-Z0-9]{6,20})\b/gi],
  ['number', /(?<![\w.:-])\d+(?![\w:-]|\.\d)/g],
  // A path, a port, a dotted name, a name with a hyphen.
  ['name', /(?<![\w./-])(?:\/[\w.-]+)+|(?<![\w./-])\d+(?:\/\d+)+(?![\w/-])|\b[a-z][a-z0-9]*(?:\.[a-z0-9-]+)+\b/g],
  ['name', /\b(?!(?:sd-wan|wi-fi|pre-|read-|e-mail|look-|up-|built-))[A-Za-z]+(?:-[A-Za-z0-9]+)+\b/gi],
  // A lower-case word right after the noun of a thing.
  [
    'name',
    /(?<=\b(?:network|WLAN|wlan|SSID|ssid|VLAN|vlan|profile|role|rule|site|user|group|template|tag|uplink|certificate|account|called|named) )(?!(?:device|profile|name|health|list|id|ids|of|is|in|on|at|and|or|to|there|server|vlan|that|which|with|from|for|has|have|the|a|an|as|by|it|its|are|was|does|did|can|service|number|mode|state|address|access|policy|manager|cloud|member|entry|record|unchanged|now|so|use|uses|type|look|stand|need|should|must|already|exists?|gets?|only|alone|itself|again|too|else|can|may|will)s?\b)[a-z][a-z0-9_]+\b/g,
  ],
  [
    'capitalised',
    /\b(?!(?:At|In|On|From|For|The|Of|Is|Are|Which|What|Does|Has|And|Half|All|Behind|Near) )[A-Z][a-z]+(?: [A-Z][a-z]+)+\b/g,
  ],
];

export function readIntent(text: string): Intent {
  return { text, words: wordsOf(text), class: classOf(text), mentions: mentionsIn(text) };
}

/** Kinds of values that name something in particular. */
const STRONG: ReadonlySet<Mention['kind']> = new Set(['mac', 'ip', 'identifier', 'quoted', 'version']);

export const strongMentions = (intent: Pick<Intent, 'mentions'>): Mention[] =>
  intent.mentions.filter((mention) => STRONG.has(mention.kind));

export function sentencesOf(text: string): string[] {
  return text
    .split(/(?<=[.!?;])\s+/)
    .flatMap((sentence) => sentence.split(/,?\s+(?:and then|then)\s+/))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

const ASKS =
  /^(show|list|get|find|tell|read|look|check|explain|report|count|compare|name|see|view|display|describe|fetch|say|which|what|who|whose|where|when|why|how|until|is|are|does|do|has|have|did)$/;
/** Words that point at what an earlier sentence named. */
const POINTS =
  /\b(it|its|them|they|there|that one|this one|the (?:old|new|other|first|second) one|the same|their|his|her|he|she)\b|\b(?:of|to|on|for|at|with|from|set|change|update|see to|end to) (?:that|this)\b/i;

export const pointsBack = (text: string): boolean => POINTS.test(text);

const firstVerb = (text: string): string =>
  text
    .toLowerCase()
    .split(/[^a-z]+/)
    .find((word) => word !== '' && !LEAD.test(word)) ?? '';

/** Whether a part of a sentence asks for something of its own. */
export function startsRequest(text: string): boolean {
  const asked = /^(?:and |then |but )*(?:from|in|by|of|at|for|since|as|with|on) (?:what|which|whom|whose|when)\b/i.test(
    text,
  );
  const verb = firstVerb(text);
  return asked || ASKS.test(verb) || CHANGE.test(verb) || DIAGNOSE.test(verb);
}

/** What is told around a request only explains it. */
export function isRequest(sentence: string): boolean {
  if (sentence.endsWith('?') || /\b(i|we) (need|want|would like)\b/i.test(sentence)) return true;
  return sentence.split(/\s*(?:,|:)\s*/).some(startsRequest);
}

export function classOf(text: string): IntentClass {
  const clauses = sentencesOf(text).flatMap((sentence) => sentence.split(/\s*(?:,|:|\band\b|\bso\b)\s*/));
  const wishes = clauses.map((clause) => {
    const words = clause
      .toLowerCase()
      .split(/[^a-z]+/)
      .filter((word) => word !== '');
    const verb = words.find((word) => !LEAD.test(word)) ?? '';
    if (HANDS_OVER.test(clause)) return 'read';
    if (/^keep\b/i.test(clause) && !/\bout\b/i.test(clause)) return 'read';
    // "Have it authenticate anew": somebody else is made to do it.
    if (HAS_DONE.test(clause)) return 'change';
    if (/^take\b.*\b(off|out of|over)\b/i.test(clause)) return 'change';
    return CHANGE.test(verb) ? 'change' : DIAGNOSE.test(verb) ? 'diagnose' : 'read';
  });
  return wishes.includes('change') ? 'change' : wishes.includes('diagnose') ? 'diagnose' : 'read';
}

const UNDECIDED =
  /\b(if you think|if it helps|if that helps|as you see fit|if you like|if need be|where you think|whatever you|at your discretion|if it seems)\b/i;

/** Why a change cannot be carried out as it is asked for: it leaves the decision to the agent. */
export const cannotBeDecided = (text: string): string | undefined =>
  UNDECIDED.test(text) ? 'whether to do this is left open, and a person has to decide it' : undefined;

/** "pre-shared key", read backwards. */
const isSharedKey = (before: readonly string[], i: number): boolean =>
  before[i] === 'key' && before[i + 1] === 'shared';

/** A UUID is no words: its five parts would push what a value is called out of sight. */
const UUID = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b/gi;

const meaningful = (text: string): string[] => wordsOf(text.replaceAll(UUID, ' ')).filter((word) => !FILLER.has(word));

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
