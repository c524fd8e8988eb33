/** Names close to one that does not exist: shared words first, then edit distance. */

const MAX_LENGTH = 80;
/** More is no slip of the keyboard; and a caller who makes names up must not cost more than one who asks rightly. */
const MOST_SLIPS = 3;

/** The words of each name, taken apart once per list. */
const taken = new WeakMap<readonly string[], readonly (readonly string[])[]>();

export function suggest(
  wanted: string,
  names: readonly string[],
  admit: (name: string) => boolean,
  limit = 3,
): string[] {
  const target = wanted.slice(0, MAX_LENGTH).toLowerCase();
  const words = new Set(target.split(/[^a-z0-9]+/).filter((word) => word !== ''));
  const scored: { name: string; score: number }[] = [];
  const wordsOf = taken.get(names) ?? names.map((name) => name.split('_'));
  taken.set(names, wordsOf);
  for (const [at, name] of names.entries()) {
    const own = wordsOf[at] as readonly string[];
    const shared = own.filter((word) => words.has(word)).length;
    const overlap = shared / Math.max(1, own.length + words.size - shared);
    const slips = slipsBetween(name, target);
    const close = slips === undefined ? 0 : 1 - slips / Math.max(name.length, target.length);
    const score = Math.max(overlap, close);
    if (score >= 0.5) scored.push({ name, score });
  }
  const best = scored.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1));
  const found: string[] = [];
  for (const { name } of best) {
    if (found.length >= limit) break;
    if (admit(name)) found.push(name);
  }
  return found;
}

/** Edit distance as long as it is small: only the diagonal band that a few slips can reach is filled in. */
function slipsBetween(a: string, b: string): number | undefined {
  if (Math.abs(a.length - b.length) > MOST_SLIPS) return undefined;
  const far = MOST_SLIPS + 1;
  let row = Array.from({ length: b.length + 1 }, (_, j) => Math.min(j, far));
  for (let i = 1; i <= a.length; i++) {
    const next = new Array<number>(b.length + 1).fill(far);
    if (i <= MOST_SLIPS) next[0] = i;
    let least = next[0] as number;
    for (let j = Math.max(1, i - MOST_SLIPS); j <= Math.min(b.length, i + MOST_SLIPS); j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next[j] = Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, change, far);
      least = Math.min(least, next[j] as number);
    }
    if (least >= far) return undefined;
    row = next;
  }
  const slips = row[b.length] as number;
  return slips > MOST_SLIPS ? undefined : slips;
}
