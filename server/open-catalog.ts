/** The catalog of a configuration with all that belongs to it, and search over it: what router and commands share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decideFor } from './access/access.ts';
import { type EnsuredCatalog, ensureCatalog } from './catalog/ensure.ts';
import type { Catalog, CatalogScope, Companion } from './catalog/store.ts';
import { type Config, packageRoot } from './config/config.ts';
import { LOCAL_TOOLS, localToCatalog } from './local/registry.ts';
import { Finder } from './search/find.ts';
import { buildIndex, encode, openIndex, SEARCH_INDEX_FILE } from './search/inverted-index.ts';
import { buildSpecIndex, SPEC_INDEX_FILE } from './spec-index/build.ts';

export const version = (JSON.parse(readFileSync(join(packageRoot, 'package.json'), 'utf8')) as { version: string })
  .version;

const COMPANIONS: readonly Companion[] = [
  { file: SEARCH_INDEX_FILE, write: (path, { tools }) => writeFileSync(path, encode(buildIndex(tools))) },
  { file: SPEC_INDEX_FILE, write: (path, { documents }) => buildSpecIndex(path, documents) },
];

/** Built first when something of it is missing or its inputs changed. */
export function openCatalog(config: Config, scope?: CatalogScope): EnsuredCatalog {
  return ensureCatalog({
    ...config,
    local: LOCAL_TOOLS.map(localToCatalog),
    companions: COMPANIONS,
    ...(scope === undefined ? {} : { scope }),
  });
}

/** Search over a catalog under a configuration's rules; also what the find command uses. */
export function openFinder(config: Config, catalog: Catalog): Finder {
  return new Finder({
    catalog,
    index: openIndex(catalog),
    enabled: [...config.platforms.map(({ id }) => id), ...config.localToolsets],
    words: Object.fromEntries(config.known.map((platform) => [platform.id, platform.words])),
    decide: (id, capability) => decideFor(config, id, capability),
  });
}
