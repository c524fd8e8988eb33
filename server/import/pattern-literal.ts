/**
 * Patterns written as literals of JavaScript or Perl, such as `/^[a-z]+$/i`. To a validator the slashes are letters of the text, and
 * before `^` or behind `$` no text can have one: such a pattern refuses every value. Its author means what stands between the slashes.
 */

const LITERAL = /^\/(\^.+|.+\$)\/([a-z]*)$/s;

/** The pattern that is meant; the same text where it is no literal. */
export function meantPattern(written: string): string {
  const [, inner, flags = ''] = LITERAL.exec(written) ?? [];
  if (inner === undefined || inner.endsWith('\\$')) return written;
  return flags.includes('i') ? inAnyCase(inner) : inner;
}

/** An escape, the head of a group, a bracket, a range of letters, or a letter. */
const TOKEN =
  /\\(?:[pPu]\{[^}]*\}|u[\dA-Fa-f]{4}|x[\dA-Fa-f]{2}|c[A-Za-z]|k<[^>]*>|.)|\(\?<\w+>|[[\]]|([A-Za-z])-([A-Za-z])|([A-Za-z])/gs;

/** JSON Schema has no flags, so each letter is written in both cases. */
function inAnyCase(pattern: string): string {
  let inClass = false;
  return pattern.replace(TOKEN, (token, from?: string, to?: string, letter?: string) => {
    if (token === '[' || token === ']') inClass = token === '[';
    if (letter !== undefined) return inClass ? both(letter) : `[${both(letter)}]`;
    if (from === undefined || to === undefined) return token;
    if (!inClass) return `[${both(from)}]-[${both(to)}]`;
    return isLower(from) === isLower(to) ? `${token}${other(from)}-${other(to)}` : token;
  });
}

const isLower = (letter: string): boolean => letter === letter.toLowerCase();
const other = (letter: string): string => (isLower(letter) ? letter.toUpperCase() : letter.toLowerCase());
const both = (letter: string): string => `${letter}${other(letter)}`;
