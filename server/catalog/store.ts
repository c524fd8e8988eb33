/**
 * The built catalog on disk: `<dir>/<digest>/catalog.sqlite`, found through `<dir>/current.json`. A build writes a new
 * folder and then moves one small file, so a failed build leaves the previous catalog serving and a running router
 * keeps the one it opened. The catalog before the current one is kept, older ones are removed.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from 'node:fs';
import { join, sep } from 'node:path';
import { RouterError } from '../errors.ts';
import { writeAtomically } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';
import { openFiles } from '../files/open-files.ts';
import type { BuiltCatalog, CatalogDocument } from './build.ts';
import { extendDatabase, writeDatabase } from './database.ts';
import { type CatalogScope, type CatalogSummary, joinedSummary, summarise } from './summary.ts';
import { CATALOG_FILE, Catalog } from './tool-catalog.ts';

/** Names the catalog that is in service. */
export const POINTER_FILE = 'current.json';
/** Goes up when what a build writes changes its form. */
export const FORMAT = 14;
/** What another process may be using, where it cannot be seen whether one does. */
const KEEP_UNSEEN_MS = 24 * 3600 * 1000;
/** What a killed build, download or write left. */
const LEFTOVER = /^\.(?:draft|download)-|^\..+\.\d+-[0-9a-f]{8}\.draft$/;
/** As `digestOf` makes them. */
const CATALOG_NAME = /^[0-9a-f]{16}$/;
/** Folder in a directory of catalogs that is one itself: of what is shipped, under catalogs that hold more. */
export const SHIPPED = 'shipped';

/** Sizes and times of the inputs of a catalog. They answer "unchanged?" without reading 5 MB of documents. */
export interface Inputs {
  digest: string;
  stamps: [path: string, size: number, mtimeMs: number][];
}

interface Pointer extends Inputs {
  format: number;
  generator: string;
  scope: CatalogScope;
  /** Digest of the catalog before this one, which is kept. */
  previous?: string;
}

/** A file that is built together with the catalog and lies beside it. */
export interface Companion {
  file: string;
  write: (path: string, built: BuiltCatalog) => void;
  /** Writes the same over the one at `from` and what was added to its catalog. */
  extend: (path: string, from: string, added: BuiltCatalog) => void;
  /** Begins to write it from the documents alone, beside the build; undefined where that would not help. */
  begin?: (path: string, files: readonly DocumentFile[], from?: string) => BegunCompanion | undefined;
}

interface BegunCompanion extends Disposable {
  /** Waits; false where it holds other documents than these, and nothing is written. */
  finish: (documents: readonly CatalogDocument[]) => boolean;
}

/** A document of a platform that a build reads. */
export interface DocumentFile {
  platform: string;
  file: string;
}

/** A build that has not begun, and what it will read. */
export interface Build {
  files: readonly DocumentFile[];
  run: () => BuiltCatalog;
}

/** The scope that the current catalog was built with. */
export function currentScope(directory: string): CatalogScope | undefined {
  const pointer = readPointer(directory);
  return pointer?.format === FORMAT ? pointer.scope : undefined;
}

/** Opens the current catalog when none of its inputs has another size or time and nothing beside it is missing. */
export const openUnchanged = (
  directory: string,
  stampsNow: Inputs['stamps'],
  companions: readonly Pick<Companion, 'file'>[],
): Catalog | undefined => openCurrent(directory, stampsNow, () => undefined, companions);

/** Opens the current catalog when it was made from exactly these inputs and nothing beside it is missing. */
export function openCurrent(
  directory: string,
  stampsNow: Inputs['stamps'],
  digestNow: () => string | undefined,
  companions: readonly Pick<Companion, 'file'>[],
): Catalog | undefined {
  const pointer = readPointer(directory);
  if (pointer === undefined || pointer.format !== FORMAT) return undefined;
  const unchanged = JSON.stringify(pointer.stamps) === JSON.stringify(stampsNow);
  if (!unchanged && pointer.digest !== digestNow()) return undefined;
  const folder = join(directory, pointer.digest);
  if (!isWhole(folder, companions)) return undefined;
  const catalog = openOrRemove(folder);
  if (catalog && !unchanged) writePointer(directory, { ...pointer, stamps: stampsNow });
  return catalog;
}

