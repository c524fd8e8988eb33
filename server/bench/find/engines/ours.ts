/** Our ranker as find_tool uses it, over tools held in memory instead of the catalog's file. */
import type { Capability, Decision } from '../../../access/access.ts';
import { Finder } from '../../../search/find.ts';
import { buildIndex } from '../../../search/inverted-index.ts';
import type { Engine, Search } from '../engine.ts';
import { shelfOf } from '../shelf.ts';
import type { Toolbox } from '../toolbox.ts';

export interface Circumstances {
  /** Platforms that are served; left out, all. */
  enabled?: readonly string[];
  decide?: (platform: string, capability: Capability) => Decision;
}

export function openOurs(box: Toolbox, { enabled, decide }: Circumstances = {}): Search {
  const finder = new Finder({
    catalog: shelfOf(box.tools),
    index: buildIndex(box.tools),
    enabled: enabled ?? [...new Set(box.tools.map(({ tool }) => tool.platform))],
    words: box.words,
    decide: decide ?? (() => ({ visible: true, allowed: true })),
  });
  return (query, limit) => {
    const { hits, note } = finder.find({ query, topK: limit });
    return {
      ids: hits.map(({ id }) => id),
      ...(note === undefined ? {} : { note }),
      text: () => JSON.stringify(hits.slice(0, 5).map(({ tool }) => finder.describe(tool))) + (note ?? ''),
    };
  };
}

export default { title: 'ours', build: (box) => openOurs(box) } satisfies Engine;
