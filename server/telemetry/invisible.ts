/**
 * Characters that a reader does not see and a program does: controls, direction marks, zero-width characters, tags, and
 * blanks that look like an ordinary space. Unicode general categories Cc, Cf, Zl, Zp and Zs, Default_Ignorable_Code_Point,
 * the blank Braille pattern, and surrogates without their other half.
 */

/** Characters that must not be sent or approved, because a person does not see them. */
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
  if (/^[ -~]*$/.test(text)) return text;
  return text.replace(INVISIBLE, escaped);
}

/** The value as JSON on one line of a question: nothing hidden, no line of its own, no quotation mark left open. */
export function quoted(value: unknown): string {
  return escapeInvisible(JSON.stringify(value) ?? 'null');
}

/** A name among other words: as it is where all of it can be seen, else quoted. */
export function shownName(text: string): string {
  return text.trim() === text && escapeInvisible(text) === text ? text : quoted(text);
}

/** What is shown in text of platforms and documents; line breaks and wide blanks belong to text. */
const HIDDEN =
  /(?![\t\n\r])(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\u{e0000}-\u{e00ff}\u{e01f0}-\u{e0fff}]|\p{Variation_Selector})/gu;
/** Most texts hold none of the characters that the slower pattern looks for. */
const PLAIN = /^[\t\n\r\x20-\x7e]*$/;

export const hasInvisible = (text: string): boolean => !PLAIN.test(text) && text.search(HIDDEN) >= 0;

/** The text with every invisible character as `\u{200b}`. */
export function visibleText(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (letter) => `\\u{${letter.codePointAt(0)?.toString(16)}}`);
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
