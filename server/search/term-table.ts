/**
 * A dictionary as flat arrays: the letters of all terms one after the other, and an open hash table over them. It has
 * the same layout on disk and in memory, so opening it needs no parsing and no string per term.
 */
export interface TermTable {
  letters: Uint16Array;
  /** Where each term's letters start; one more entry than terms. */
  offset: Uint32Array;
  /** Term number + 1 per slot, 0 for an empty one; a power of two of slots. */
  slots: Uint32Array;
}

export const NO_TERM = -1;

export function termTable(terms: readonly string[]): TermTable {
  const offset = new Uint32Array(terms.length + 1);
  let total = 0;
  terms.forEach((term, t) => {
    total += term.length;
    offset[t + 1] = total;
  });
  const letters = new Uint16Array(total);
  let size = 8;
  while (size < terms.length * 2) size *= 2;
  const slots = new Uint32Array(size);
  terms.forEach((term, t) => {
    const from = offset[t] as number;
    for (let i = 0; i < term.length; i++) letters[from + i] = term.charCodeAt(i);
    let slot = hash(term) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = t + 1;
  });
  return { letters, offset, slots };
}

export function findTerm({ letters, offset, slots }: TermTable, term: string): number {
  const last = slots.length - 1;
  for (let slot = hash(term) & last; slots[slot] !== 0; slot = (slot + 1) & last) {
    const t = (slots[slot] as number) - 1;
    const from = offset[t] as number;
    if ((offset[t + 1] as number) - from !== term.length) continue;
    let i = 0;
    while (i < term.length && letters[from + i] === term.charCodeAt(i)) i++;
    if (i === term.length) return t;
  }
  return NO_TERM;
}

/** All terms, in the order of their numbers. */
export const termsOf = (table: TermTable): string[] =>
  Array.from({ length: table.offset.length - 1 }, (_, number) => termAt(table, number));

export function termAt({ letters, offset }: TermTable, t: number): string {
  return String.fromCharCode(...letters.subarray(offset[t], offset[t + 1]));
}

/** FNV-1a over the letters. */
export function hash(term: string): number {
  let value = 0x811c9dc5;
  for (let i = 0; i < term.length; i++) value = Math.imul(value ^ term.charCodeAt(i), 0x01000193);
  return (value ^ (value >>> 15)) >>> 0;
}
