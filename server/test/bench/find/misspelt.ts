/** What one misspelt word costs: each question again with one slip of the pen in one of its words. */
import { isContent } from '../../../search/tokens.ts';
import { Random } from '../robust/random.ts';
import { type Query, rightNames } from './question-set.ts';
import type { Search } from './search-engine.ts';
import type { Toolbox } from './tool-corpus.ts';

export interface Misspelt {
  asked: number;
  /** Questions with a right tool among the first five, as they are and with the slip. */
  asWritten: number;
  withSlip: number;
}

const LETTERS = 'abcdefghijklmnopqrstuvwxyz';
const SEED = 20_261_127;
const DEPTH = 5;

export async function misspeltOf({ tools }: Toolbox, queries: readonly Query[], search: Search): Promise<Misspelt> {
  const random = new Random(SEED);
  const found = { asked: queries.length, asWritten: 0, withSlip: 0 };
  for (const query of queries) {
    const right = new Set(rightNames(query));
    const isFound = async (text: string) =>
      (await search(text, DEPTH)).ids.some((id) => right.has(tools[id]?.tool.name ?? ''));
    if (await isFound(query.text)) found.asWritten++;
    if (await isFound(misspelt(query.text, random))) found.withSlip++;
  }
  return found;
}

/** One slip behind the first letter of one content word of five letters or more; the same text where there is none. */
export function misspelt(text: string, random: Random): string {
  const words = [...text.matchAll(/(?<![\w-])[A-Za-z]{5,}(?![\w-])/g)].filter(([word]) =>
    isContent(word.toLowerCase()),
  );
  if (words.length === 0) return text;
  const { 0: word, index } = random.of(words);
  return text.slice(0, index) + withSlip(word, random) + text.slice(index + word.length);
}

function withSlip(word: string, random: Random): string {
  const at = 1 + random.below(word.length - 2);
  const [before, letter, after] = [word.slice(0, at), word[at] as string, word.slice(at + 1)];
  const another = random.of([...LETTERS].filter((one) => one !== letter));
  return random.of([
    before + after,
    before + another + letter + after,
    before + another + after,
    before + after[0] + letter + after.slice(1),
  ]);
}
