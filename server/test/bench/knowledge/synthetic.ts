/**
 * Vectors with the distribution of those of texts: fields, topics within them, and passages around each topic. Each
 * vector follows from the seed and its number, so only the vectors that a search needs are kept.
 */
export interface SyntheticOptions {
  dimensions: number;
  seed: number;
  /** How much of a passage its field, its topic and itself make up; they are squares and add up to 1. */
  shares?: { field: number; topic: number; own: number };
}

const FIELDS = 40;
const TOPICS = 100;
/** Cosines: 0 between fields, 0.35 within a field, 0.7 within a topic. */
const LIKE_TEXT = { field: 0.35, topic: 0.35, own: 0.3 };
/** Of a question, the share that its passage does not explain. */
const ASIDE = 0.35;

export class Synthetic {
  readonly dimensions: number;
  readonly #seed: number;
  readonly #shares: { field: number; topic: number; own: number };
  readonly #vectors = new Map<number, Float32Array>();

  constructor({ dimensions, seed, shares = LIKE_TEXT }: SyntheticOptions) {
    this.dimensions = dimensions;
    this.#seed = seed;
    this.#shares = shares;
  }

  passage(number: number): Float32Array {
    const field = number % FIELDS;
    const topic = field * TOPICS + (Math.floor(number / FIELDS) % TOPICS);
    const { field: ofField, topic: ofTopic, own } = this.#shares;
    const [a, b, c] = [this.#shared(1, field), this.#shared(2, topic), this.#drawn(3, number)];
    const [x, y, z] = [Math.sqrt(ofField), Math.sqrt(ofTopic), Math.sqrt(own)];
    for (let at = 0; at < c.length; at++) c[at] = x * a[at]! + y * b[at]! + z * c[at]!;
    return lengthOne(c);
  }

  /** About one passage, as far from it as questions are. */
  question(passage: number): Float32Array {
    const about = this.passage(passage);
    const aside = lengthOne(this.#drawn(4, passage));
    for (let at = 0; at < about.length; at++)
      about[at] = Math.sqrt(1 - ASIDE) * about[at]! + Math.sqrt(ASIDE) * aside[at]!;
    return lengthOne(about);
  }

  #shared(kind: number, number: number): Float32Array {
    const key = kind * 1e6 + number;
    const kept = this.#vectors.get(key) ?? this.#drawn(kind, number);
    this.#vectors.set(key, kept);
    return kept;
  }

  /** Nearly normal: four bytes of one draw (xorshift32) added up. */
  #drawn(kind: number, number: number): Float32Array {
    let state = Math.imul(this.#seed * 31 + kind, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b);
    state ^= state >>> 15;
    state = Math.imul(state, 0x2c1b3c6d) || 1;
    const drawn = new Float32Array(this.dimensions);
    for (let at = 0; at < drawn.length; at++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      drawn[at] = (state & 255) + ((state >>> 8) & 255) + ((state >>> 16) & 255) + (state >>> 24) - 510;
    }
    return drawn;
  }
}

function lengthOne(values: Float32Array): Float32Array {
  let sum = 0;
  for (const value of values) sum += value * value;
  const length = Math.sqrt(sum);
  for (let at = 0; at < values.length; at++) values[at]! /= length;
  return values;
}
