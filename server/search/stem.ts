/** A small suffix stripper: enough to bring number, tense and noun forms together, too weak to merge different words. */

const KNOWN = new Map<string, string>();
const KNOWN_LIMIT = 20_000;

export function stem(word: string): string {
  const known = KNOWN.get(word);
  if (known !== undefined) return known;
  const root = strip(word);
  // Words of questions come from outside: the memory of them must not grow without end.
  if (KNOWN.size < KNOWN_LIMIT && word.length < 24) KNOWN.set(word, root);
  return root;
}

function strip(word: string): string {
  if (word.length <= 3 || word.length > 40 || /[\d\u0080-\uffff]/.test(word)) return word;
  let root = word;
  if (/ies$/.test(root) && root.length > 4) root = root.slice(0, -2);
  else if (/(ss|x|z|ch|sh)es$/.test(root)) root = root.slice(0, -2);
  else if (/[^su]s$/.test(root) && !/is$/.test(root)) root = root.slice(0, -1);
  const tense = /^(.*[aeiouy].*[a-z])(?:ing|ed)$/.exec(root);
  if (tense?.[1] && tense[1].length >= 3) root = tense[1].replace(/([bdgmnprt])\1$/, '$1');
  root = root.replace(/([^aeiou])y$/, '$1i');
  return root.length > 4 ? root.replace(/e$/, '') : root;
}
