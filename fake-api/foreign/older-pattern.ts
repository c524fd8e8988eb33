/**
 * Patterns that ECMA-262 takes only without the flag `u` (annex B.1.2), which JSON Schema asks for: `\-` and `\:` outside of what has to
 * be escaped, `[\w-.]`, a brace that is a letter. Each is written as the grammar with the flag has it; it takes the same texts.
 */

/** An escape, a repetition, or a character. */
const PIECE = /\\(?:[pPu]\{[^}]*\}|k<[^>]*>|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|.)|\{\d+(?:,\d*)?\}|./gsu;
const NEEDLESS = /^\\[^\dA-Za-z^$\\.*+?()[\]{}|/]$/u;
const SET = /^\\[wWdDsSpP]/;

/** The pattern as the flag `u` takes it; the same text where it is right as it is, or wrong by either grammar. */
export function withoutOlderGrammar(pattern: string): string {
  if (isPattern(pattern) || !isPattern(pattern, '')) return pattern;
  let inClass = false;
  const pieces = pattern.match(PIECE) ?? [];
  const written = pieces.map((piece, at) => {
    const wasInClass = inClass;
    if (piece === '[') inClass = true;
    if (piece === ']') inClass = false;
    return wasInClass ? inClassWritten(piece, pieces[at - 1], pieces[at + 1]) : outsideWritten(piece);
  });
  const meant = written.join('');
  return isPattern(meant) ? meant : pattern;
}

const outsideWritten = (piece: string): string => {
  if (NEEDLESS.test(piece)) return piece.slice(1);
  return /^[{}\]]$/.test(piece) ? `\\${piece}` : piece;
};

/** No range begins or ends with a set of characters: the dash beside one is a dash. */
function inClassWritten(piece: string, before = '', after = ''): string {
  if (piece === '-' && (SET.test(before) || SET.test(after))) return '\\-';
  return NEEDLESS.test(piece) && piece !== '\\-' ? piece.slice(1) : piece;
}

/** Whether a text is a regular expression by these flags. */
export function isPattern(text: string, flags = 'u'): boolean {
  try {
    new RegExp(text, flags);
    return true;
  } catch {
    return false;
  }
}
