/** Our ranker as find_tool uses it, over tools held in memory instead of the catalog's file. */
import type { Capability, Decision } from '../../../../access/access-policy.ts';
import { Finder } from '../../../../search/find.ts';
import { buildIndex } from '../../../../search/inverted-index.ts';
import { ANSWER_LIMIT, fitDescriptors } from '../../../../tools/public/fit-answer.ts';
import { inMemoryCatalogOf } from '../in-memory-catalog.ts';
import type { Engine, Search } from '../search-engine.ts';
import type { Toolbox } from '../tool-corpus.ts';

export interface Circumstances {
  /** Platforms that are served; left out, all. */
  enabled?: readonly string[];
  decide?: (platform: string, capability: Capability) => Decision;
}

/** Hits of an answer when nobody asks for more or fewer. */
const SHOWN = 5;

type Open = (circumstances?: Circumstances) => Search;

const prepared = new WeakMap<Toolbox, Open>();

/** The index of a corpus is built once. Each opened search has its own access rules. */
export function prepareOurs(box: Toolbox): Open {
  const open = prepared.get(box) ?? buildOurs(box);
  prepared.set(box, open);
  return open;
}

/** A finder over the tools of one corpus. */
export const openInMemory = (box: Toolbox): Finder => findersOf(box)({});

function findersOf(box: Toolbox): (circumstances: Circumstances) => Finder {
  const catalog = inMemoryCatalogOf(box.tools);
  const index = buildIndex(box.tools);
  const everything = [...new Set(box.tools.map(({ tool }) => tool.platform))];
  return ({ enabled = everything, decide = () => ({ visible: true, allowed: true }) }) =>
    new Finder({ catalog, index: () => index, enabled, words: box.words, hints: box.hints ?? {}, decide });
}

function buildOurs(box: Toolbox): Open {
  const finderFor = findersOf(box);
  return (circumstances = {}) => {
    const finder = finderFor(circumstances);
    return (query, limit) => {
      const { hits, note } = finder.find({ query, topK: limit });
      return {
        ids: hits.map(({ id }) => id),
        ...(note === undefined ? {} : { note }),
        text: () => {
          const shown = hits.slice(0, SHOWN).map(({ tool }) => finder.describe(tool));
          return JSON.stringify(fitDescriptors(shown, ANSWER_LIMIT)) + (note ?? '');
        },
      };
    };
  };
}

export default { title: 'ours', build: (box) => prepareOurs(box)() } satisfies Engine;
