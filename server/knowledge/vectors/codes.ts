/**
 * The signs of vectors, one bit a dimension: near vectors have few bits that differ. Counting those over all codes is quick
 * enough for one process, and what is left is compared exactly.
 */

const LANE = 8;

/** 32-bit words of a code, a multiple of eight so that the count needs no remainder. */
const wordsFor = (dimensions: number): number => Math.ceil(dimensions / (32 * LANE)) * LANE;

/** A code as bytes, for keeping. */
export function codeOf(vector: Float32Array): Uint8Array {
  const words = new Uint32Array(wordsFor(vector.length));
  for (const [at, value] of vector.entries()) if (value > 0) words[at >>> 5]! |= 1 << (at & 31);
  return new Uint8Array(words.buffer);
}

/** Further away than any code can be. */
const LEFT_OUT = 0xffff;

export interface CodesOptions {
  /** Codes of one length, one after another. */
  codes: Uint32Array;
  /** 32-bit words of each. */
  words: number;
  /** The group of each, by its place. */
  groups: Uint32Array;
}

export class Codes {
  readonly #words: number;
  readonly #codes: Uint32Array;
  readonly #groups: Uint32Array;
  readonly #distances: Uint16Array;

  constructor({ codes, words, groups }: CodesOptions) {
    this.#words = words;
    this.#codes = codes;
    this.#groups = groups;
    this.#distances = new Uint16Array(words === 0 ? 0 : codes.length / words);
  }

  get size(): number {
    return this.#distances.length;
  }

  /** Places of the `most` nearest codes of the groups that are wanted (1, not 0), in no order. */
  nearest(code: Uint8Array, most: number, wanted: Uint8Array): number[] {
    const query = new Uint32Array(code.buffer, code.byteOffset, code.byteLength / 4);
    if (query.length !== this.#words) return [];
    const distances = this.#distances;
    const counts = this.#measure(query, wanted);
    let [limit, room] = [0, most];
    while (limit < counts.length && room > counts[limit]!) room -= counts[limit++]!;
    const found: number[] = [];
    for (let place = 0; place < distances.length; place++) {
      const distance = distances[place]!;
      if (distance > limit || distance === LEFT_OUT) continue;
      // Of those at the limit only as many as there is room for.
      if (distance === limit && room-- <= 0) continue;
      found.push(place);
    }
    return found;
  }

  /** Bits that differ, by carry-save adders: eight words are added up before anything is counted. How many have each distance. */
  #measure(query: Uint32Array, wanted: Uint8Array): Uint32Array {
    const [words, codes, groups, distances] = [this.#words, this.#codes, this.#groups, this.#distances];
    const counts = new Uint32Array(words * 32 + 1);
    for (let place = 0, at = 0; place < distances.length; place++) {
      if (wanted[groups[place]!] !== 1) {
        distances[place] = LEFT_OUT;
        at += words;
        continue;
      }
      let distance = 0;
      for (let word = 0; word < words; word += LANE, at += LANE) {
        const a = codes[at]! ^ query[word]!;
        const b = codes[at + 1]! ^ query[word + 1]!;
        const c = codes[at + 2]! ^ query[word + 2]!;
        const d = codes[at + 3]! ^ query[word + 3]!;
        const e = codes[at + 4]! ^ query[word + 4]!;
        const f = codes[at + 5]! ^ query[word + 5]!;
        const g = codes[at + 6]! ^ query[word + 6]!;
        const h = codes[at + 7]! ^ query[word + 7]!;
        const abc = a ^ b ^ c;
        const def = d ^ e ^ f;
        const twoA = (a & b) | ((a ^ b) & c);
        const twoB = (d & e) | ((d ^ e) & f);
        const ones = abc ^ def ^ g;
        const twoC = (abc & def) | ((abc ^ def) & g);
        const twos = twoA ^ twoB ^ twoC;
        const fours = (twoA & twoB) | ((twoA ^ twoB) & twoC);
        distance += bits(ones) + bits(h) + 2 * bits(twos) + 4 * bits(fours);
      }
      distances[place] = distance;
      counts[distance]! += 1;
    }
    return counts;
  }
}

function bits(word: number): number {
  const pairs = (word - ((word >>> 1) & 0x55555555)) | 0;
  const nibbles = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((nibbles + (nibbles >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
