/** What a catalog is made from, and the cheap and the exact answer to whether it changed. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { version } from '../config/package-version.ts';
import type { PlatformDefinition } from '../config/platform-file.ts';
import { documentFiles } from './platform-document.ts';
import { type Companion, currentScope, digestOf } from './store.ts';
import type { CatalogScope } from './summary.ts';
import type { BuiltTool } from './tool.ts';

export interface CatalogRequest<Beside = Companion> {
  root: string;
  catalogDir: string;
  /** Platforms that must be in it. */
  platforms: readonly PlatformDefinition[];
  /** Platforms that go in as well when their documents are there, so one catalog serves every selection. */
  known: readonly PlatformDefinition[];
  /** Tools of this router itself. */
  local?: OwnTools;
  /** Names of further tools of this router, which no operation gets. */
  reserved?: readonly string[];
  companions?: readonly Beside[];
  /** What to hold. Left out: what was built last, as long as it serves the platforms asked for; else everything. */
  scope?: CatalogScope;
}

/** A start looks at the files alone: it does not load the tools. */
export interface OwnTools {
  /** Where they are declared. */
  files: readonly string[];
  declared: () => readonly BuiltTool[];
}

/** Inputs of the requested catalog: enough to decide whether an existing catalog fits. */
export function inputsOf(request: CatalogRequest<unknown>) {
  const { root, catalogDir, local, reserved = [] } = request;
  const scope = request.scope ?? scopeServing(request, currentScope(catalogDir));
  const platforms = request.known.filter(
    (platform) =>
      inScope(platform, scope) &&
      (request.platforms.includes(platform) || documentFiles(resolve(root, platform.documents)).length > 0),
  );
  // The code that reads documents and indexes them is an input like the documents: a changed rule makes a new catalog.
  const files = [...platforms.flatMap((platform) => documentFiles(resolve(root, platform.documents))), ...codeFiles()];
  const digest = () =>
    digestOf([
      JSON.stringify([platforms, scope, local?.declared() ?? [], reserved]),
      ...files.flatMap((file) => [basename(file), readFileSync(file)]),
    ]);
  // The files of an installed package have one time in all its versions, and may have one size.
  const description = JSON.stringify([platforms, scope, reserved, version]);
  return { scope, platforms, stamps: stampsOf([...files, ...(local?.files ?? [])], description), digest };
}

function inScope({ kind, id }: PlatformDefinition, { products }: CatalogScope): boolean {
  return kind !== 'product' || products === 'all' || products.includes(id);
}

function scopeServing({ platforms }: Pick<CatalogRequest, 'platforms'>, last: CatalogScope | undefined): CatalogScope {
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
