/**
 * Characters that a reader does not see and a program does: controls, direction marks, zero-width characters, tags, and
 * blanks that look like an ordinary space. Unicode general categories Cc, Cf, Zl, Zp and Zs, Default_Ignorable_Code_Point,
 * the blank Braille pattern, and surrogates without their other half.
 */

const INVISIBLE =
  /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}\u{2800}]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/gu;

/** One `\uXXXX` for each UTF-16 code unit of the text, as JSON writes it (RFC 8259 §7). */
function escaped(text: string): string {
  let out = '';
  for (let at = 0; at < text.length; at++) out += `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
  return out;
}

/**
 * The text with every invisible character as `\uXXXX`.
 *
 * Inside a JSON string the result means the same text, so JSON that was serialised and then passed through here is the
 * same value with nothing hidden in it. In other text the result is for display only.
 */
export function escapeInvisible(text: string): string {
  return text.replace(INVISIBLE, escaped);
}

/** The text on one line of a question: nothing hidden, no line of its own, no quotation mark left open. */
export function quoted(text: string): string {
  return escapeInvisible(JSON.stringify(text));
}
