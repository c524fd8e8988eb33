/** JSON with sorted keys, so that equal content is equal text. */

export function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  const entries = Object.entries(value as Record<string, unknown>).filter(([, each]) => each !== undefined);
  entries.sort(([left], [right]) => (left < right ? -1 : left > right ? 1 : 0));
  return Object.fromEntries(entries.map(([key, each]) => [key, sorted(each)]));
}

/** Built as text at once: whole installations are compared by it, and copies in order would be as large as they are. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value) ?? 'null';
  const parts: string[] = [];
  const entries = value as Record<string, unknown>;
  for (const key of Object.keys(entries).sort()) {
    if (entries[key] !== undefined) parts.push(`${JSON.stringify(key)}:${canonical(entries[key])}`);
  }
  return `{${parts.join(',')}}`;
}
