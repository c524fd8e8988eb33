/** Reads a question once: its content words, what it wants done, whether it names one thing, which platform it means. */
import { pairs, terms, words } from './tokens.ts';
import { type Wish, wishOf } from './verb.ts';

export interface Question {
  text: string;
  terms: string[];
  pairs: string[];
  wish: Wish;
  /** Phrased as a question, so it wants to read. */
  question: boolean;
  /** It names one concrete thing (a quoted name, an address, an identifier). */
  one: boolean;
  /** It speaks of things in the plural and names none. */
  many: boolean;
  /** Platforms whose own words occur. */
  platforms: string[];
}

export const MAX_QUERY = 2_000;

const QUOTED = /"[^"]{1,80}"|“[^”]{1,80}”|(?<![A-Za-z])'[^']{1,80}'(?![A-Za-z])/g;
/** MAC, IP, UUID, and names with digits in them such as `hq-ap-01`. Versions and protocol names are words. */
const VALUE =
  /\b([0-9a-f]{2}[:-]){5}[0-9a-f]{2}\b|\b\d{1,3}(\.\d{1,3}){3}(\/\d+)?\b|\b[0-9a-f]{8}-[0-9a-f-]{27}\b|\b[a-z]+(?:-[a-z0-9]+)*-\d+\b/gi;
/** A serial number: capitals with digits among them, which no word has. */
const SERIAL = /\b(?=[A-Z]*\d)[A-Z0-9]{8,}\b/g;

export function readQuestion(raw: string, platformWords: Readonly<Record<string, readonly string[]>>): Question {
  const text = raw.slice(0, MAX_QUERY).normalize('NFKC');
  const masked = text
    .replace(QUOTED, ' ')
    .replace(SERIAL, ' ')
    .replace(VALUE, (value) => (/^(802|wi|v)/i.test(value) ? value : ' '));
  const lower = ` ${text.toLowerCase()} `;
  const found = terms(masked);
  const plain = found.length > 0 ? found : terms(text, true);
  return {
    text: text.trim(),
    terms: [...new Set(plain)],
    pairs: pairs(plain),
    ...wishOf(masked),
    one: masked !== text,
    many:
      masked === text &&
      words(masked).some(
        (word) =>
          /[^su]s$|ies$/.test(word) && !/^(is|was|has|does|this|its|as|us|dns|always|access|status)$/.test(word),
      ),
    platforms: Object.entries(platformWords)
      .filter(([, names]) => names.some((name) => lower.includes(` ${name.toLowerCase()} `)))
      .map(([platform]) => platform),
  };
}
