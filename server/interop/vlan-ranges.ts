/** VLAN numbers and ranges, as `30`, `"30"` or `"20-22"`. */

export interface Vlans {
  /** In the order given, each once. */
  ids: readonly number[];
  /** Entries that are neither a number from 1 to 4094 nor a rising range of them. */
  unreadable: readonly unknown[];
}

export function vlansIn(entries: readonly unknown[]): Vlans {
  const read = entries.map((entry) => ({ entry, ids: idsOf(entry) }));
  return {
    ids: [...new Set(read.flatMap(({ ids }) => ids))],
    unreadable: read.filter(({ ids }) => ids.length === 0).map(({ entry }) => entry),
  };
}

function idsOf(entry: unknown): number[] {
  const [, from, to = from] = /^\s*(\d{1,4})(?:\s*-\s*(\d{1,4}))?\s*$/.exec(String(entry)) ?? [];
  const [first, last] = [Number(from), Number(to)];
  return first >= 1 && last <= 4094 ? Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i) : [];
}

/** The entries that could not be read, as a warning shows them. */
export const shownVlans = (entries: readonly unknown[]): string =>
  `${(JSON.stringify(entries) ?? '').slice(0, 100)} is no number from 1 to 4094 and no rising range of them`;
