/** The published comparison, as rows to stand beside a server that is tried. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Comparison } from '../compare/server-comparison.ts';

export interface PeerRow {
  name: string;
  tools: number | null;
  tokens: number | null;
  success: number | null;
  selection: number | null;
  startMs: number | null;
}

const SIZE = 'one';
const AGENT = 'retrieval';

/** Empty where the comparison is not at hand. */
export async function publishedPeers(root: string): Promise<PeerRow[]> {
  const text = await readFile(join(root, 'reports', 'comparison.json'), 'utf8').catch(() => undefined);
  if (text === undefined) return [];
  const { scores, cells, timings } = JSON.parse(text) as Comparison;
  return scores
    .filter(({ size, agent, suite }) => size === SIZE && agent === AGENT && suite === 'all')
    .map(({ subject, success, selection }): PeerRow => {
      const cell = cells.find((one) => one.subject === subject && one.size === SIZE);
      const speed = timings.find((one) => one.subject === subject && one.size === SIZE)?.speed;
      return {
        name: subject,
        tools: cell?.tools ?? null,
        tokens: cell?.definitionTokens ?? null,
        success,
        selection,
        startMs: speed?.startMs ?? null,
      };
    })
    .sort((a, b) => (b.success ?? 0) - (a.success ?? 0));
}
