/** The catalog for a configuration: opened when it fits its inputs, built when it is missing or they changed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { sharedCatalog } from '../config/config.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { buildCatalog } from './build.ts';
import { documentFiles } from './platform-document.ts';
import {
  type Companion,
  currentScope,
  digestOf,
  extendCatalog,
  openCurrent,
  openFitting,
  SHIPPED,
  writeCatalog,
} from './store.ts';
import type { CatalogScope } from './summary.ts';
import type { BuiltTool } from './tool.ts';
import type { Catalog } from './tool-catalog.ts';

export interface CatalogRequest {
  root: string;
  catalogDir: string;
  /** Platforms that must be in it. */
  platforms: readonly PlatformDefinition[];
  /** Platforms that go in as well when their documents are there, so one catalog serves every selection. */
  known: readonly PlatformDefinition[];
  /** Tools of this router itself. */
  local?: readonly BuiltTool[];
  /** Names of further tools of this router, which no operation gets. */
  reserved?: readonly string[];
  companions?: readonly Companion[];
  /** What to hold. Left out: what was built last, as long as it serves the platforms asked for; else everything. */
  scope?: CatalogScope;
}

export interface EnsuredCatalog {
  catalog: Catalog;
  built: boolean;
}

export function ensureCatalog(request: CatalogRequest): EnsuredCatalog {
  const { root, catalogDir, local = [], reserved = [], companions = [] } = request;
  const { scope, platforms, stamps, digest } = inputsOf(request);
  const current = openCurrent(catalogDir, stamps, digest, companions);
  if (current) return { catalog: current, built: false };
  const inputs = { digest: digest(), stamps };
  const own = platforms.filter(isOwn);
  const read = own.length > 0 ? own : platforms;
  const files = read.flatMap(({ id, documents }) =>
    documentFiles(resolve(root, documents)).map((file) => ({ platform: id, file })),
  );
  const run = () => buildCatalog(root, read, { local, reserved, complete: scope.complete });
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

/** Inputs of the requested catalog: enough to decide whether an existing catalog fits. */
export function inputsOf(request: CatalogRequest) {
  const { root, catalogDir, local = [], reserved = [] } = request;
  const scope = request.scope ?? scopeServing(request, currentScope(catalogDir));
  const platforms = request.known.filter(
    (platform) =>
      inScope(platform, scope) &&
      (request.platforms.includes(platform) || documentFiles(resolve(root, platform.documents)).length > 0),
  );
  // The code that reads documents and indexes them is an input like the documents: a changed rule makes a new catalog.
  const files = [...platforms.flatMap((platform) => documentFiles(resolve(root, platform.documents))), ...codeFiles()];
  const description = JSON.stringify([platforms, scope, local, reserved]);
  const digest = () => digestOf([description, ...files.flatMap((file) => [basename(file), readFileSync(file)])]);
  return { scope, platforms, stamps: stampsOf(files, description), digest };
}

function inScope({ kind, id }: PlatformDefinition, { products }: CatalogScope): boolean {
  return kind !== 'product' || products === 'all' || products.includes(id);
}

function scopeServing({ platforms }: CatalogRequest, last: CatalogScope | undefined): CatalogScope {
  if (last && platforms.every((platform) => inScope(platform, last))) return last;
  return { products: 'all', complete: last?.complete ?? true };
}

/** Sizes and times of the files, and the rest of the inputs in one line: enough to see that nothing changed. */
function stampsOf(files: readonly string[], description: string): [string, number, number][] {
  const stamps = files.map((file): [string, number, number] => {
    const { size, mtimeMs } = statSync(file);
    return [file, size, mtimeMs];
  });
  return [...stamps, [digestOf([description]), description.length, 0]];
}

function codeFiles(): string[] {
  const here = import.meta.dirname;
  return [here, join(here, '..', 'search'), join(here, '..', 'spec-index')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.[jt]s$/.test(name) && !name.includes('.test.'))
      .sort()
      .map((name) => join(folder, name)),
  );
}
