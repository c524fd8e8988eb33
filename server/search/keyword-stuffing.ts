/** Detects keyword stuffing: texts that repeat likely search words instead of describing an operation. */
import { stem } from './stem.ts';
import { GENERIC_VERBS, isContent, isStop, words } from './tokens.ts';

const LEAST_WORDS = 10;
const FEWEST_SMALL = 0.15;
/** The number of occurrences of one word from which it counts as stuffing. */
export const OFTEN = 4;
const SHARE_OF_ONE = 0.15;

/** No sentence: hardly a small word among many, and one word again and again. */
export function heapsUp(text: string): boolean {
  const all = words(text);
  if (all.length < LEAST_WORDS) return false;
  const small = all.filter(isStop).length;
  const counts = new Map<string, number>();
  for (const word of all)
    if (isContent(word) && !GENERIC_VERBS.has(word)) counts.set(stem(word), (counts.get(stem(word)) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  return small < all.length * FEWEST_SMALL && most >= OFTEN && most >= all.length * SHARE_OF_ONE;
}
