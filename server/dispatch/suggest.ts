/** Names close to one that does not exist: shared words first, then edit distance. */

const MAX_LENGTH = 80;

export function suggest(
  wanted: string,
  names: Iterable<string>,
  admit: (name: string) => boolean,
  limit = 3,
): string[] {
  const target = wanted.slice(0, MAX_LENGTH).toLowerCase();
  const words = new Set(target.split(/[^a-z0-9]+/).filter((word) => word !== ''));
  const scored: { name: string; score: number }[] = [];
  for (const name of names) {
    const own = name.split('_');
    const shared = own.filter((word) => words.has(word)).length;
    const overlap = shared / Math.max(1, own.length + words.size - shared);
    // Distance is only worth its cost for names that could be a slip of the keyboard.
    const close =
      Math.abs(name.length - target.length) <= 4
        ? 1 - distance(name, target) / Math.max(name.length, target.length)
        : 0;
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

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min((row[j] as number) + 1, (next[j - 1] as number) + 1, change));
    }
    row = next;
  }
  return row[b.length] as number;
}
