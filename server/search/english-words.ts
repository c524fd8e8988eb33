/**
 * The 32,000 most frequent English words from four letters on, as sorted hashes (4 bytes a word), by which a word that no document
 * has is told from a slip. How the file is made: `server/test/bench/find/training/README.md`.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hash } from './term-table.ts';

const FILE = join(import.meta.dirname, 'english-words.bin');

let loaded: Uint32Array | undefined;

export function isEnglish(word: string): boolean {
  loaded ??= new Uint32Array(new Uint8Array(readFileSync(FILE)).buffer);
  const wanted = hash(word);
  let [low, high] = [0, loaded.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((loaded[middle] as number) < wanted) low = middle + 1;
    else high = middle;
  }
  return loaded[low] === wanted;
}
