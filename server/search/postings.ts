/** For every term the tools it occurs in, with one weight that holds field importance and length normalisation. */
import { FIELDS, type Field, type FieldTerms } from './indexed-text.ts';
import { WEIGHTS } from './weights.ts';

export const IN_NAME = 1;
export const IN_NOUN = 2;
/** It stands there as a word, not only as two neighbours. */
export const AS_WORD = 8;
/** It stands elsewhere than in details. */
export const STATED = 16;

/** Per term the tools it occurs in. */
export interface Postings {
  /** Where the tools of each term start; one more entry than terms. */
  start: Uint32Array;
  doc: Uint32Array;
  weight: Float32Array;
  mask: Uint8Array;
}

const MASKS: Partial<Record<Field, number>> = { name: IN_NAME, noun: IN_NOUN };

/** Tools numbered from 0, in the order given. */
export function post(fields: FieldTerms, terms: number, average: Float32Array): Postings {
  const start = startsOf(fields, terms);
  const total = start[terms] as number;
  const doc = new Uint32Array(total);
  const weight = new Float32Array(total);
  const mask = new Uint8Array(total);
  const next = start.slice();
  const add = (terms: readonly number[], id: number, gain: number, marks: number) => {
    for (const term of terms) {
      let at = (next[term] as number) - 1;
      if (at < (start[term] as number) || doc[at] !== id) {
        at++;
        next[term] = at + 1;
        doc[at] = id;
      }
      weight[at] = (weight[at] as number) + gain;
      mask[at] = (mask[at] as number) | marks;
    }
  };
  const posted = FIELDS.map(postedAs);
  fields.forEach((own, id) => {
    own.forEach(({ words, pairs }, f) => {
      const { weight: of, b, stated, marks } = posted[f] as Posted;
      const gain = of / (1 - b + (b * words.length) / (average[f] || 1));
      add(words, id, gain, marks | AS_WORD | stated);
      add(pairs, id, gain, stated);
    });
  });
  for (let at = 0; at < total; at++) weight[at] = saturated(weight[at] as number, WEIGHTS.k1);
  return { start, doc, weight, mask };
}

/** What so much of a term counts: the second time less than the first, and never more than `k1` + 1 times that. */
export const saturated = (weight: number, k1: number, length = 1) => (weight * (k1 + 1)) / (weight + k1 * length);

interface Posted {
  weight: number;
  b: number;
  marks: number;
  stated: number;
}

const postedAs = (field: Field): Posted => ({
  ...WEIGHTS.field[field],
  marks: MASKS[field] ?? 0,
  stated: field === 'details' ? 0 : STATED,
});

/** Both, term by term; the tools of the second are numbered from `from`. */
export function joinPostings(a: Postings, b: Postings, from: number, terms: number): Postings {
  const total = a.doc.length + b.doc.length;
  const start = new Uint32Array(terms + 1);
  const doc = new Uint32Array(total);
  const weight = new Float32Array(total);
  const mask = new Uint8Array(total);
  let at = 0;
  for (let term = 0; term < terms; term++) {
    for (const [part, by] of [[a, 0] as const, [b, from] as const]) {
      const end = part.start[term + 1] ?? 0;
      for (let i = part.start[term] ?? end; i < end; i++, at++) {
        doc[at] = (part.doc[i] as number) + by;
        weight[at] = part.weight[i] as number;
        mask[at] = part.mask[i] as number;
      }
    }
    start[term + 1] = at;
  }
  return { start, doc, weight, mask };
}

/** How many tools use each term, where one that uses it in details only counts less. */
export function spreadOf({ start, mask }: Postings): Float32Array {
  const spread = new Float32Array(start.length - 1);
  for (let term = 0; term < spread.length; term++)
    for (let at = start[term] as number; at < (start[term + 1] as number); at++)
      spread[term] = (spread[term] as number) + ((mask[at] as number) & STATED ? 1 : WEIGHTS.asDetail);
  return spread;
}

/** How much the words of each name tell among so many tools, together. */
export function nameMassOf({ start, doc, mask }: Postings, spread: Float32Array, size: number): Float32Array {
  const mass = new Float32Array(size);
  for (let term = 0; term + 1 < start.length; term++) {
    const from = start[term] as number;
    const to = start[term + 1] as number;
    const tells = idf(size, spread[term] as number);
    for (let at = from; at < to; at++) {
      const id = doc[at] as number;
      if ((mask[at] as number) & IN_NAME) mass[id] = (mass[id] as number) + tells;
    }
  }
  return mass;
}

/** Where the tools of each term will stand: every term counted once per tool. */
function startsOf(fields: FieldTerms, terms: number): Uint32Array<ArrayBuffer> {
  const start = new Uint32Array(terms + 1);
  const seen = new Uint32Array(terms);
  fields.forEach((own, tool) => {
    for (const list of own.flatMap(({ words, pairs }) => [words, pairs]))
      for (const term of list) {
        if (seen[term] === tool + 1) continue;
        seen[term] = tool + 1;
        start[term + 1] = (start[term + 1] as number) + 1;
      }
  });
  for (let term = 0; term < terms; term++) start[term + 1] = (start[term + 1] as number) + (start[term] as number);
  return start;
}

/** In the order of `FIELDS`. */
export function averageLengths(fields: FieldTerms): Float32Array {
  return Float32Array.from(FIELDS, (_, f) => {
    const total = fields.reduce((sum, own) => sum + (own[f]?.words.length ?? 0), 0);
    return total / Math.max(1, fields.length);
  });
}

/** A field that nothing shipped has is judged by what was added first. */
export const orElse = (lengths: Float32Array, others: Float32Array) =>
  lengths.map((length, i) => length || (others[i] as number));

/** How much a term tells that occurs in `df` of `size` tools. */
export const idf = (size: number, df: number) => Math.log(1 + (size - df + 0.5) / (df + 0.5));
