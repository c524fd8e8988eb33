/** JSON values that stand in prose: a whole text, a fenced block, or objects and lists between sentences. */

/** Texts longer than this are cut: an answer is no document. */
const LONGEST = 200_000;
/** Characters that are read again and again in a text made of brackets, before the search ends with what it has. */
const MOST_READ = 50 * LONGEST;

/** In the order of the text; empty when there is none. Never throws. */
export function jsonValuesIn(text: string): unknown[] {
  const cut = text.slice(0, LONGEST).trim();
  const whole = parsed(cut);
  if (typeof whole === 'object' && whole !== null) return [whole];
  const found: unknown[] = [];
  const ends = new Map<number, number | undefined>();
  let read = 0;
  for (let at = 0; at < cut.length && read < MOST_READ; at++) {
    if (cut[at] !== '{' && cut[at] !== '[') continue;
    if (!ends.has(at)) read += findEnds(cut, at, ends);
    const end = ends.get(at);
    if (end === undefined) continue;
    const value = parsed(cut.slice(at, end));
    if (value === undefined) {
      read += end - at;
      continue;
    }
    found.push(value);
    at = end - 1;
  }
  return found;
}

/** A JSON string as a whole, so that brackets in it do not count, or one bracket. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/**
 * Where the bracket at `start` and those inside it are closed; undefined for those that never are. Many open brackets would
 * each be followed to the end of the text otherwise. Returns how many characters it read.
 */
function findEnds(text: string, start: number, ends: Map<number, number | undefined>): number {
  const open: number[] = [];
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [sign] = token;
    if (sign === '{' || sign === '[') open.push(token.index);
    else if (sign === '}' || sign === ']') {
      ends.set(open.pop() as number, TOKEN.lastIndex);
      if (open.length === 0) return TOKEN.lastIndex - start;
    }
  }
  for (const at of open) ends.set(at, undefined);
  return text.length - start;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
