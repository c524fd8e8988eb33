/** A day or moment as an answer states it: in ISO 8601, in words, or in seconds or milliseconds since 1970. */

/** A zone that `Date.parse` knows, or an offset behind a time. */
const ZONE = /(?:^|[^a-z])(?:z|utc?|gmt|[ecmp][sd]t)(?![a-z])|\d:\d\d[\d:.]*\s*(?:[ap]m\s*)?[+-]\d/i;
const EPOCH = { seconds: /^\d{10}$/, milliseconds: /^\d{13}$/ };

/** Milliseconds since 1970, NaN where the text is no moment. A text without a zone is UTC: otherwise a grade depended on where it was made. */
export function statedMoment(text: string): number {
  if (EPOCH.seconds.test(text)) return Number(text) * 1000;
  if (EPOCH.milliseconds.test(text)) return Number(text);
  const plain = withoutWords(text);
  if (ZONE.test(plain)) return Date.parse(plain);
  return Date.parse(/\dt\d\d(?::\d\d)*[\d.]*$/i.test(plain) ? `${plain}Z` : `${plain} UTC`);
}

/** The day as `YYYY-MM-DD`, in UTC unless the text begins with it; the text itself where it is no day. */
export function statedDay(text: string): string {
  const stated = /^\d{4}-\d\d-\d\d/.exec(text)?.[0];
  const moment = statedMoment(text);
  return stated ?? (Number.isNaN(moment) ? text : new Date(moment).toISOString().slice(0, 10));
}

/** `5th of March 2026 at 12:00 (UTC)` as `5 March 2026 12:00 UTC`, which `Date.parse` reads. It passes over other words in parentheses itself. */
const withoutWords = (text: string): string =>
  text
    .replaceAll(/\((z|utc?|gmt)\)/gi, ' $1')
    .replaceAll(/(\d)(?:st|nd|rd|th)\b/gi, '$1')
    .replaceAll(/\s(?:of|at|on)\s/gi, ' ');
