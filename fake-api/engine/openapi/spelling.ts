/** Platforms differ in how they write the same thing: with or without separators, in small or capital letters. */

/** A hardware address without separators, in small letters; any other text as it is. */
export function bareAddress(text: string): string {
  return /^[0-9a-f]{2}([:-][0-9a-f]{2}){5}$/i.test(text) ? text.replaceAll(/[:-]/g, '').toLowerCase() : text;
}

/** What a text may be written as, the way it stands first. */
export const spellingsOf = (text: string): string[] => [text, bareAddress(text), text.toUpperCase()];
