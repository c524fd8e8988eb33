/**
 * Characters that a person does not see and a model reads: controls, bidi marks, zero-width characters, the tag block,
 * variation selectors. In text of platforms and documents they are shown as escapes, so that nothing is hidden in it.
 */

const INVISIBLE =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/gu;
/** Most texts hold none of the characters that the slower pattern looks for. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

export const hasInvisible = (text: string): boolean => !PLAIN.test(text) && text.search(INVISIBLE) >= 0;

/** The text with every invisible character as `\u{200b}`. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(INVISIBLE, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
}

/** The same for every text in a value, names of fields included; the very same object where there is nothing to show. */
export function visible(value: unknown): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const shown = value.map(visible);
    return shown.some((entry, at) => entry !== value[at]) ? shown : value;
  }
  let changed = false;
  const entries = Object.entries(value).map(([name, inner]): [string, unknown] => {
    const entry: [string, unknown] = [visibleText(name), visible(inner)];
    changed ||= entry[0] !== name || entry[1] !== inner;
    return entry;
  });
  return changed ? Object.fromEntries(entries) : value;
}
