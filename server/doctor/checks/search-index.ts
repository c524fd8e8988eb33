/** The index that find_tool searches, beside the catalog. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Catalog } from '../../catalog/tool-catalog.ts';
import { RouterError } from '../../errors.ts';
import { catalogState } from '../../open-catalog.ts';
import { openIndex, SEARCH_INDEX_FILE } from '../../search/index-file.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

export default {
  id: 'search-index',
  order: 220,
  inside: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const state = catalogState(config);
    if (!('folder' in state) || !existsSync(join(state.folder, SEARCH_INDEX_FILE)))
      return [warn('search index', 'not built, as the catalog is not', command('catalog'))];
    const catalog = new Catalog(state.folder);
    try {
      const { size } = openIndex(catalog);
      return size === state.summary.tools
        ? [ok('search index', `knows ${size} tools`)]
        : [
            fail(
              'search index',
              `knows ${size} tools of ${state.summary.tools}`,
              again(state.folder, command('catalog')),
            ),
          ];
    } catch {
      if (state.kind === 'stale')
        return [warn('search index', 'is of an earlier version, as the catalog is', command('catalog'))];
      return [fail('search index', 'cannot be read', again(state.folder, command('catalog')))];
    } finally {
      catalog.close();
    }
  },
} satisfies Check;

const again = (folder: string, build: string) => `remove ${folder}, then ${build}`;
