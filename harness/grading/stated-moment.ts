/** A day or moment as an answer states it: in ISO 8601, in words, or in seconds or milliseconds since 1970. */

/** A zone that `Date.parse` knows, or an offset behind a time. */
const ZONE = /(?:^|[^a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])|\d:\d\d[\d:.]{0,20}\s?(?:[ap]m\s?)?[+-]\d/i;
/** Words that make of a moment a span, or another moment. `Date.parse` passes over every word in front of the first number. */
const ANOTHER = /\b(?:not|no|never|before|after|earlier|later|between|or|to)\b/i;
const EPOCH = { seconds: /^\d{10}$/, milliseconds: /^\d{13}$/ };

/** Milliseconds since 1970, NaN where the text is no moment. A text without a zone is UTC: otherwise a grade depended on where it was made. */
export function statedMoment(text: string): number {
  if (EPOCH.seconds.test(text)) return Number(text) * 1000;
  if (EPOCH.milliseconds.test(text)) return Number(text);
  const plain = withoutWords(text);
  if (ANOTHER.test(plain)) return Number.NaN;
  if (ZONE.test(plain)) return Date.parse(plain);
  return Date.parse(/\dt\d\d(?::\d\d)*[\d.]*$/i.test(plain) ? `${plain}Z` : `${plain} UTC`);
}

/** The day as `YYYY-MM-DD`, in UTC unless the text begins with it; the text itself where it is no day. */
export function statedDay(text: string): string {
  const moment = statedMoment(text);
  if (Number.isNaN(moment)) return text;
  return /^\d{4}-\d\d-\d\d/.exec(text)?.[0] ?? new Date(moment).toISOString().slice(0, 10);
}

/** `5th of March 2026 at 12:00 (UTC)` as `5 March 2026 12:00 UTC`, and `…T12:00+01` as `…T12:00+01:00`: what `Date.parse` reads. */
const withoutWords = (text: string): string =>
  text
    .replaceAll(/\((z|utc?|gmt|[ecmp][sd]t)\)/gi, ' $1')
    .replaceAll(/\([^()]*\)/g, ' ')
    .trim()
    .replace(/(\dz)\s+(?:utc?|gmt)$/i, '$1')
    .replace(/(:\d\d[\d:.]{0,20}[+-]\d\d)$/, '$1:00')
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replaceAll(/\s(?:of|at|on)\s/gi, ' ');
