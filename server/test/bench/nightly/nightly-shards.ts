/** Distributes jobs over machines: the longest first, each to the machine with the fewest minutes. */

interface Lasting {
  id: string;
  minutes: number;
}

/** The `index`th of `count` shares, from 1; the same on every machine. */
export function shardOf<T extends Lasting>(jobs: readonly T[], index: number, count: number): T[] {
  const shares = Array.from({ length: count }, () => ({ minutes: 0, ids: new Set<string>() }));
  for (const { id, minutes } of jobs.toSorted((a, b) => b.minutes - a.minutes || (a.id < b.id ? -1 : 1))) {
    const least = shares.reduce((best, share) => (share.minutes < best.minutes ? share : best));
    least.minutes += minutes;
    least.ids.add(id);
  }
  return jobs.filter(({ id }) => shares[index - 1]?.ids.has(id));
}

/** `2/5` → [2, 5]; throws for anything else. */
export function parseShard(text: string): [index: number, count: number] {
  const [, index, count] = /^(\d+)\/(\d+)$/.exec(text) ?? [];
  if (index === undefined || !(Number(index) >= 1 && Number(index) <= Number(count)))
    throw new Error(`--shard should be i/n with 1 ≤ i ≤ n, got "${text}"`);
  return [Number(index), Number(count)];
}
