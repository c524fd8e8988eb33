/** Texts to compare with as people type them: `lobby*` is a prefix, `*lobby*` a part, everything else the whole. */
export function matchesWildcard(value: unknown, wanted: string): boolean {
  if (Array.isArray(value)) return value.some((entry) => matchesWildcard(entry, wanted));
  if (value === null || value === undefined) return false;
  const text = String(value).toLowerCase();
  const asked = wanted.toLowerCase();
  if (asked.length > 1 && asked.startsWith('*') && asked.endsWith('*')) return text.includes(asked.slice(1, -1));
  if (asked.endsWith('*')) return text.startsWith(asked.slice(0, -1));
  if (asked.startsWith('*')) return text.endsWith(asked.slice(1));
  return text === asked;
}
