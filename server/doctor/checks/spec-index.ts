/** The index behind lookup_api, beside the catalog. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { RouterError } from '../../errors.ts';
import { catalogState } from '../../open-catalog.ts';
import { SpecIndex } from '../../spec-index/look-up.ts';
import { SPEC_INDEX_FILE } from '../../spec-index/spec-index-file.ts';
import { type Check, fail, ok, warn } from '../doctor-check.ts';

export default {
  id: 'spec-index',
  order: 230,
  inside: true,
  needs: 'config',
  look: ({ config, command }) => {
    if (config instanceof RouterError) return [];
    const state = catalogState(config);
    const path = 'folder' in state ? join(state.folder, SPEC_INDEX_FILE) : '';
    if (!('folder' in state) || !existsSync(path))
      return [warn('spec index', 'not built, as the catalog is not', command('catalog'))];
    try {
      using index = new SpecIndex(path);
      const { endpoints, schemas, fields } = index.counts();
      return [ok('spec index', `${endpoints} endpoints, ${schemas} schemas, ${fields} fields`)];
    } catch {
      if (state.kind === 'stale')
        return [warn('spec index', 'is of an earlier version, as the catalog is', command('catalog'))];
      return [fail('spec index', 'cannot be read', `remove ${state.folder}, then ${command('catalog')}`)];
    }
  },
} satisfies Check;
