/**
 * Never fewer tokens than a client's tokeniser makes of a text, found without one: letters go less than two to a token,
 * seldom ones alone, digits three, other scripts by their bytes. Real prose takes about half of it.
 */
const PIECES = /([A-Z]?[a-z]+|[A-Z]+)|(\d+)|(["{}[\]:,]+)|([ \t\r\n]+)|([\u0080-\uffff]+)|([\s\S])/g;
const SELDOM = /[jkqvwxz]/gi;

export function tokensAtMost(text: string): number {
  let sum = 0;
  for (const [piece, letters, digits, frame, space, foreign] of text.matchAll(PIECES)) {
    if (letters !== undefined) sum += lettersAtMost(letters);
    else if (digits !== undefined) sum += Math.ceil(digits.length / 3);
    else if (frame !== undefined) sum += frameAtMost(frame);
    else if (space !== undefined) sum += piece === ' ' ? 0.25 : piece.length;
    else if (foreign !== undefined) sum += Buffer.byteLength(foreign);
    else sum += 1;
  }
  return Math.ceil(sum);
}

/** The most frequent separators of JSON are one token each. */
const USUAL_FRAME = new Set(['":"', '","', '":{"', '":["', '"},{"', '"}', '"}}', '"]']);

function frameAtMost(frame: string): number {
  if (USUAL_FRAME.has(frame)) return 1;
  return frame.length > 4 ? frame.length : Math.ceil((frame.length + 1) / 2);
}

function lettersAtMost(letters: string): number {
  return Math.ceil(letters.length * 0.6 + (letters.match(SELDOM)?.length ?? 0) * 0.4);
}

/**
 * The bound for text made of words, as schemas are: over eight thousand of them a tokeniser made at most 0.41 of what
 * `tokensAtMost` says, so 0.6 of it leaves room. Text that does not look like words is held to the bound itself.
 */
export function tokensOfWords(text: string): number {
  const most = tokensAtMost(text);
  const seldom = text.match(SELDOM)?.length ?? 0;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is "plain ASCII or not"
  return seldom < text.length * 0.06 && /^[\x00-\x7f…–—’]*$/.test(text) ? Math.ceil(most * 0.6) : most;
}
