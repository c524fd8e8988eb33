/**
 * Never fewer tokens than a client's tokeniser makes of a text, found without one: of neighbouring letters at most every
 * second token is a single letter, a space goes with the word after it, digits go three to a token, other scripts by
 * their bytes. Real prose takes less than half of it.
 */
const PIECES = / ?([A-Z]?[a-z]+|[A-Z]+)|(\d+)|(["{}[\]:,]+)|([\u0080-\uffff]+\d*)|[\s\S]/g;

export function tokensAtMost(text: string): number {
  let sum = 0;
  for (const [, letters, digits, frame, foreign] of text.matchAll(PIECES)) {
    if (letters !== undefined) sum += lettersAtMost(letters);
    else if (digits !== undefined) sum += Math.ceil(digits.length / 3);
    else if (frame !== undefined) sum += USUAL_FRAMES.get(frame) ?? frame.length;
    else if (foreign !== undefined) sum += Buffer.byteLength(foreign);
    else sum += 1;
  }
  return sum;
}

/** What JSON has most often between names and values, by its tokens. */
export const USUAL_FRAMES: ReadonlyMap<string, number> = new Map(
  [
    ['":"', '","', '":{"', '":', ',"', '":["', '"},{"', '"}', '"}}', '"]', '{"', '"},', '"],', '},"', '],"'],
    ['"},"', '"],"', '}},"', ']},"', '}}}', '":[{"', '}],"'],
  ].flatMap((frames, tokens) => frames.map((frame) => [frame, tokens + 1])),
);

/**
 * Pairs of letters that are no token of o200k_base: a first letter, then every second one. All other pairs are merged,
 * so two single letters stand side by side only in these.
 */
export const PAIRS_WITHOUT_TOKEN = pairsOf(`
  bq gkq jvz kqz lq nq qfgjkvz rj tq wqz xgjkqvw yq zjqv
  EJ FJQZ GJQZ IY JHQXYZ KJQXZ LJQZ MZ NQ OQZ PZ QFGHJKOWXYZ RZ TQ UOQ VJQYZ WJQZ XGHJKQUW YBFHIJQV ZBCJKLPQV
  Aq Bfqvz Cjkqwz Dgkq Eow Ffhjqvz Gdfgkmqvxz Hcfhjknq Ihu Jbcdfgjkmpqrtvwxz Kcfjkpqxz Lhkqrwxz Nfnqw Oaeq Pjpqz
  Qbdefhjkmnpqvwxyz Rjkrz Sgx Tgjnqtz Uejoqu Vbdfghjnqtvwx Wbcfgjklmnqvwz Xbcfghjklnoqrvwxyz Ybcdfghjklpqtvwxyz
  Zbcfgklpqrstxyz`);

function pairsOf(table: string): ReadonlySet<string> {
  const rows = table.trim().split(/\s+/);
  return new Set(rows.flatMap(([first, ...seconds]) => seconds.map((second) => `${first}${second}`)));
}

function lettersAtMost(letters: string): number {
  let single = 0;
  for (let at = 1; at < letters.length; at++) {
    if (PAIRS_WITHOUT_TOKEN.has(letters.slice(at - 1, at + 1))) single++;
  }
  return Math.min(letters.length, Math.ceil((2 * letters.length + 1) / 3) + single);
}

const SELDOM = /[jkqvwxz]/gi;

/**
 * The bound for text made of words, as schemas are: over eight thousand of them a tokeniser made at most 0.48 of what
 * `tokensAtMost` says, so 0.6 of it leaves room. Text that does not look like words is held to the bound itself.
 */
export function tokensOfWords(text: string): number {
  const most = tokensAtMost(text);
  const seldom = text.match(SELDOM)?.length ?? 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  return seldom < text.length * 0.06 && /^[\x00-\x7f…–—’]*$/.test(text) ? Math.ceil(most * 0.6) : most;
}
