/** `field asc, field desc`: order of a list, key order breaking ties, absent values last. */
export interface SortKey {
  field: string;
  descending: boolean;
}

export type ParsedSort = { ok: true; keys: SortKey[] } | { ok: false; problem: string };

export function parseSort(text: string, fields: readonly string[]): ParsedSort {
  const keys: SortKey[] = [];
  for (const part of text.split(',')) {
    const match = /^\s*([+-]?)([A-Za-z_][\w.-]*)(?:\s+(asc|desc))?\s*$/i.exec(part);
    if (match === null) return { ok: false, problem: `expected "field asc" or "field desc", got "${part.trim()}"` };
    const field = match[2] as string;
    if (!fields.includes(field)) {
      return { ok: false, problem: `expected a field of ${fields.join(', ') || 'none'}, got "${field}"` };
    }
    keys.push({ field, descending: match[1] === '-' || match[3]?.toLowerCase() === 'desc' });
  }
  return { ok: true, keys };
}

/** `-field`, `+field` or `field`, separated by commas. */
export function parseSignedSort(text: string, fields: readonly string[]): ParsedSort {
  const words = text.split(',').find((part) => !/^\s*[+-]?[A-Za-z_][\w.-]*\s*$/.test(part));
  if (words !== undefined) return { ok: false, problem: `expected "field" or "-field", got "${words.trim()}"` };
  return parseSort(text, fields);
}

export function sorted<T>(
  rows: readonly T[],
  keys: readonly SortKey[],
  value: (row: T, field: string) => unknown,
): T[] {
  return rows.toSorted((left, right) => {
    for (const key of keys) {
      const order = compare(value(left, key.field), value(right, key.field));
      if (order !== 0) return key.descending && order !== ABSENT && order !== -ABSENT ? -order : Math.sign(order);
    }
    return 0;
  });
}

/** Marks an order that comes from an absent value, which stays last in both directions. */
const ABSENT = 2;

function compare(left: unknown, right: unknown): number {
  const leftAbsent = left === undefined || left === null;
  const rightAbsent = right === undefined || right === null;
  if (leftAbsent || rightAbsent) return leftAbsent === rightAbsent ? 0 : leftAbsent ? ABSENT : -ABSENT;
  if (typeof left === 'number' && typeof right === 'number') return Math.sign(left - right);
  const [a, b] = [String(left), String(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}
