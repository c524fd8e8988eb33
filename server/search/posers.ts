/** Tools that pose as another platform's: by the first word of their name, or by the words its first sentences name it with. */
import type { Tool } from '../catalog/tool.ts';
import { type Analysed, FLAG_POSES } from './inverted-index.ts';
import { words } from './tokens.ts';
import { ownName } from './tool-text.ts';

/** Neighbouring words, as the number of their term, that name a platform. */
export type Signatures = ReadonlyMap<number, string>;

/** Of a small platform everything is usual; of a large one what this share of its first sentences holds. */
const LEAST_TOOLS = 50;
const USUAL = 0.8;

export function signaturesOf(documents: readonly Analysed[]): Signatures {
  const signatures = new Map<number, string>();
  for (const [platform, own] of Map.groupBy(documents, (document) => document.platform)) {
    if (own.length < LEAST_TOOLS) continue;
    const counts = new Map<number, number>();
    for (const { fields } of own)
      for (const pair of new Set(fields.line.pairs)) counts.set(pair, (counts.get(pair) ?? 0) + 1);
    for (const [pair, count] of counts) if (count > own.length * USUAL) signatures.set(pair, platform);
  }
  return signatures;
}

/** `others`: platforms beside those of the entries, as whose tools one may pose. */
export function markPosers(
  entries: readonly { tool: Tool }[],
  documents: readonly Analysed[],
  signatures: Signatures,
  others: readonly string[] = [],
): void {
  const platforms = new Set([...others, ...entries.map(({ tool }) => tool.platform)]);
  entries.forEach(({ tool }, i) => {
    const document = documents[i] as Analysed;
    const [first = ''] = words(ownName(tool).normalize('NFKC'));
    if ((first !== tool.platform && platforms.has(first)) || signsAsAnother(tool, document, signatures))
      document.flags |= FLAG_POSES;
  });
}

/** All its words are there. Whoever names its own platform may speak of another; what this router brings itself speaks of all. */
function signsAsAnother(tool: Tool, { fields }: Analysed, signatures: Signatures): boolean {
  if (tool.local) return false;
  const pairs = new Set(fields.line.pairs);
  const missing = new Set([...signatures].filter(([pair]) => !pairs.has(pair)).map(([, platform]) => platform));
  const named = [...new Set(signatures.values())].filter((platform) => !missing.has(platform));
  return named.length > 0 && !named.includes(tool.platform);
}
