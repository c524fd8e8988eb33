/** The path of a value in its object: names of fields, with the positions of entries between them. */
import { singularOf, wordsOf } from '../semantics/field-name-words.ts';
import type { Synthesis } from './synthesis-source.ts';

/** Whether a step of a path names a field; positions in lists are digits. */
export function isName(step: string): boolean {
  const first = step.charCodeAt(0);
  return first < 48 || first > 57 || Number.isNaN(Number(step));
}

/** Whether a path ends at an entry of a list. */
export const isEntry = (path: readonly string[]): boolean => path.length > 1 && !isName(path.at(-1) as string);

/** Position of the last named step before `end`, -1 where there is none. */
export function lastName(path: readonly string[], end: number): number {
  let at = end - 1;
  while (at >= 0 && !isName(path[at] as string)) at -= 1;
  return at;
}

/** The name of the field; a value that is drawn by itself has it at the end of its origin. */
export function nameOf(of: Synthesis, path: readonly string[]): string {
  const at = lastName(path, path.length);
  if (at >= 0) return path[at] as string;
  return String(of.origin.findLast((part) => typeof part === 'string' && isName(part)));
}

const NO_WORDS: readonly string[] = [];

const holders = new Map<string, readonly string[]>();

/** What the field is a part of: `server` for the last step of `servers`, `0`, `port`. */
export function holderOf(path: readonly string[]): readonly string[] {
  const at = lastName(path, lastName(path, path.length));
  if (at < 0) return NO_WORDS;
  const holder = path[at] as string;
  const known = holders.get(holder) ?? singularOf(wordsOf(holder));
  holders.set(holder, known);
  return known;
}
