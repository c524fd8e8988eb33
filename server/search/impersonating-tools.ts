/** Tools that pose: as another platform's, by the first word of their name or the words its first sentences name it with; or as whatever is asked for, by words heaped up. */
import type { Tool } from '../catalog/tool.ts';
import { type Analysed, FLAG_POSES } from './analysed-tool.ts';
import { type FieldTerms, fieldOf, ownName } from './indexed-text.ts';
import { heapsUp, OFTEN } from './keyword-stuffing.ts';
import { words } from './tokens.ts';

/** Neighbouring words, as the number of their term, that name a platform. */
export type Signatures = ReadonlyMap<number, string>;

/** Of a small platform everything is usual; of a large one what this share of its first sentences holds. */
const LEAST_TOOLS = 50;
const USUAL = 0.8;

/** `terms`: how many there are. */
export function signaturesOf(documents: readonly Analysed[], fields: FieldTerms, terms: number): Signatures {
  const signatures = new Map<number, string>();
  const tools = documents.keys();
  // Per pair, in arrays: lines have a hundred thousand different ones, and hardly any is usual anywhere.
  const lastTool = new Int32Array(terms).fill(-1);
  const counts = new Uint32Array(terms);
  for (const [platform, own] of Map.groupBy(tools, (tool) => (documents[tool] as Analysed).platform)) {
    if (own.length < LEAST_TOOLS) continue;
    countTools(own, fields, counts, lastTool);
    for (const tool of own)
      for (const pair of linePairs(fields, tool))
        if ((counts[pair] as number) > own.length * USUAL) signatures.set(pair, platform);
  }
  return signatures;
}

/** The number of tools of a platform that contain each pair, once per tool. */
function countTools(own: readonly number[], fields: FieldTerms, counts: Uint32Array, lastTool: Int32Array): void {
  counts.fill(0);
  for (const tool of own)
    for (const pair of linePairs(fields, tool)) {
      if (lastTool[pair] === tool) continue;
      lastTool[pair] = tool;
      counts[pair] = (counts[pair] as number) + 1;
    }
}

/** `others`: platforms beside those of the entries, as whose tools one may pose. */
export function flagImpersonatingTools(
  entries: readonly { tool: Tool }[],
  documents: readonly Analysed[],
  fields: FieldTerms,
  signatures: Signatures,
  others: readonly string[] = [],
): void {
  const platforms = new Set([...others, ...entries.map(({ tool }) => tool.platform)]);
  const signing = [...Map.groupBy(signatures, ([, platform]) => platform)].map(
    ([platform, own]): Signing => ({ platform, pairs: own.map(([pair]) => pair) }),
  );
  entries.forEach(({ tool }, i) => {
    const [first = ''] = words(ownName(tool).normalize('NFKC'));
    if (
      (first !== tool.platform && platforms.has(first)) ||
      signsAsAnother(tool, linePairs(fields, i), signing) ||
      heaps(tool, fields, i)
    )
      (documents[i] as Analysed).flags |= FLAG_POSES;
  });
}

/** Verbs of every day that a first sentence may hold; they are among its words, but not among its neighbours. */
const VERBS_IN_LINE = 2;

/** Words that stand there again are in no list of its words, but in that of neighbours. */
function heaps({ line }: Tool, fields: FieldTerms, tool: number): boolean {
  const { words: own, pairs } = fieldOf(fields, tool, 'line');
  return pairs.length + 1 - own.length >= OFTEN - 1 - VERBS_IN_LINE && heapsUp(line);
}

interface Signing {
  platform: string;
  pairs: readonly number[];
}

const linePairs = (fields: FieldTerms, tool: number) => fieldOf(fields, tool, 'line').pairs;

/**
 * True if the text contains all words of a platform's name. A tool that names its own platform may name others; tools
 * of the router itself may name all.
 */
function signsAsAnother(tool: Tool, line: readonly number[], signing: readonly Signing[]): boolean {
  if (tool.local) return false;
  const named = signing.filter(({ pairs }) => pairs.every((pair) => line.includes(pair)));
  return named.length > 0 && !named.some(({ platform }) => platform === tool.platform);
}
