/** Tools that a question tells apart by their words only: of one kind, capability, platform and form they are one class. */
import { CAPABILITIES } from '../access/access-policy.ts';
import type { SearchIndex } from './inverted-index.ts';
import { VERBS } from './operation-kind.ts';

const FLAGS = 256;

/** For each tool the number of its class, from 0; and how many there are. */
export function classesOf({ size, platform, capability, verb, flags }: SearchIndex): {
  of: Uint32Array;
  count: number;
} {
  const numbers = new Map<number, number>();
  const of = new Uint32Array(size);
  for (let tool = 0; tool < size; tool++) {
    const kind = (platform[tool] as number) * VERBS.length + (verb[tool] as number);
    const key = (kind * CAPABILITIES.length + (capability[tool] as number)) * FLAGS + (flags[tool] as number);
    let number = numbers.get(key);
    if (number === undefined) {
      number = numbers.size;
      numbers.set(key, number);
    }
    of[tool] = number;
  }
  return { of, count: numbers.size };
}
