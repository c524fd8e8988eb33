/**
 * Where every generated value comes from: a hash of what the value is *for* (seed, platform, collection, key, field),
 * never of what was generated before. Adding a field or a resource therefore moves no other value.
 */

export type Part = string | number;

/** 53 bits of hash over the parts; the order and the borders of the parts count. */
export function hashOf(...parts: Part[]): number {
  let low = 0xdeadbeef;
  let high = 0x41c6ce57;
  for (const part of parts) {
    const text = typeof part === 'number' ? `#${part}` : part;
    for (let at = 0; at < text.length; at += 1) {
      const unit = text.charCodeAt(at);
      low = Math.imul(low ^ unit, 2654435761);
      high = Math.imul(high ^ unit, 1597334677);
    }
    low = Math.imul(low ^ 0x1f, 2246822519);
    high = Math.imul(high ^ 0x1f, 3266489917);
  }
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
  return 4294967296 * (2097151 & (high >>> 0)) + (low >>> 0);
}

const HEX = '0123456789abcdef';
const BASE64 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const BASE32 = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** A stream of draws that depends on its parts alone. */
export class Dice {
  #state: number;
  readonly parts: readonly Part[];

  constructor(...parts: Part[]) {
    this.parts = parts;
    this.#state = hashOf(...parts) >>> 0;
  }

  /** Uniform in [0, 1); splitmix32. */
  unit(): number {
    this.#state = (this.#state + 0x9e3779b9) | 0;
    let mixed = this.#state ^ (this.#state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 4294967296;
  }

  /** Whole number from least to most, both included. */
  int(least: number, most: number): number {
    return least + Math.floor(this.unit() * (most - least + 1));
  }

  chance(probability: number): boolean {
    return this.unit() < probability;
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)] as T;
  }

  hex(length: number): string {
    return this.#letters(HEX, length);
  }

  base32(length: number): string {
    return this.#letters(BASE32, length);
  }

  base64(length: number): string {
    return this.#letters(BASE64, length);
  }

  uuid(): string {
    return `${this.hex(8)}-${this.hex(4)}-4${this.hex(3)}-${this.pick(['8', '9', 'a', 'b'])}${this.hex(3)}-${this.hex(12)}`;
  }

  /** Locally administered, so it never names real equipment. */
  mac(): string {
    return `02:${Array.from({ length: 5 }, () => this.hex(2)).join(':')}`;
  }

  #letters(alphabet: string, length: number): string {
    let text = '';
    for (let at = 0; at < length; at += 1) text += alphabet[this.int(0, alphabet.length - 1)];
    return text;
  }
}
