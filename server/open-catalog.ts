/** The catalog of a configuration with all that belongs to it: what commands open and build, and a router whose catalog does not fit. */
import { readFileSync, writeFileSync } from 'node:fs';
import { type BuiltCatalog, buildPlatform } from './catalog/build.ts';
import { type EnsuredCatalog, ensureCatalog } from './catalog/ensure.ts';
import { inputsOf } from './catalog/inputs.ts';
import type { ApiDocument } from './catalog/platform-document.ts';
import { type CatalogState, type Companion, stateOfCurrent } from './catalog/store.ts';
import type { CatalogScope } from './catalog/summary.ts';
import { type Config, reservedNames } from './config/config.ts';
import type { PlatformDefinition } from './config/platform-file.ts';
import { decode, encode, SEARCH_INDEX_FILE } from './search/index-file.ts';
import { buildIndex, extendIndex } from './search/inverted-index.ts';
import { buildSpecIndex, extendSpecIndex } from './spec-index/build-spec-index.ts';
import { SPEC_INDEX_FILE } from './spec-index/spec-index-file.ts';
import { SpecIndexThread } from './spec-index/spec-index-thread.ts';
import { declarationFiles } from './tools/local/declaration-files.ts';
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

const declaredTools = () => LOCAL_TOOLS.map(localToCatalog);
const routerTools = () => ({
  local: { files: declarationFiles(), declared: declaredTools },
  reserved: PUBLIC_NAMES,
});

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
  return buildPlatform(platform, documents, { local: declaredTools(), reserved: PUBLIC_NAMES, complete: true });
}

/** Built first when something of it is missing or its inputs changed. */
export function openCatalog(config: Config, scope?: CatalogScope, onBuild?: () => void): EnsuredCatalog {
  const own = { ...routerTools(), companions: COMPANIONS };
  return ensureCatalog({ ...config, ...own, ...(scope === undefined ? {} : { scope }) }, onBuild);
}

/** Whether the existing catalog fits its inputs. It builds and writes nothing. */
export function catalogState(config: Config): CatalogState {
  const { stamps, digest } = inputsOf({ ...config, ...routerTools() });
  return stateOfCurrent(config.catalogDir, stamps, digest, COMPANIONS);
}
