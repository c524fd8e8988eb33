/** Names close to one that does not exist: shared words first, then edit distance. A word of many names says little. */

const MAX_LENGTH = 80;
/** More is no slip of the keyboard; and a caller who makes names up must not cost more than one who asks rightly. */
const MOST_SLIPS = 3;
const FAR = MOST_SLIPS + 1;
const CLOSE_ENOUGH = 0.5;

/** Each list of names is taken apart once. */
const known = new WeakMap<readonly string[], Names>();

export function suggest(
  wanted: string,
  names: readonly string[],
  admit: (name: string) => boolean,
  limit = 3,
): string[] {
  const target = wanted.slice(0, MAX_LENGTH).toLowerCase();
  const all = known.get(names) ?? new Names(names);
  known.set(names, all);
  const scores = all.byWords(target);
  for (const [name, slips] of all.bySlips(target)) {
    const score = 1 - slips / differingLetters(name, target);
    if (score >= CLOSE_ENOUGH) scores.set(name, Math.max(score, scores.get(name) ?? 0));
  }
  const best = [...scores].sort(([a, one], [b, other]) => other - one || (a < b ? -1 : 1));
  const found: string[] = [];
  for (const [name] of best) {
    if (found.length >= limit) break;
    if (admit(name)) found.push(name);
  }
  return found;
}

/** Names in their order, so that what is known of a beginning holds for all that begin so. */
class Names {
  readonly #names: readonly string[];
  /** How many letters each has in common with the one before it. */
  readonly #common: Uint16Array;
  /** Of all words of each name. */
  readonly #weight: Uint32Array;
  readonly #byWord = new Map<string, number[]>();
  /** Rows of the table of distances, one for each letter of the name at hand. */
  readonly #rows: Uint8Array[];

  constructor(names: readonly string[]) {
    this.#names = [...names].sort();
    this.#common = Uint16Array.from(this.#names, (name, at) => commonLetters(this.#names[at - 1] ?? '', name));
    for (const [at, name] of this.#names.entries())
      for (const word of wordsOf(name)) {
        const having = this.#byWord.get(word);
        if (having) having.push(at);
        else this.#byWord.set(word, [at]);
      }
    this.#weight = Uint32Array.from(this.#names, (name) => this.#weightOf(wordsOf(name)));
    const longest = this.#names.reduce((most, { length }) => Math.max(most, length), 0);
    this.#rows = Array.from({ length: longest + 1 }, () => new Uint8Array(MAX_LENGTH + FAR + 1));
  }

  #weightOf(words: Iterable<string>): number {
    let sum = 0;
    for (const word of words) sum += rarity(this.#byWord.get(word)?.length ?? 1, this.#names.length);
    return sum;
  }

  /** Names that share at least half of the weight of all words, with that share. */
  byWords(target: string): Map<string, number> {
    const words = wordsOf(target);
    const weight = this.#weightOf(words);
    const shared = new Uint32Array(this.#names.length);
    for (const word of words) {
      const own = this.#weightOf([word]);
      for (const at of this.#byWord.get(word) ?? []) shared[at] = (shared[at] as number) + own;
    }
    const close = new Map<string, number>();
    for (const [at, common] of shared.entries()) {
      const share = common / Math.max(1, (this.#weight[at] as number) + weight - common);
      if (common > 0 && share >= CLOSE_ENOUGH) close.set(this.#names[at] as string, share);
    }
    return close;
  }

  /** Names that a few slips of the keyboard lead to. A beginning that is too far off is left with all its names. */
  *bySlips(target: string): Generator<[name: string, slips: number]> {
    const rows = this.#rows;
    for (let column = 0; column < MAX_LENGTH + FAR + 1; column++)
      (rows[0] as Uint8Array)[column] = Math.min(column, FAR);
    let farAt = Number.POSITIVE_INFINITY;
    for (let at = 0; at < this.#names.length; at++) {
      const common = this.#common[at] as number;
      if (common >= farAt) continue;
      const name = this.#names[at] as string;
      farAt = Number.POSITIVE_INFINITY;
      for (let letter = common + 1; letter <= name.length && farAt > letter; letter++)
        if (fill(rows[letter] as Uint8Array, rows[letter - 1] as Uint8Array, letter, name, target)) farAt = letter;
      const slips = (rows[name.length] as Uint8Array)[target.length] as number;
      const near = Math.abs(name.length - target.length) <= MOST_SLIPS;
      if (farAt === Number.POSITIVE_INFINITY && near && slips <= MOST_SLIPS) yield [name, slips];
    }
  }
}

/** Only the band around the diagonal that a few slips can reach is filled in; says whether all of it is too far off. */
function fill(row: Uint8Array, above: Uint8Array, letter: number, name: string, target: string): boolean {
  const first = Math.max(1, letter - MOST_SLIPS);
  const last = Math.min(target.length, letter + MOST_SLIPS);
  row[first - 1] = first === 1 ? Math.min(letter, FAR) : FAR;
  let least = row[first - 1] as number;
  for (let column = first; column <= last; column++) {
    const change = (above[column - 1] as number) + (name[letter - 1] === target[column - 1] ? 0 : 1);
    const value = Math.min((above[column] as number) + 1, (row[column - 1] as number) + 1, change, FAR);
    row[column] = value;
    if (value < least) least = value;
  }
  row[last + 1] = FAR;
  return least >= FAR;
}

const wordsOf = (name: string): Set<string> => new Set(name.split(/[^a-z0-9]+/).filter((word) => word !== ''));

/** Whole numbers, so that no order of adding them changes a sum. */
const rarity = (having: number, all: number): number => Math.round(1_000 * Math.log2(1 + all / having));

/** Letters of the words that only one of them has, of the one that has more of them: what is alike anyway excuses no slip. */
function differingLetters(name: string, target: string): number {
  const [one, other] = [wordsOf(name), wordsOf(target)];
  const letters = (words: ReadonlySet<string>, besides: ReadonlySet<string>) =>
    [...words].reduce((sum, word) => sum + (besides.has(word) ? 0 : word.length), 0);
  return Math.max(1, letters(one, other), letters(other, one));
}

function commonLetters(a: string, b: string): number {
  let count = 0;
  while (count < a.length && count < b.length && a[count] === b[count]) count += 1;
  return count;
}
