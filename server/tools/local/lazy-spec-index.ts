/** The spec index for tools that look something up: opened by the first question, kept after, and said so where there is none. */
import { join } from 'node:path';
import { SpecIndex } from '../../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../../spec-index/spec-index-file.ts';
import type { LocalContext } from './registry.ts';

const MISSING = {
  error: 'the spec index is missing or cannot be read',
  degraded: true as const,
  hint: 'build it with svc-mcp-catalog build, then restart the router',
};

export function specIndexOnDemand({ catalog }: LocalContext): () => SpecIndex | typeof MISSING {
  let index: SpecIndex | undefined;
  return () => {
    try {
      index ??= new SpecIndex(join(catalog.folder, SPEC_INDEX_FILE));
      return index;
    } catch {
      return MISSING;
    }
  };
}
