/** Identifiers and prose → search words, the same for building and asking. */
import { snake } from '../catalog/name.ts';

const STOP = new Set(
  'a an and are as at be by can do does for from how i in is it its of on or the this that there to what which with when where who why me my you your'.split(
    ' ',
  ),
);

/** One concept, one spelling: what people say beside what documents write. */
const SAME = new Map([
  ['wlan', 'ssid'],
  ['essid', 'ssid'],
  ['wlans', 'ssid'],
  ['ssids', 'ssid'],
  ['gw', 'gateway'],
  ['gateways', 'gateway'],
  ['aps', 'ap'],
]);

/** Words of prose or of an identifier, in order, without stop words. */
export function searchWords(text: string): string[] {
  const found: string[] = [];
  // A name is split within its letters and digits alone, so each run of them is split once, however often it stands in a document.
  for (const run of text.match(/[A-Za-z0-9]+/g) ?? []) for (const word of wordsOfRun(run)) found.push(word);
  return found;
}

const split = new Map<string, readonly string[]>();
const MOST_RUNS = 20_000;
const LONGEST_RUN = 64;

function wordsOfRun(run: string): readonly string[] {
  const known = split.get(run);
  if (known) return known;
  const words = snake(run)
    .split('_')
    .map((word) => SAME.get(word) ?? word)
    .filter((word) => word.length > 1 && !STOP.has(word));
  if (split.size >= MOST_RUNS) split.clear();
  if (run.length <= LONGEST_RUN) split.set(run, words);
  return words;
}

/** Spelling by which exact look-ups meet: case and path parameter names do not matter. */
export function exactKey(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\{[^{}]*\}/g, '{}')
    .toLowerCase();
}
