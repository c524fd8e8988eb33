/** Requests that should not get a tool: foreign ones, those for a platform that is off, and writes under a read-only profile. */
import type { Capability } from '../../../access/access-policy.ts';
import { type Circumstances, prepareOurs } from './engines/ours.ts';
import type { Part } from './question-set.ts';
import { readLines } from './question-sets.ts';
import { partOf } from './split.ts';
import type { Toolbox } from './tool-corpus.ts';

export type Kind = 'nofit' | 'not_enabled' | 'not_permitted';

interface Line {
  id: string;
  query: string;
  gold: string[];
  kind: Kind;
  platform: string | null;
}

export interface Refusal {
  id: string;
  part: Part;
  kind: Kind;
  query: string;
  /** Something was said beside the hits, or there was none. */
  said: boolean;
  /** No hit does what must not be done: none of a platform that is off, none that writes. */
  kept: boolean;
  note: string;
  top: string | undefined;
}

const DEPTH = 5;
const reads = (capability: Capability) => capability === 'read' || capability === 'diagnostic';

export async function refuse(box: Toolbox): Promise<Refusal[]> {
  const platforms = [...new Set(box.tools.map(({ tool }) => tool.platform))];
  const open = prepareOurs(box);
  const refusals: Refusal[] = [];
  for (const { id, kind, query, platform } of readLines<Line>('nofit')) {
    const off = kind === 'not_enabled' ? platform : null;
    const { ids, note = '' } = await open(circumstances(kind, platforms, off))(query, DEPTH);
    const hits = ids.map((number) => box.tools[number]!.tool);
    refusals.push({
      id,
      part: partOf(id),
      kind,
      query,
      said: note !== '' || hits.length === 0,
      kept: hits.every((hit) => hit.platform !== off && (kind !== 'not_permitted' || reads(hit.capability))),
      note,
      top: hits[0]?.name,
    });
  }
  return refusals;
}

function circumstances(kind: Kind, platforms: readonly string[], off: string | null): Circumstances {
  return {
    enabled: platforms.filter((id) => id !== off),
    ...(kind === 'not_permitted'
      ? { decide: (_: string, capability: Capability) => ({ visible: reads(capability), allowed: reads(capability) }) }
      : {}),
  };
}
