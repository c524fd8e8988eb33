/** The catalog for a configuration: opened when it fits its inputs, built when it is missing or they changed. */
import { join, resolve } from 'node:path';
import { sharedCatalog } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { buildCatalog } from './build.ts';
import { type CatalogRequest, inputsOf } from './inputs.ts';
import { documentFiles } from './platform-document.ts';
import { extendCatalog, openCurrent, openFitting, SHIPPED, writeCatalog } from './store.ts';
import type { CatalogScope } from './summary.ts';
import type { Catalog } from './tool-catalog.ts';

export interface EnsuredCatalog {
  catalog: Catalog;
  built: boolean;
}

/** `onBuild` is called before a build begins, which takes seconds. */
export function ensureCatalog(request: CatalogRequest, onBuild?: () => void): EnsuredCatalog {
  const { root, catalogDir, local, reserved = [], companions = [] } = request;
  const { scope, platforms, stamps, digest } = inputsOf(request);
  const current = openCurrent(catalogDir, stamps, digest, companions);
  if (current) return { catalog: current, built: false };
  onBuild?.();
  const inputs = { digest: digest(), stamps };
  const own = platforms.filter(isOwn);
  const read = own.length > 0 ? own : platforms;
  const files = read.flatMap(({ id, documents }) =>
    documentFiles(resolve(root, documents)).map((file) => ({ platform: id, file })),
  );
  const run = () => buildCatalog(root, read, { local: local?.declared() ?? [], reserved, complete: scope.complete });
  if (own.length === 0) {
    return { catalog: writeCatalog(catalogDir, inputs, scope, { files, run }, companions), built: true };
  }
  using base = ensureShipped(request, scope);
  const runAddition = () => {
    const built = run();
    return { ...built, tools: built.tools.filter(({ tool }) => tool.local === undefined) };
  };
  return { catalog: extendCatalog(catalogDir, inputs, base, { files, run: runAddition }, companions), built: true };
}

const isOwn = ({ kind }: PlatformDefinition) => kind === 'user';

/**
 * The catalog of what is shipped, to which a user's documents are added: adding one reads none of the others again. The one
 * that all share where that fits, else one beside the user's.
 */
function ensureShipped(request: CatalogRequest, scope: CatalogScope): Catalog {
  const { root, catalogDir, companions = [] } = request;
  const shipped: CatalogRequest = {
    ...request,
    scope,
    platforms: request.platforms.filter((platform) => !isOwn(platform)),
    known: request.known.filter((platform) => !isOwn(platform)),
    catalogDir: join(catalogDir, SHIPPED),
  };
  const { stamps, digest } = inputsOf(shipped);
  return openFitting(sharedCatalog(root), stamps, digest, companions) ?? ensureCatalog(shipped).catalog;
}
