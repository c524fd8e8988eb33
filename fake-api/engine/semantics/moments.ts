/** Moments that fit the name of a field and the other moments of its row. */
import { wordsOf } from './field-name-words.ts';
import { begunHoursAgo, lastedMinutes } from './person.ts';
import type { TextField } from './text-field.ts';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const AHEAD =
  /^(expires?|expiry|expiration|expiring|expired|until|next|due|renewal?|upcoming|planned|scheduled|exhausted|exhaustion|purge|purged|eligible)$/;
const TO_COME =
  /(not after|valid to|active to|effective to|end of (life|sale|support|software|maintenance)|support ends|ends on)/;
const LONG_AGO =
  /^(created|added|registered|installed|purchased|activated|issued|manufactured|onboarded|enrolled|released|ordered|commissioned)$/;
const BEGIN = /^(start|started|starts|begin|began|begins|begun|from|since)$/;
const END = /^(end|ended|ends|finish|finished|completed|stopped|to|done)$/;
/** What runs for years, so that it began long ago and ends far ahead. */
const TERM =
  /licen[cs]e|subscription|contract|warranty|entitlement|certificate|agreement|term|support|seat|tier|trial|grace|warranty/;
/** What is planned ahead and lasts some hours. */
const PLANNED = /maintenance|window|planned|schedule|booking|visit/;

/** What is made or done within days, so that it was not created long ago. */
const WORK =
  /\b(export|job|task|upload|capture|session|run|bundle|request|case|order|event|log|alert|finding|trace|result|scan|registration|visit|archive|deliver(y|ies)|incident|ticket)s?\b/;
/** Records of what is over: nothing in them is still to come. */
const OVER = /\b(history|log|archive|event|deliver(y|ies)|record|audit)s?\b/;

/** What devices report every few minutes, and the lists that show it. */
const REPORTED =
  /^(last (seen|heard|contact|polled|poll|report|reported|update|sync|refresh|checkin|check in)|measured|timestamp|sampled|polled)( at| time)?$/;
const LIVE = /\b(status|stats?|health|state|summar(y|ies)|usage|measurements?)\b/;
/** What is written down as it happens, so that the last day is full of it. */
const DAILY = /\b(event|log|login|session|alarm|history|record)s?\b/;

/** What is lent for hours or days. */
const SHORT = /binding|lease|session|guest|visitor|arp|cache|invite|elevation|code/;

/** Milliseconds of a moment that fits the name: ahead for an expiry, long ago for a creation, else within the last three weeks; whole seconds. */
export function momentFor(field: TextField, nowMs: number): number {
  return Math.floor((nowMs + offsetOf(field)) / 1000) * 1000;
}

type Test = (words: readonly string[], resource: string) => boolean;
type Offset = (field: TextField) => number;

const says = (words: readonly string[], test: RegExp) => words.some((word) => test.test(word));
const begins = (words: readonly string[]) => says(words, BEGIN);
const DUE = /^(due|scheduled|planned)$/;

/** How far from now a moment is, in milliseconds, by the first rule that is about its name and the resource of its row. */
const RULES: readonly (readonly [isAbout: Test, offset: Offset])[] = [
  [
    (words) => says(words, /^(muted|snoozed|suppressed|paused|held)$/) && words.includes('until'),
    ({ dice }) => dice.int(2, 72) * HOUR,
  ],
  [(words, resource) => words.includes('since') && !TERM.test(resource), (field) => spanOf(field, false, false)],
  [(words, resource) => REPORTED.test(words.join(' ')) && LIVE.test(resource), ({ dice }) => -dice.int(20, 290) * 1000],
  [
    (words, resource) =>
      /^(timestamp|time|at|occurred at|event time|raised at|logged at)$/.test(words.join(' ')) && DAILY.test(resource),
    ({ dice }) => -dice.int(4 * MINUTE, 23 * HOUR),
  ],
  [
    (words, resource) => (begins(words) || says(words, END)) && (TERM.test(resource) || says(words, TERM)),
    ({ words, dice }) => (begins(words) ? -dice.int(40, 700) : dice.int(30, 800)) * DAY,
  ],
  [(words, resource) => SHORT.test(resource) && says(words, AHEAD), ({ dice }) => dice.int(90, 160 * 60) * MINUTE],
  [(words) => words.includes('next'), ({ dice }) => dice.int(20, 240 * 60) * MINUTE],
  [(words, resource) => OVER.test(resource) && says(words, DUE), (field) => spanOf(field, false, false) - MINUTE],
  [(words, resource) => WORK.test(resource) && words.includes('until'), (field) => spanOf(field, false, true)],
  [
    (words) => says(words, AHEAD) || TO_COME.test(words.join(' ')),
    ({ dice }) => dice.int(3, 380) * DAY + dice.int(0, 80_000) * 1000,
  ],
  [
    (words, resource) => (begins(words) || says(words, END)) && PLANNED.test(resource),
    (field) => spanOf(field, true, says(field.words, END)),
  ],
  [(words) => begins(words) || says(words, END), (field) => spanOf(field, false, says(field.words, END))],
  [
    (words, resource) => says(words, LONG_AGO) && !WORK.test(resource),
    ({ dice }) => -dice.int(30, 700) * DAY - dice.int(0, 80_000) * 1000,
  ],
];
const RECENT: Offset = ({ dice }) => -(dice.unit() ** 2) * 20 * DAY - dice.int(MINUTE, 6 * HOUR);

const known = new Map<string, Map<readonly string[], Offset>>();

function offsetOf(field: TextField): number {
  const resource = String(field.row[2] ?? '');
  const ofResource = known.get(resource) ?? new Map<readonly string[], Offset>();
  known.set(resource, ofResource);
  const offset = ofResource.get(field.words) ?? ruleFor(field.words, wordsOf(resource).join(' '));
  ofResource.set(field.words, offset);
  return offset(field);
}

function ruleFor(words: readonly string[], resource: string): Offset {
  const [, offset = RECENT] = RULES.find(([isAbout]) => isAbout(words, resource)) ?? [];
  return offset;
}

/** Begin or end of what one row is about. Plans begin on a full hour of the days ahead. */
function spanOf(field: TextField, planned: boolean, ends: boolean): number {
  const begun = begunHoursAgo(field);
  if (!planned) return Math.min(-1, -begun * HOUR + (ends ? lastedMinutes(field) * MINUTE : 0));
  const ahead = Math.ceil(begun) * HOUR;
  return ahead + (ends ? (1 + (lastedMinutes(field) % 4)) * HOUR : 0);
}
