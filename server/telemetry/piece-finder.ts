/**
 * Finds every part of many texts within another, in one pass. Four characters at a stride say where a part may stand;
 * only there the texts are compared. An answer of 20 KB takes some tens of microseconds however many texts there are.
 */
import type { Spelling } from './spellings.ts';

const GRAM = 4;
const GOLDEN = 0x9e3779b1;
const NONE = -1;

export class PieceFinder {
  /** Characters of the shortest part that counts. */
  readonly shortest: number;
  readonly #spellings: readonly Spelling[];
  /** Any part that counts holds a gram that starts at a multiple of this. */
  readonly #stride: number;
  readonly #shift: number;
  /** Hash table in flat arrays: first entry by hash, then from entry to entry. */
  readonly #first: Int32Array;
  readonly #next: Int32Array;
  readonly #keys: Int32Array;
  readonly #owner: Int32Array;
  readonly #position: Int32Array;

  constructor(spellings: readonly Spelling[]) {
    this.#spellings = spellings;
    const grams = spellings.reduce((sum, { text }) => sum + Math.max(0, text.length - GRAM + 1), 0);
    const bits = Math.max(12, Math.ceil(Math.log2(grams + 1)) + 2);
    this.shortest = spellings.reduce((least, spelling) => Math.min(least, spelling.least), Number.POSITIVE_INFINITY);
    this.#stride = Math.max(1, this.shortest - GRAM + 1);
    this.#shift = 32 - bits;
    this.#first = new Int32Array(1 << bits).fill(NONE);
    this.#next = new Int32Array(grams);
    this.#keys = new Int32Array(grams);
    this.#owner = new Int32Array(grams);
    this.#position = new Int32Array(grams);
    let entry = 0;
    for (const [owner, { text }] of spellings.entries()) {
      for (let at = 0; at + GRAM <= text.length; at++, entry++) {
        const key = keyAt(text, at);
        const slot = Math.imul(key, GOLDEN) >>> this.#shift;
        this.#keys[entry] = key;
        this.#owner[entry] = owner;
        this.#position[entry] = at;
        this.#next[entry] = this.#first[slot] as number;
        this.#first[slot] = entry;
      }
    }
  }

  /** Ranges of the text that must not be shown: in order, apart from each other. */
  find(text: string): [from: number, until: number][] {
    const found: [number, number][] = [];
    const last = text.length - GRAM;
    for (let at = 0; at <= last; at += this.#stride) {
      const key = keyAt(text, at);
      let entry = this.#first[Math.imul(key, GOLDEN) >>> this.#shift] as number;
      for (; entry !== NONE; entry = this.#next[entry] as number) {
        if (this.#keys[entry] !== key) continue;
        const range = this.#partAt(text, at, entry);
        if (range !== undefined) found.push(range);
      }
    }
    return merged(found);
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

function keyAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) & 0xff) |
    ((text.charCodeAt(at + 1) & 0xff) << 8) |
    ((text.charCodeAt(at + 2) & 0xff) << 16) |
    ((text.charCodeAt(at + 3) & 0xff) << 24)
  );
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
