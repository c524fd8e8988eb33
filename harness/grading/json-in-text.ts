/** JSON values that stand in prose: a whole text, a fenced block, or objects and lists between sentences. */

/** Texts longer than this are cut: an answer is no document. */
const LONGEST = 200_000;

/** In the order of the text; empty when there is none. Never throws. */
export function jsonValuesIn(text: string): unknown[] {
  const cut = text.slice(0, LONGEST).trim();
  const whole = parsed(cut);
  if (typeof whole === 'object' && whole !== null) return [whole];
  const found: unknown[] = [];
  for (let at = 0; at < cut.length; at++) {
    if (cut[at] !== '{' && cut[at] !== '[') continue;
    const end = endOf(cut, at);
    const value = end === undefined ? undefined : parsed(cut.slice(at, end));
    if (value === undefined) continue;
    found.push(value);
    at = (end as number) - 1;
  }
  return found;
}

/** A JSON string as a whole, so that brackets in it do not count, or one bracket. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[[\]{}]/gs;

/** Where the bracket that opens at `start` is closed; undefined when it is not. */
function endOf(text: string, start: number): number | undefined {
  let depth = 0;
  TOKEN.lastIndex = start;
  for (let token = TOKEN.exec(text); token !== null; token = TOKEN.exec(text)) {
    const [sign] = token;
    if (sign === '{' || sign === '[') depth++;
    else if ((sign === '}' || sign === ']') && --depth === 0) return TOKEN.lastIndex;
  }
  return undefined;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
