/**
 * Pairs of word sets that overlap by at least a share (Jaccard), without comparing every set with every other: two sets
 * that are alike must share one of their rarest words, so only sets that do are compared.
 */
export interface NearPair {
  readonly left: number;
  readonly right: number;
  readonly overlap: number;
}

export function nearPairs(sets: readonly ReadonlySet<string>[], least: number): NearPair[] {
  const rarity = raritiesOf(sets);
  const bySize = sets.map((_, at) => at).sort((left, right) => sets[left]!.size - sets[right]!.size || left - right);
  const holders = new Map<string, number[]>();
  const pairs: NearPair[] = [];
  for (const at of bySize) {
    const words = [...sets[at]!].sort((one, two) => rarity.get(one)! - rarity.get(two)!);
    const telling = words.slice(0, words.length - Math.ceil(least * words.length) + 1);
    const candidates = new Set(telling.flatMap((word) => holders.get(word) ?? []));
    for (const other of candidates) {
      if (sets[other]!.size < least * words.length) continue;
      const overlap = jaccard(sets[at]!, sets[other]!);
      if (overlap >= least) pairs.push({ left: Math.min(at, other), right: Math.max(at, other), overlap });
    }
    for (const word of telling) {
      const known = holders.get(word);
      if (known) known.push(at);
      else holders.set(word, [at]);
    }
  }
  return pairs.sort((one, two) => one.left - two.left || one.right - two.right);
}

/** Rank of each word: the rarest first, words of one frequency in the order in which they were met. */
function raritiesOf(sets: readonly ReadonlySet<string>[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const set of sets) for (const word of set) counts.set(word, (counts.get(word) ?? 0) + 1);
  const ranked = [...counts].sort(([, one], [, two]) => one - two);
  return new Map(ranked.map(([word], rank) => [word, rank]));
}

export function jaccard(left: ReadonlySet<string>, right: ReadonlySet<string>): number {
  const [few, many] = left.size < right.size ? [left, right] : [right, left];
  let common = 0;
  for (const word of few) if (many.has(word)) common += 1;
  const all = left.size + right.size - common;
  return all === 0 ? 0 : common / all;
}
