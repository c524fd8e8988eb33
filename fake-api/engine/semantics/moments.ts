/** Moments that fit the name of a field and the other moments of its row. */
import { wordsOf } from './field-words.ts';
import { kindOf } from './kind-names.ts';
import { begunHoursAgo, lastedMinutes } from './person.ts';
import type { TextField } from './semantic-text.ts';

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
  /export|job|task|upload|capture|session|run|bundle|request|case|order|event|log|alert|finding|trace|result|scan|registration|visit|archive|delivery|incident|ticket/;
/** Records of what is over: nothing in them is still to come. */
const OVER = /history|log|archive|event|delivery|record|audit/;

/** Milliseconds of a moment that fits the name: ahead for an expiry, long ago for a creation, else within the last three weeks; whole seconds. */
export function momentFor(field: TextField, nowMs: number): number {
  return Math.floor((nowMs + offsetOf(field)) / 1000) * 1000;
}

function offsetOf(field: TextField): number {
  const { words, dice, row } = field;
  const kind = kindOf(String(row[2] ?? '')).join(' ');
  const begins = words.some((word) => BEGIN.test(word));
  const ends = words.some((word) => END.test(word));
  if ((begins || ends) && (TERM.test(kind) || words.some((word) => TERM.test(word))))
    return (begins ? -dice.int(40, 700) : dice.int(30, 800)) * DAY;
  const resource = wordsOf(String(row[2] ?? '')).join(' ');
  if (words.includes('next')) return dice.int(20, 240 * 60) * MINUTE;
  if (OVER.test(resource) && words.some((word) => /^(due|scheduled|planned)$/.test(word)))
    return spanOf(field, false, false) - MINUTE;
  if (words.some((word) => AHEAD.test(word)) || TO_COME.test(words.join(' ')))
    return dice.int(3, 380) * DAY + dice.int(0, 80_000) * 1000;
  if (begins || ends) return spanOf(field, PLANNED.test(kind), ends);
  if (words.some((word) => LONG_AGO.test(word)) && !WORK.test(resource))
    return -dice.int(30, 700) * DAY - dice.int(0, 80_000) * 1000;
  return -(dice.unit() ** 2) * 20 * DAY - dice.int(MINUTE, 6 * HOUR);
}

/** Begin or end of what one row is about. Plans begin on a full hour of the days ahead. */
function spanOf(field: TextField, planned: boolean, ends: boolean): number {
  const begun = begunHoursAgo(field);
  if (!planned) return Math.min(-1, -begun * HOUR + (ends ? lastedMinutes(field) * MINUTE : 0));
  const ahead = Math.ceil(begun) * HOUR;
  return ahead + (ends ? (1 + (lastedMinutes(field) % 4)) * HOUR : 0);
}
