/** The catalog for a configuration: opened when it fits its inputs, built when it is missing or they changed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { buildCatalog } from './build.ts';
import { documentFiles } from './document.ts';
import { type Catalog, digestOf, openCurrent, writeCatalog } from './store.ts';

export interface CatalogRequest {
  root: string;
  catalogDir: string;
  /** Platforms that must be in it. */
  platforms: readonly PlatformDefinition[];
  /** Platforms that go in as well when their documents are there, so one catalog serves every selection. */
  known: readonly PlatformDefinition[];
}

export interface EnsuredCatalog {
  catalog: Catalog;
  built: boolean;
}

export function ensureCatalog(request: CatalogRequest): EnsuredCatalog {
  const { root, catalogDir } = request;
  const platforms = request.known.filter(
    (platform) => request.platforms.includes(platform) || documentFiles(join(root, platform.documents)).length > 0,
  );
  // The code that reads documents and indexes them is an input like the documents: a changed rule makes a new catalog.
  const files = [...platforms.flatMap((platform) => documentFiles(join(root, platform.documents))), ...codeFiles()];
  const stamps = stampsOf([
    ...files,
    ...platforms.map((platform) => join(root, 'server', 'platforms', `${platform.id}.yaml`)),
  ]);
  const digest = () =>
    digestOf([JSON.stringify(platforms), ...files.flatMap((file) => [basename(file), readFileSync(file)])]);
  const current = openCurrent(catalogDir, stamps, digest);
  if (current) return { catalog: current, built: false };
  const built = buildCatalog(root, platforms);
  return { catalog: writeCatalog(catalogDir, { digest: digest(), stamps }, built), built: true };
}

function stampsOf(files: readonly string[]): [string, number, number][] {
  return files.map((file) => {
    const { size, mtimeMs } = statSync(file);
    return [file, size, mtimeMs];
  });
}

function codeFiles(): string[] {
  const here = import.meta.dirname;
  return [here, join(here, '..', 'search')].flatMap((folder) =>
    readdirSync(folder)
      .filter((name) => /\.[jt]s$/.test(name) && !name.includes('.test.'))
      .sort()
      .map((name) => join(folder, name)),
  );
}