/** One that is damaged on disk goes: it is derived data, so it is made again. */
function openOrRemove(folder: string): Catalog | undefined {
  try {
    return new Catalog(folder);
  } catch {
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

/** The files of a catalog on disk, and the pointer file that names its inputs. */
export function exportedPointer(
  directory: string,
): (Omit<Pointer, 'stamps' | 'previous'> & { stamps: [] }) | undefined {
  const pointer = readPointer(directory);
  if (pointer?.format !== FORMAT) return undefined;
  const { previous: _, ...exported } = pointer;
  return { ...exported, stamps: [] };
}

/**
 * Puts a folder from elsewhere into service: moves it beside the current one, then replaces the pointer file. If it
 * fails at any point, the router still serves the previous catalog. The folder must be in the same directory.
 */
export function adoptCatalog(
  directory: string,
  draft: string,
  pointer: unknown,
  companions: readonly Companion[],
): string {
  const { format, digest, scope, generator } = (pointer ?? {}) as Partial<Pointer>;
  const wrong = (what: string) => new RouterError('CATALOG_INVALID', `the catalog in the archive ${what}`);
  if (format !== FORMAT) throw wrong(`should have format ${FORMAT}, got ${JSON.stringify(format) ?? 'none'}`);
  if (typeof digest !== 'string' || !/^[0-9a-f]{16}$/.test(digest))
    throw wrong('should have a digest of 16 hex digits');
  if (!isScope(scope)) throw wrong('should say what it holds');
  if (!isWhole(draft, companions)) throw wrong('should be whole');
  const summary = readSummary(draft);
  if (summary === undefined || summary.digest !== digest)
    throw wrong('cannot be opened, or is another one than it says');
  const folder = join(directory, digest);
  moveFolder(draft, folder, isWhole(folder, companions) && readSummary(folder)?.digest === digest);
  putInService(directory, { format, generator: generator ?? 'archive', scope, digest, stamps: [] });
  return folder;
}

function isScope(scope: Partial<CatalogScope> | undefined): scope is CatalogScope {
  const products = scope?.products;
  const named = products === 'all' || (Array.isArray(products) && products.every((name) => typeof name === 'string'));
  return typeof scope?.complete === 'boolean' && named;
}

export type CatalogState =
  | { kind: 'missing' | 'other-format' | 'damaged' }
  | { kind: 'stale' | 'current'; folder: string; summary: CatalogSummary };

/** The current catalog when it was made from exactly these inputs; nothing is repaired or written. */
export function openFitting(
  directory: string,
  stampsNow: Inputs['stamps'],
  digestNow: () => string,
  companions: readonly Companion[],
): Catalog | undefined {
  const state = stateOfCurrent(directory, stampsNow, digestNow, companions);
  return state.kind === 'current' ? new Catalog(state.folder) : undefined;
}

/** The same question as `openCurrent`, with nothing repaired and nothing written. */
export function stateOfCurrent(
  directory: string,
  stampsNow: Inputs['stamps'],
  digestNow: () => string,
  companions: readonly Companion[],
): CatalogState {
  const pointer = readPointer(directory);
  if (pointer === undefined) return { kind: 'missing' };
  if (pointer.format !== FORMAT) return { kind: 'other-format' };
  const folder = join(directory, pointer.digest);
  if (!isWhole(folder, companions)) return { kind: 'damaged' };
  const summary = readSummary(folder);
  if (summary === undefined) return { kind: 'damaged' };
  const fits = JSON.stringify(pointer.stamps) === JSON.stringify(stampsNow) || pointer.digest === digestNow();
  return { kind: fits ? 'current' : 'stale', folder, summary };
}

function readSummary(folder: string): CatalogSummary | undefined {
  try {
    const catalog = new Catalog(folder);
    const { summary } = catalog;
    const whole = catalog.names().length === summary.tools;
    catalog.close();
    return whole ? summary : undefined;
  } catch {
    return undefined;
  }
}

/** The catalog that was built last, whatever it was made from. */
export function openLatest(
  directory: string,
  companions: readonly Pick<Companion, 'file'>[] = [],
): Catalog | undefined {
  const pointer = readPointer(directory);
  if (pointer?.format !== FORMAT) return undefined;
  const folder = join(directory, pointer.digest);
  return isWhole(folder, companions) ? new Catalog(folder) : undefined;
}

const isWhole = (folder: string, companions: readonly Pick<Companion, 'file'>[]) =>
  [CATALOG_FILE, ...companions.map(({ file }) => file)].every((file) => existsSync(join(folder, file)));

export function writeCatalog(
  directory: string,
  inputs: Inputs,
  scope: CatalogScope,
  build: Build,
  companions: readonly Companion[],
): Catalog {
  return place(directory, inputs, scope, companions, (draft) => {
    using begun = beginAll(companions, draft, build.files);
    const built = build.run();
    writeDatabase(join(draft, CATALOG_FILE), summarise(inputs.digest, scope, built), built.tools);
    for (const companion of companions)
      if (!begun.finish(companion, built)) companion.write(join(draft, companion.file), built);
  });
}

/** A catalog that holds what `base` does and more; of the base nothing is read again, only copied. */
export function extendCatalog(
  directory: string,
  inputs: Inputs,
  base: Catalog,
  addition: Build,
  companions: readonly Companion[],
): Catalog {
  const { scope } = base.summary;
  return place(directory, inputs, scope, companions, (draft) => {
    using begun = beginAll(companions, draft, addition.files, base.folder);
    const added = addition.run();
    copyFileSync(join(base.folder, CATALOG_FILE), join(draft, CATALOG_FILE));
    const summary = joinedSummary(base.summary, summarise(inputs.digest, scope, added));
    extendDatabase(join(draft, CATALOG_FILE), summary, added.tools);
    for (const companion of companions) {
      const { file } = companion;
      if (!begun.finish(companion, added)) companion.extend(join(draft, file), join(base.folder, file), added);
    }
  });
}

/** Companions that are written beside a build, those that can be. */
function beginAll(companions: readonly Companion[], draft: string, files: readonly DocumentFile[], base?: string) {
  const stack = new DisposableStack();
  const begun = new Map(
    companions.map(({ file, begin }) => {
      const from = base === undefined ? undefined : join(base, file);
      return [file, stack.use(begin?.(join(draft, file), files, from))];
    }),
  );
  return {
    finish: ({ file }: Companion, { documents }: BuiltCatalog) => begun.get(file)?.finish(documents) ?? false,
    [Symbol.dispose]: () => stack.dispose(),
  };
}

/** Fills a folder aside and moves it to its place, so that nobody meets half of it. */
function place(
  directory: string,
  inputs: Inputs,
  scope: CatalogScope,
  companions: readonly Companion[],
  fill: (draft: string) => void,
): Catalog {
  // Beside it the user's cache holds logins, so no parent that is made here is for others.
  const isNew = !existsSync(directory);
  makeFolder(directory);
  const folder = join(directory, inputs.digest);
  const draft = join(directory, `.draft-${process.pid}-${randomUUID().slice(0, 8)}`);
  mkdirSync(draft);
  try {
    fill(draft);
    // The same digest means the same content, so a folder that another process just wrote is as good as ours.
    moveFolder(draft, folder, isWhole(folder, companions));
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isWhole(folder, companions)) {
      if (isNew) removeEmpty(directory);
      throw error;
    }
  }
  putInService(directory, { format: FORMAT, generator: 'server/catalog/store.ts', scope, ...inputs });
  return new Catalog(folder);
}

/** Another process may have put a catalog there. */
function removeEmpty(directory: string): void {
  try {
    rmdirSync(directory);
  } catch (error) {
    if (!['ENOTEMPTY', 'EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** A folder that is whole already stays as it is, and the draft goes. */
function moveFolder(draft: string, folder: string, isThere: boolean): void {
  rmSync(isThere ? draft : folder, { recursive: true, force: true });
  if (!isThere) renameSync(draft, folder);
}

function readPointer(directory: string): Pointer | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, POINTER_FILE), 'utf8')) as Pointer;
  } catch {
    // Missing or half-edited: either way there is no current catalog and the next build writes a whole one.
    return undefined;
  }
}

