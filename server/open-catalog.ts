/** The catalog of a configuration with all that belongs to it, and search over it: what router and commands share. */
import { readFileSync, writeFileSync } from 'node:fs';
import { decideFor } from './access/access-policy.ts';
import { type BuiltCatalog, buildPlatform } from './catalog/build.ts';
import { type EnsuredCatalog, ensureCatalog, inputsOf } from './catalog/ensure.ts';
import type { ApiDocument } from './catalog/platform-document.ts';
import { type CatalogState, type Companion, openLatest, stateOfCurrent } from './catalog/store.ts';
import type { CatalogScope } from './catalog/summary.ts';
import type { Catalog } from './catalog/tool-catalog.ts';
import { type Config, reservedNames } from './config/config.ts';
import type { PlatformDefinition } from './config/platform-file.ts';
import { RouterError } from './errors.ts';
import { Finder } from './search/find.ts';
import { decode, encode, openIndexLater, SEARCH_INDEX_FILE } from './search/index-file.ts';
import { buildIndex, extendIndex } from './search/inverted-index.ts';
import { buildSpecIndex, extendSpecIndex, SPEC_INDEX_FILE } from './spec-index/build-spec-index.ts';
import { SpecIndexThread } from './spec-index/spec-index-thread.ts';
import { errorFields, type Logger } from './telemetry/logger.ts';
import { LOCAL_TOOLS, localToCatalog } from './tools/local/registry.ts';
import { PUBLIC_NAMES } from './tools/public/public-names.ts';

export const COMPANIONS: readonly Companion[] = [
  {
    file: SEARCH_INDEX_FILE,
    write: (path, { tools }) => writeFileSync(path, encode(buildIndex(tools))),
    extend: (path, from, { tools }) => writeFileSync(path, encode(extendIndex(decode(readFileSync(from)), tools))),
  },
  {
    file: SPEC_INDEX_FILE,
    write: (path, { documents }) => buildSpecIndex(path, documents),
    extend: (path, from, { documents }) => extendSpecIndex(path, from, documents),
    begin: (path, files, from) => SpecIndexThread.start(path, files, from),
  },
];

const routerTools = () => ({ local: LOCAL_TOOLS.map(localToCatalog), reserved: PUBLIC_NAMES });

/** Names that no platform of a user may have, or make for its tools. */
export function takenNames(config: Config): TakenNames {
  const shipped = config.known.filter(({ kind }) => kind !== 'user');
  return { platforms: reservedNames(shipped), tools: [...PUBLIC_NAMES, ...LOCAL_TOOLS.map(({ name }) => name)] };
}

export interface TakenNames {
  platforms: ReadonlySet<string>;
  tools: readonly string[];
}

/** The tools that a platform would add to the catalog. It writes nothing. */
export function trialBuild(platform: PlatformDefinition, documents: readonly ApiDocument[]): BuiltCatalog {
  return buildPlatform(platform, documents, { ...routerTools(), complete: true });
}

/** Built first when something of it is missing or its inputs changed. */
export function openCatalog(config: Config, scope?: CatalogScope): EnsuredCatalog {
  return ensureCatalog({
    ...config,
    ...routerTools(),
    companions: COMPANIONS,
    ...(scope === undefined ? {} : { scope }),
  });
}

/** Whether the existing catalog fits its inputs. It builds and writes nothing. */
export function catalogState(config: Config): CatalogState {
  const { stamps, digest } = inputsOf({ ...config, ...routerTools() });
  return stateOfCurrent(config.catalogDir, stamps, digest, COMPANIONS);
}

/**
 * The catalog that a router serves. If a changed input does not build, the previous catalog stays in use, with an
 * error in the log, so that one fault does not take every platform down.
 */
export function openServedCatalog(config: Config, logger: Logger): EnsuredCatalog {
  try {
    return openCatalog(config);
  } catch (error) {
    const previous = error instanceof RouterError ? openLatest(config.catalogDir, COMPANIONS) : undefined;
    if (previous === undefined) throw error;
    logger.error('catalog.build_failed', { ...errorFields(error), serving: 'the catalog that was built before' });
    return { catalog: previous, built: false };
  }
}

/** Search over a catalog under a configuration's rules; also what the find command uses. */
export function openFinder(config: Config, catalog: Catalog): Finder {
  return new Finder({
    catalog,
    index: openIndexLater(catalog),
    enabled: [...config.platforms.map(({ id }) => id), ...config.localToolsets],
    words: Object.fromEntries(config.known.map((platform) => [platform.id, platform.words])),
    hints: Object.fromEntries(config.known.map(({ id, hints = [] }) => [id, hints])),
    decide: (id, capability, access) => decideFor(config, id, capability, access),
  });
}
