/** Words of names, sentences and values, in one comparable form. */
import { remembered } from './remembered.ts';

/** `wpaPassphrase`, `wpa-passphrase` and "WPA passphrase" are the same words. */
export const wordsOf = remembered((text: string): readonly string[] =>
  text
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '')
    .map(singular),
);

export function singular(word: string): string {
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith('s') && !/(ss|us|is)$/.test(word)) return word.slice(0, -1);
  return word;
}

/** Letters and digits only, for comparing field names. */
export const compact = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]/g, '');

/** True when the value stands in the text as whole words, however it is joined or cased. */
export function mentions(text: string, value: string): boolean {
  const haystack = lowered(text);
  const { forms, beginning } = formsOf(value);
  // Most values share not even a beginning with the text.
  if (!haystack.includes(beginning)) return false;
  return forms.some((form) => {
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

const lowered = remembered((text: string): string => text.toLowerCase());

/** How a value can be written in a sentence, in lower case; none for one that is too short. */
const formsOf = remembered((value: string): { forms: readonly string[]; beginning: string } => {
  const spoken = value
    .toLowerCase()
    .replaceAll(/[_\s]+/g, ' ')
    .trim();
  const beginning = /^[a-z0-9]*/.exec(spoken)?.[0] ?? '';
  if (spoken.length < 2) return { forms: [], beginning };
  const forms = [value.toLowerCase(), spoken, spoken.replaceAll('-', ' '), spoken.replaceAll(' ', '-')];
  return { forms: [...new Set(forms)], beginning };
});

/** How many words two lists share. */
export function shared(a: readonly string[], b: readonly string[]): number {
  const set = new Set(b);
  return new Set(a.filter((word) => set.has(word))).size;
}