function writePointer(directory: string, pointer: Pointer): void {
  writeAtomically(join(directory, POINTER_FILE), `${JSON.stringify(pointer, null, 1)}\n`, { mode: 0o644 });
}

/** Makes a catalog the current one, keeps the one before it, and removes those before that. */
function putInService(directory: string, pointer: Pointer): void {
  const before = readPointer(directory);
  const previous = before?.digest === pointer.digest ? before.previous : before?.digest;
  const since = statSync(join(directory, POINTER_FILE), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  writePointer(directory, { ...pointer, ...(previous === undefined ? {} : { previous }) });
  removeOld(directory, [pointer.digest, previous], since);
}

/**
 * Removes catalogs that were in their place before `since`, when the previous one came into service. A younger one may be
 * that of another process, which is about to make it the current one. What a killed process left goes after a day. Nothing else
 * does: the folder is one that a user names.
 */
function removeOld(directory: string, kept: readonly (string | undefined)[], since: number): void {
  const names = readdirSync(directory).filter(
    (name) => !kept.includes(name) && (CATALOG_NAME.test(name) || LEFTOVER.test(name)),
  );
  if (names.length === 0) return;
  const real = realpathSync(directory);
  const open = openFiles();
  for (const name of names) {
    const path = join(directory, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info === undefined) continue;
    const seen = open !== undefined && CATALOG_NAME.test(name);
    // A running router opens files of its catalog later too: the spec index with the first question for it.
    const unused = seen
      ? info.ctimeMs < since && !open.some((file) => file.startsWith(join(real, name) + sep))
      : Date.now() - info.mtimeMs > KEEP_UNSEEN_MS;
    if (unused) rmSync(path, { recursive: true, force: true });
  }
}

export function digestOf(parts: Iterable<string | Buffer>): string {
  const hash = createHash('sha256').update(`format ${FORMAT}`);
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest('hex').slice(0, 16);
}
