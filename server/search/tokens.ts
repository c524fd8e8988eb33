/** Text → comparable words, the same for tools and questions: split, joined where people join, stemmed. */

/** Words that carry no topic. Question words are here too: what they mean for ranking is read elsewhere. */
const STOP = new Set(
  (
    'a an and any are as at be been by can could did do does for from had has have how i if in into is it its itself just let me my now of off on ' +
    'one or our out over please shall should so some still tell than that the their them then there these they this those to under up us using want ' +
    'was we were what when where which who whose why will with would you your all each every many much there currently right need needs via per ' +
    'about after again also before between both during only same such too very am being get got im ive id give know see'
  ).split(' '),
);

/** Verbs that any operation may have: they select a kind of operation, not a topic. */
export const GENERIC_VERBS = new Set(
  'list show display view fetch retrieve read look find check create add make new define update change modify edit set adjust delete remove drop replace'.split(
    ' ',
  ),
);

/** Spellings of one thing, joined before splitting. */
const JOINED: readonly [RegExp, string][] = [
  [/\b802[.\s]?1[\s-]?x\b/g, ' dot1x '],
  [/\bdot[\s-]1x\b/g, ' dot1x '],
  [/\bwi[\s-]fi\b/g, ' wifi '],
  [/\baccess[\s-]points?\b/g, ' ap '],
  [/\baps\b/g, ' ap '],
  [/\be[\s-]mail\b/g, ' email '],
  [/\blog[\s-]in\b/g, ' login '],
  [/\bpoe\b|\bpower over ethernet\b/g, ' poe '],
  [/\bpass[\s-]?(phrase|word|key)s?\b/g, ' password passphrase '],
];

export function words(text: string): string[] {
  let plain = text
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .replace(/[_/]+/g, ' ')
    .replace(/['’]s\b/g, '');
  for (const [pattern, joined] of JOINED) plain = plain.replace(pattern, joined);
  return plain.match(/[a-z0-9]+/g) ?? [];
}

/** Content words, stemmed. Generic verbs are left out unless asked for: they would match every tool of a kind. */
export function terms(text: string, keepVerbs = false): string[] {
  return words(text)
    .filter((word) => word.length > 1 && !STOP.has(word) && (keepVerbs || !GENERIC_VERBS.has(word)))
    .map(stem);
}

/** A small suffix stripper: enough to bring plural and tense together, too weak to merge different words. */
export function stem(word: string): string {
  if (word.length <= 3 || /\d/.test(word)) return word;
  let root = word;
  if (/ies$/.test(root) && root.length > 4) root = `${root.slice(0, -3)}y`;
  else if (/(ss|x|z|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^su]s$/.test(root) && !/is$/.test(root)) root = root.slice(0, -1);
  const tense = /^(.*[aeiouy].*[a-z])(?:ing|ed)$/.exec(root);
  if (tense?.[1] && tense[1].length >= 3) root = tense[1].replace(/([bdgmnprt])\1$/, '$1');
  return root.length > 4 ? root.replace(/e$/, '') : root;
}

/** Adjacent pairs, as terms of their own. */
export function pairs(list: readonly string[]): string[] {
  return list.slice(1).map((word, i) => `${list[i]}_${word}`);
}
