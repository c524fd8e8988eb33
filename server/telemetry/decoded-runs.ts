/**
 * Parts of a text that spell another one out character by character: entities of HTML (`&#116;&#x51;`) and hex in pairs
 * (`74:51:37`). They are read back, because writing each known value in all of these forms would take too much memory.
 */

type Range = [from: number, until: number];

/** Ranges of a text in which a value is found; indexes of UTF-16 units. */
type Find = (text: string) => Range[];

/** The text with every value masked that such a part spells out. `shortest`: characters of the shortest part that counts. */
export function maskDecoded(text: string, mask: string, shortest: number, find: Find): string {
  const entities = text.includes('&#')
    ? text.replace(ENTITIES, (part) => (find(entitiesOf(part)).length > 0 ? mask : part))
    : text;
  let clean = '';
  let at = 0;
  for (const [from, until] of pairRuns(entities, shortest)) {
    for (const [start, end] of within(entities.slice(from, until), find)) {
      clean += entities.slice(at, from + start) + mask;
      at = from + end;
    }
  }
  return clean + entities.slice(at);
}

/** Six characters, as the shortest value that is looked for has. */
const ENTITIES = /(?:&#(?:\d{1,7}|x[\da-f]{1,6});){6,}/gi;

function entitiesOf(part: string): string {
  return [...part.matchAll(/&#(?:(\d+)|x([\da-f]+));/gi)]
    .map(([, decimal, hex]) => (decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal)))
    .map((code) => (code <= 0x10ffff ? String.fromCodePoint(code) : '\ufffd'))
    .join('');
}

const PAIR = 3;
/** A run of six pairs has 17 characters, so one of its first nine is looked at, and two separators lie ahead of that. */
const LOOK_EVERY = 9;

/** Runs of pairs with one separator between them, `:`, `-` or a space, that are long enough. */
function* pairRuns(text: string, shortest: number): Generator<Range> {
  for (let look = 0; look < text.length; look += LOOK_EVERY) {
    const middle = separatorNear(text, look);
    if (middle < 0) continue;
    const separator = text.charCodeAt(middle);
    let from = middle - 2;
    while (from >= PAIR && text.charCodeAt(from - 1) === separator && isPair(text, from - PAIR)) from -= PAIR;
    let until = middle;
    while (text.charCodeAt(until) === separator && isPair(text, until + 1)) until += PAIR;
    if ((until - from + 1) / PAIR >= shortest) yield [from, until];
    look = Math.max(look, until - LOOK_EVERY + 1);
  }
}

/** A separator in the next three characters that is one of a run; -1 for none. */
function separatorNear(text: string, look: number): number {
  for (let at = look; at < look + PAIR; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x3a && code !== 0x2d && code !== 0x20) continue;
    if (text.charCodeAt(at + PAIR) === code && at >= 2 && isPair(text, at - 2) && isPair(text, at + 1)) return at;
  }
  return -1;
}

const isPair = (text: string, at: number): boolean => isHex(text.charCodeAt(at)) && isHex(text.charCodeAt(at + 1));
const isHex = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66);

/** Where a run of pairs spells a value; the whole run if the value has characters of several bytes. */
function within(run: string, find: Find): Range[] {
  const bytes = Buffer.from(run.replace(/[^\da-f]/gi, ''), 'hex');
  const found = find(bytes.toString('latin1'));
  if (found.length > 0) return found.map(([from, until]) => [from * PAIR, until * PAIR - 1]);
  const wide = bytes.some((byte) => byte >= 0x80) && find(bytes.toString('utf8')).length > 0;
  return wide ? [[0, run.length]] : [];
}
