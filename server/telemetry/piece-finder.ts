/**
 * Finds every part of many texts within another, in one pass. A few characters at a stride say where a part may stand;
 * only there the texts are compared. An answer of 20 KB takes some tens of microseconds however many texts there are.
 */
import type { Spelling } from './spellings.ts';

const GOLDEN = 0x9e3779b1;
const NONE = -1;

/**
 * Characters that say where a part may stand, by the length of the shortest part. Long spellings are mostly escape signs
 * (`\u00`), which stand everywhere in an escaped answer: only with the letters of several bytes do they tell parts apart.
 */
const gramOf = (least: number): number => (least < 24 ? 4 : least < 48 ? 12 : 24);

export class PieceFinder {
  /** Characters of the shortest part that counts. */
  readonly shortest: number;
  readonly #indexes: readonly GramIndex[];

  constructor(spellings: readonly Spelling[]) {
    this.shortest = leastOf(spellings);
    this.#indexes = [...Map.groupBy(spellings, ({ least }) => gramOf(least))].map(
      ([gram, own]) => new GramIndex(own, gram),
    );
  }

  /** Ranges of the text that must not be shown: in order, apart from each other. */
  find(text: string): [from: number, until: number][] {
    const found: [number, number][] = [];
    for (const index of this.#indexes) index.find(text, found);
    return merged(found);
  }
}

const leastOf = (spellings: readonly Spelling[]): number =>
  spellings.reduce((least, spelling) => Math.min(least, spelling.least), Number.POSITIVE_INFINITY);

/** Spellings whose parts are found by grams of one length. */
class GramIndex {
  readonly #spellings: readonly Spelling[];
  readonly #gram: number;
  /** Any part that counts holds a gram that starts at a multiple of this. */
  readonly #stride: number;
  readonly #shift: number;
  /** Hash table in flat arrays: first entry by hash, then from entry to entry. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #keys: Int32Array;
  readonly #owner: Int32Array;
  readonly #position: Int32Array;

  constructor(spellings: readonly Spelling[], gram: number) {
    this.#spellings = spellings;
    this.#gram = gram;
    const grams = spellings.reduce((sum, { text }) => sum + Math.max(0, text.length - gram + 1), 0);
    const bits = Math.max(12, Math.ceil(Math.log2(grams + 1)) + 2);
    this.#stride = Math.max(1, leastOf(spellings) - gram + 1);
    this.#shift = 32 - bits;
    this.#first = new Int32Array(1 << bits).fill(NONE);
    this.#next = new Int32Array(grams);
    this.#keys = new Int32Array(grams);
    this.#owner = new Int32Array(grams);
    this.#position = new Int32Array(grams);
    let entry = 0;
    for (const [owner, { text }] of spellings.entries()) {
      for (let at = 0; at + gram <= text.length; at++, entry++) {
        const key = keyAt(text, at, gram);
        const slot = Math.imul(key, GOLDEN) >>> this.#shift;
        this.#keys[entry] = key;
        this.#owner[entry] = owner;
        this.#position[entry] = at;
        this.#next[entry] = this.#first[slot] as number;
        this.#first[slot] = entry;
      }
    }
  }

  find(text: string, found: [number, number][]): void {
    const last = text.length - this.#gram;
    for (let at = 0; at <= last; at += this.#stride) {
      const key = keyAt(text, at, this.#gram);
      let entry = this.#first[Math.imul(key, GOLDEN) >>> this.#shift] as number;
      for (; entry !== NONE; entry = this.#next[entry] as number) {
        if (this.#keys[entry] !== key) continue;
        const range = this.#partAt(text, at, entry);
        if (range !== undefined) found.push(range);
      }
    }
  }

  /** The longest part of this entry's text around a place, if it is long enough to matter. */
  #partAt(text: string, at: number, entry: number): [number, number] | undefined {
    const spelling = this.#spellings[this.#owner[entry] as number] as Spelling;
    const position = this.#position[entry] as number;
    const own = spelling.text;
    let back = 0;
    while (position > back && at > back && own[position - back - 1] === text[at - back - 1]) back++;
    let ahead = 0;
    while (position + ahead < own.length && at + ahead < text.length && own[position + ahead] === text[at + ahead])
      ahead++;
    const length = back + ahead;
    if (length < spelling.least) return undefined;
    const whole = length === own.length;
    if (!whole && spelling.mixedOnly && !isMixed(text.slice(at - back, at + ahead))) return undefined;
    return [at - back, at + ahead];
  }
}

/** Equal for equal grams; others are told apart by comparing the texts. */
function keyAt(text: string, at: number, gram: number): number {
  let key = 0;
  for (let next = at; next < at + gram; next++) key = (Math.imul(key, 257) + text.charCodeAt(next)) | 0;
  return key;
}

/** A word may begin with a capital. */
function isMixed(text: string): boolean {
  if (/^[A-Z]?[a-z]+$/.test(text)) return false;
  return (/[a-z]/.test(text) ? 1 : 0) + (/[A-Z]/.test(text) ? 1 : 0) + (/\d/.test(text) ? 1 : 0) >= 2;
}

function merged(ranges: [number, number][]): [number, number][] {
  if (ranges.length < 2) return ranges;
  ranges.sort((a, b) => a[0] - b[0]);
  const whole: [number, number][] = [];
  for (const range of ranges) {
    const before = whole.at(-1);
    if (before !== undefined && range[0] <= before[1]) before[1] = Math.max(before[1], range[1]);
    else whole.push(range);
  }
  return whole;
}
