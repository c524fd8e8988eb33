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
  return Array.isArray(value) ? visibleList(value) : visibleFields(value as Record<string, unknown>);
}

function visibleList(list: readonly unknown[]): readonly unknown[] {
  let copy: unknown[] | undefined;
  for (let at = 0; at < list.length; at++) {
    const shown = visible(list[at]);
    if (shown === list[at]) continue;
    copy ??= [...list];
    copy[at] = shown;
  }
  return copy ?? list;
}

function visibleFields(fields: Record<string, unknown>): Record<string, unknown> {
  let entries: [string, unknown][] | undefined;
  for (const [at, name] of Object.keys(fields).entries()) {
    const [shownName, shown] = [visibleText(name), visible(fields[name])];
    if (shownName === name && shown === fields[name]) continue;
    entries ??= Object.entries(fields);
    entries[at] = [shownName, shown];
  }
  return entries === undefined ? fields : Object.fromEntries(entries);
}
