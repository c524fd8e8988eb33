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
  return snake(text)
    .split('_')
    .map((word) => SAME.get(word) ?? word)
    .filter((word) => word.length > 1 && !STOP.has(word));
}

/** Spelling by which exact look-ups meet: case and path parameter names do not matter. */
export function exactKey(text: string): string {
  return text
    .trim()
    .replace(/\s+/g, ' ')
    .replace(/\{[^{}]*\}/g, '{}')
    .toLowerCase();
}
