/**
 * Never fewer tokens than a client's tokeniser makes of a text, found without one: letters of words go less than two to a
 * token, seldom ones alone, letters that make no word as their pairs allow, digits three, other scripts by their bytes.
 * Real prose takes about half of it.
 */
const PIECES = /([A-Z]?[a-z]+|[A-Z]+)|(\d+)|(["{}[\]:,]+)|( (?=[^\s\d\u0080-\uffff]))|([\u0080-\uffff]+\d*)|[\s\S]/g;

export function tokensAtMost(text: string): number {
  let sum = 0;
  for (const [, letters, digits, frame, space, foreign] of text.matchAll(PIECES)) {
    if (letters !== undefined) sum += lettersAtMost(letters);
    else if (digits !== undefined) sum += Math.ceil(digits.length / 3);
    else if (frame !== undefined) sum += frameAtMost(frame);
    else if (space !== undefined) sum += 0.25;
    else if (foreign !== undefined) sum += Buffer.byteLength(foreign);
    else sum += 1;
  }
  return Math.ceil(sum);
}

/** The most frequent separators of JSON are one token each. */
const USUAL_FRAME = new Set(['":"', '","', '":{"', '":["', '"},{"', '"}', '"}}', '"]']);
/** Brackets and commas alone: beside another sign no token may join them. */
const APART = /^[{}[\],]{3}/;

function frameAtMost(frame: string): number {
  if (USUAL_FRAME.has(frame)) return 1;
  return frame.length > 4 || APART.test(frame) ? frame.length : Math.ceil((frame.length + 1) / 2);
}

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

const SELDOM = /[jkqvwxz]/gi;
/** Three letters in a row without a vowel, or two at a capital letter, or four vowels: what is no word needs more tokens. */
const NO_WORD = /[b-df-hj-np-tv-z]{3}|^[A-Z][b-df-hj-np-tv-z]|[A-Z]{2}|[aeiou]{4}/;

function lettersAtMost(letters: string): number {
  let single = 0;
  for (let at = 1; at < letters.length; at++) {
    if (PAIRS_WITHOUT_TOKEN.has(letters.slice(at - 1, at + 1))) single++;
  }
  const ofWord = Math.ceil(letters.length * 0.6 + (letters.match(SELDOM)?.length ?? 0) * 0.4);
  if (single === 0 && !NO_WORD.test(letters)) return ofWord;
  return Math.max(ofWord, Math.min(letters.length, Math.ceil((2 * letters.length + 1) / 3) + single));
}

/**
 * The bound for text made of words, as schemas are: over eight thousand of them a tokeniser made at most 0.48 of what
 * `tokensAtMost` says, so 0.57 of it leaves room. Text that does not look like words is held to the bound itself.
 */
export function tokensOfWords(text: string): number {
  const most = tokensAtMost(text);
  const seldom = text.match(SELDOM)?.length ?? 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  return seldom < text.length * 0.06 && /^[\x00-\x7f…–—’]*$/.test(text) ? Math.ceil(most * 0.57) : most;
}
