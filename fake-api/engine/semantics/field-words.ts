/** The words of a field's name: `radiusServerName`, `radius-server-name` and `RADIUS_server_name` give the same three. */

const known = new Map<string, readonly string[]>();

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
