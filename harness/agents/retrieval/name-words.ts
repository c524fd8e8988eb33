/** Words of names, sentences and values, in one comparable form. */

/** `wpaPassphrase`, `wpa-passphrase` and "WPA passphrase" are the same words. */
export function wordsOf(text: string): string[] {
  return text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(singular);
}

export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Letters and digits only, for comparing field names. */
export const compact = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** True when the value stands in the text as whole words, however it is joined or cased. */
export function mentions(text: string, value: string): boolean {
  const spoken = value
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim();
  if (spoken.length < 2) return false;
  const forms = [value.toLowerCase(), spoken, spoken.replaceAll('-', ' '), spoken.replaceAll(' ', '-')];
  const haystack = text.toLowerCase();
  return [...new Set(forms)].some((form) => {
    for (let at = haystack.indexOf(form); at >= 0; at = haystack.indexOf(form, at + 1)) {
      const before = haystack[at - 1] ?? ' ';
      const after = haystack[at + form.length] ?? ' ';
      const next = haystack[at + form.length + 1] ?? ' ';
      const open = !/[a-z0-9_-]/.test(before);
      // "depot-ap-03." ends a sentence, "10.1.1" goes on
      const shut = !/[a-z0-9_-]/.test(after) && !(after === '.' && /[a-z0-9]/.test(next));
      if (open && shut) return true;
    }
    return false;
  });
}

/** How many words two lists share. */
export function shared(a: readonly string[], b: readonly string[]): number {
  const set = new Set(b);
  return new Set(a.filter((word) => set.has(word))).size;
}
