/**
 * The embedder: turns texts into vectors that are near each other for texts of similar meaning. `undefined` stands for
 * no embedder.
 */

export interface Embedder {
  /** Part of the mark on what it made: vectors of two models say nothing to each other. */
  readonly model: string;
  /** One vector of length 1 a text, in their order; Unavailable without an answer, Refused for a text that it will not take. */
  embed: (texts: readonly string[], as: 'passage' | 'question') => Promise<Float32Array[]>;
}

/** A service that vectors need did not answer. The message names it. */
export class Unavailable extends Error {}

/** The request can never succeed, so a retry is pointless. */
export class Refused extends Error {}

/** Length 1, so that a product is a cosine; undefined for what is no vector. */
export function normal(values: readonly number[]): Float32Array | undefined {
  const length = Math.hypot(...values);
  return values.length > 0 && Number.isFinite(length) && length > 0
    ? Float32Array.from(values, (value) => value / length)
    : undefined;
}
