/** The words of a field's name: `radiusServerName`, `radius-server-name` and `RADIUS_server_name` give the same three. */

const known = new Map<string, readonly string[]>();

/** Rows of comma-separated endings as a map from each ending to what its row holds. A later row wins. */
export const endingTable = <T>(rows: readonly (readonly [endings: string, entry: T])[]): ReadonlyMap<string, T> =>
  new Map(rows.flatMap(([endings, entry]) => endings.split(',').map((ending) => [ending, entry] as const)));

/** What is known of the longest ending of a name, of at most so many words; undefined where none is known. */
export function atLongestEnding<T>(
  words: readonly string[],
  most: number,
  find: (ending: string) => T | undefined,
): T | undefined {
  for (let count = Math.min(most, words.length); count > 0; count -= 1) {
    const found = find(words.slice(-count).join(' '));
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Lower-case words of a name in camel, kebab or snake case; a number is a word of its own. */
export function wordsOf(name: string): readonly string[] {
  const stored = known.get(name);
  if (stored !== undefined) return stored;
  const words = name
    .replaceAll(/IP(?=v[46])/g, 'ip')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1 $2')
    .replaceAll(/([A-Za-z])(\d)/g, '$1 $2')
    .split(/[^A-Za-z\d]+/)
    .filter(Boolean)
    .map((word) => word.toLowerCase());
  known.set(name, words);
  return words;
}

const singular = new Map<string, string>();

/** Words with the last one in the singular: `port aliases` → `port alias`. */
export function singularOf(words: readonly string[]): readonly string[] {
  const last = words.at(-1);
  if (last === undefined) return words;
  const known = singular.get(last) ?? singularWord(last);
  singular.set(last, known);
  return known === last ? words : [...words.slice(0, -1), known];
}

const singularWord = (word: string): string =>
  word
    .replace(/ies$/, 'y')
    .replace(
      /(?<=alias|status|virus|class|process|address|access|pass|bus|switch|match|patch|batch|branch|mesh|box|prefix|index)es$/,
      '',
    )
    .replace(/(?<=[^su])s$/, '');
