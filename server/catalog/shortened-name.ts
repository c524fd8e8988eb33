/** Shortens a name of many words: verb and object stay, words that say least go first. */

/** Words before which the object stands: `list statuses for the user with pagination`. */
const PREPOSITIONS = new Set(['by', 'for', 'from', 'in', 'of', 'on', 'to', 'using', 'via', 'with']);

/** Words that say nothing of the operation. */
const FILLERS = new Set([...PREPOSITIONS, 'a', 'an', 'and', 'or', 'the']);
/** Words that nearly every operation of some document has. */
const GENERIC = new Set([
  'api',
  'apis',
  'controller',
  'endpoint',
  'namespaced',
  'public',
  'request',
  'resource',
  'rest',
  'service',
]);

/**
 * @param words of the name without its platform, snake case, in order
 * @param parameters path parameters in order, snake case: `merchant_id`
 * @param limit of the joined name, in characters
 * @returns the words joined by `_`, at most `limit` long
 */
export function shortened(words: readonly string[], parameters: readonly string[], limit: number): string {
  let left = [...words];
  const preposition = words.findIndex((word, at) => at > 1 && PREPOSITIONS.has(word));
  const object = words[preposition < 0 ? words.length - 1 : preposition - 1] ?? '';
  const fits = () => left.join('_').length <= limit;
  // `get merchants merchant id stores store id`: the inner parameters repeat the nouns before them.
  for (const parameter of parameters.slice(0, -1)) if (!fits()) left = withoutRun(left, parameter.split('_'));
  for (const goes of [isFiller, isVersionOrGeneric, isRepeated]) {
    if (fits()) break;
    left = left.filter((word, at) => at === 0 || at === left.length - 1 || !goes(word, left.slice(0, at)));
  }
  while (!fits() && left.length > 2) left.splice(expendable(left, object), 1);
  return left.join('_').slice(0, limit).replace(/_$/, '');
}

/** Place of the word nearest to the middle that is neither first nor last nor the object, where there is one. */
function expendable(words: readonly string[], object: string): number {
  const middle = Math.floor(words.length / 2);
  const inner = [...words.keys()].slice(1, -1).toSorted((a, b) => Math.abs(a - middle) - Math.abs(b - middle));
  return inner.find((at) => words[at] !== object) ?? middle;
}

const isFiller = (word: string) => FILLERS.has(word);
const isVersionOrGeneric = (word: string) => /^v\d+$/.test(word) || GENERIC.has(word);
const isRepeated = (word: string, before: readonly string[]) => before.some((other) => stem(other) === stem(word));
/** One form for singular and plural, good enough to find a repetition. */
const stem = (word: string) => word.replace(/ies$/, 'y').replace(/(?<=.{3})e?s$/, '');

/** Without the first place, but for the very end, where these words stand one after the other. */
function withoutRun(words: readonly string[], run: readonly string[]): string[] {
  const at = words.findIndex(
    (_, start) => start > 0 && start + run.length < words.length && run.every((word, i) => words[start + i] === word),
  );
  return at < 0 ? [...words] : [...words.slice(0, at), ...words.slice(at + run.length)];
}
