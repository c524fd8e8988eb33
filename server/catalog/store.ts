/**
 * The built catalog on disk: `<dir>/<digest>/catalog.sqlite`, found through `<dir>/current.json`. A build writes a new
 * folder and then moves one small file, so a failed build leaves the previous catalog serving and a running router
 * keeps the one it opened. Records stay in the file until a call needs one: start and memory do not grow with tools.
 */
import { createHash, randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { RouterError } from '../errors.ts';
import type { BuiltCatalog } from './build.ts';
import { extendDatabase, operationKey, writeDatabase } from './database.ts';
import { Recent } from './recent.ts';
import type { JsonSchema, SearchText, Tool } from './tool.ts';
import { unchanging } from './unchanging.ts';

/** Goes up when what a build writes changes its form. */
export const FORMAT = 5;
const KEEP_OLD_MS = 24 * 3600 * 1000;
const DATABASE = 'catalog.sqlite';
/** Folder in a directory of catalogs that is one itself: of what is shipped, under catalogs that hold more. */
export const SHIPPED = 'shipped';

/** What a catalog was made from: sizes and times answer "unchanged?" without reading 5 MB of documents. */
export interface Inputs {
  digest: string;
  stamps: [path: string, size: number, mtimeMs: number][];
}

/** What a build was asked to hold: which optional products, and whether with their write tools. */
export interface CatalogScope {
  products: 'all' | readonly string[];
  complete: boolean;
}

interface Pointer extends Inputs {
  format: number;
  generator: string;
  scope: CatalogScope;
}

/** A file that is built together with the catalog and lies beside it. */
export interface Companion {
  file: string;
  write: (path: string, built: BuiltCatalog) => void;
  /** Writes the same over the one at `from` and what was added to its catalog. */
  extend: (path: string, from: string, added: BuiltCatalog) => void;
}

export interface CatalogSummary {
  digest: string;
  scope: CatalogScope;
  tools: number;
  /** Those that wrap an operation; the others are tools of this router. */
  platformTools: number;
  platforms: Record<string, number>;
  capabilities: Record<string, number>;
  documents: number;
  quarantined: BuiltCatalog['quarantined'];
  notes: string[];
}

const RECENT_KEPT = 256;

export class Catalog {
  readonly folder: string;
  readonly summary: CatalogSummary;
  readonly #database: DatabaseSync;
  readonly #byName: StatementSync;
  #names: readonly string[] | undefined;
  readonly #recent = new Recent<string, Tool | undefined>(RECENT_KEPT);
  readonly #recentAt = new Recent<number, Tool>(RECENT_KEPT);
  readonly #recentExactly = new Recent<string, readonly number[]>(RECENT_KEPT);
  readonly #byId: StatementSync;
  readonly #exact: StatementSync;
  readonly #byKey: StatementSync;
  readonly #schemaByName: StatementSync;

  constructor(folder: string) {
    this.folder = folder;
    this.#database = new DatabaseSync(unchanging(join(folder, DATABASE)), { readOnly: true });
    this.summary = JSON.parse((this.#database.prepare('SELECT value FROM meta').get() as { value: string }).value);
    this.#byName = this.#database.prepare('SELECT record FROM tools WHERE name = ?');
    this.#byId = this.#database.prepare('SELECT record FROM tools WHERE id = ?');
    this.#exact = this.#database.prepare(
      'SELECT id FROM tools WHERE name = ?1 UNION SELECT id FROM tools WHERE key = ?2 UNION SELECT id FROM tools WHERE operation = ?1 UNION SELECT id FROM tools WHERE line = ?1',
    );
    this.#byKey = this.#database.prepare('SELECT record FROM tools WHERE key = ? ORDER BY id');
    this.#schemaByName = this.#database.prepare('SELECT schema FROM tools WHERE name = ?');
  }

  get digest(): string {
    return this.summary.digest;
  }

  tool(name: string): Tool | undefined {
    return this.#recent.of(name, () => {
      const found = this.#byName.get(name) as { record: string } | undefined;
      return found && (JSON.parse(found.record) as Tool);
    });
  }

  /** Tools are numbered by the order of their names; the search index speaks in these numbers. */
  toolAt(id: number): Tool {
    return this.#recentAt.of(id, () => {
      const found = this.#byId.get(id) as { record: string } | undefined;
      if (!found) throw new RouterError('CATALOG_INVALID', `no tool number ${id} in ${this.folder}`);
      return JSON.parse(found.record) as Tool;
    });
  }

  /** Tools whose name, `METHOD /path`, operationId or first sentence is exactly this text, letter case aside. */
  exactly(text: string): readonly number[] {
    return this.#recentExactly.of(text, () => {
      const found = this.#exact.all(text.toLowerCase(), operationKey(text)) as { id: number }[];
      return found.map(({ id }) => id);
    });
  }

  /** Tools that wrap an operation of this `METHOD /path`, whatever its parameters are called. */
  wrapping(operation: string): readonly Tool[] {
    const found = this.#byKey.all(operationKey(operation)) as { record: string }[];
    return found.map(({ record }) => JSON.parse(record) as Tool);
  }

  schema(name: string): JsonSchema {
    const found = this.#schemaByName.get(name) as { schema: Uint8Array } | undefined;
    if (!found) throw new RouterError('CATALOG_INVALID', `no schema of ${name} in ${this.folder}`);
    return JSON.parse(inflateRawSync(found.schema).toString('utf8')) as JsonSchema;
  }

  /** Read once: the list cannot change, and it is asked for whenever a name is none of it. */
  names(): readonly string[] {
    this.#names ??= (this.#database.prepare('SELECT name FROM tools ORDER BY id').all() as { name: string }[]).map(
      ({ name }) => name,
    );
    return this.#names;
  }

  /** Every tool with its search text, by name: for building an index, not for serving. */
  *all(): Generator<{ tool: Tool; text: SearchText }> {
    const rows = this.#database.prepare(
      'SELECT record, text, said FROM tools LEFT JOIN sayings ON sayings.id = tools.sayings ORDER BY tools.id',
    );
    for (const row of rows.iterate()) {
      const { record, text, said } = row as { record: string; text: string; said: string | null };
      yield { tool: JSON.parse(record), text: { ...JSON.parse(text), sayings: said === null ? [] : JSON.parse(said) } };
    }
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** What the current catalog was asked to hold. */
export function currentScope(directory: string): CatalogScope | undefined {
  const pointer = readPointer(directory);
  return pointer?.format === FORMAT ? pointer.scope : undefined;
}

/** Opens the current catalog when it was made from exactly these inputs and nothing beside it is missing. */
export function openCurrent(
  directory: string,
  stampsNow: Inputs['stamps'],
  digestNow: () => string,
  companions: readonly Companion[],
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

/** What a catalog on disk consists of, and the small file that says what it was made from. */
export function exportedPointer(directory: string): (Omit<Pointer, 'stamps'> & { stamps: [] }) | undefined {
  const pointer = readPointer(directory);
  return pointer?.format === FORMAT ? { ...pointer, stamps: [] } : undefined;
}

export const CATALOG_FILE = 'catalog.sqlite';

/**
 * Puts a folder that came from elsewhere into service: first beside what is there, then by moving one small file. Whatever stops
 * it, the catalog of before is served on. The folder must lie in the same directory.
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
  const products = scope?.products;
  const scoped =
    typeof scope?.complete === 'boolean' &&
    (products === 'all' || (Array.isArray(products) && products.every((name) => typeof name === 'string')));
  if (!scoped) throw wrong('should say what it holds');
  if (!isWhole(draft, companions)) throw wrong('should be whole');
  const summary = readSummary(draft);
  if (summary === undefined || summary.digest !== digest)
    throw wrong('cannot be opened, or is another one than it says');
  const folder = join(directory, digest);
  if (isWhole(folder, companions) && readSummary(folder)?.digest === digest) rmSync(draft, { recursive: true });
  else {
    rmSync(folder, { recursive: true, force: true });
    renameSync(draft, folder);
  }
  writePointer(directory, {
    format,
    generator: generator ?? 'archive',
    scope: scope as CatalogScope,
    digest,
    stamps: [],
  });
  return folder;
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
export function openLatest(directory: string, companions: readonly Companion[] = []): Catalog | undefined {
  const pointer = readPointer(directory);
  if (pointer?.format !== FORMAT) return undefined;
  const folder = join(directory, pointer.digest);
  return isWhole(folder, companions) ? new Catalog(folder) : undefined;
}

const isWhole = (folder: string, companions: readonly Companion[]) =>
  [DATABASE, ...companions.map(({ file }) => file)].every((file) => existsSync(join(folder, file)));

export function writeCatalog(
  directory: string,
  inputs: Inputs,
  scope: CatalogScope,
  built: BuiltCatalog,
  companions: readonly Companion[],
): Catalog {
  return place(directory, inputs, scope, companions, (draft) => {
    writeDatabase(join(draft, DATABASE), summarise(inputs.digest, scope, built), built.tools);
    for (const { file, write } of companions) write(join(draft, file), built);
  });
}

/** A catalog that holds what `base` does and more; of the base nothing is read again, only copied. */
export function extendCatalog(
  directory: string,
  inputs: Inputs,
  base: Catalog,
  added: BuiltCatalog,
  companions: readonly Companion[],
): Catalog {
  const { scope } = base.summary;
  return place(directory, inputs, scope, companions, (draft) => {
    copyFileSync(join(base.folder, DATABASE), join(draft, DATABASE));
    const summary = joinedSummary(base.summary, summarise(inputs.digest, scope, added));
    extendDatabase(join(draft, DATABASE), summary, added.tools);
    for (const { file, extend } of companions) extend(join(draft, file), join(base.folder, file), added);
  });
}

/** Fills a folder aside and moves it to its place, so that nobody meets half of it. */
function place(
  directory: string,
  inputs: Inputs,
  scope: CatalogScope,
  companions: readonly Companion[],
  fill: (draft: string) => void,
): Catalog {
  mkdirSync(directory, { recursive: true });
  const folder = join(directory, inputs.digest);
  const draft = join(directory, `.draft-${process.pid}-${randomUUID().slice(0, 8)}`);
  mkdirSync(draft);
  try {
    fill(draft);
    // The same digest means the same content, so a folder that another process just wrote is as good as ours.
    if (isWhole(folder, companions)) rmSync(draft, { recursive: true });
    else {
      rmSync(folder, { recursive: true, force: true });
      renameSync(draft, folder);
    }
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!isWhole(folder, companions)) throw error;
  }
  writePointer(directory, { format: FORMAT, generator: 'server/catalog/store.ts', scope, ...inputs });
  removeOld(directory, inputs.digest);
  return new Catalog(folder);
}

function summarise(digest: string, scope: CatalogScope, built: BuiltCatalog): CatalogSummary {
  const count = (key: (tool: Tool) => string) => {
    const counts: Record<string, number> = {};
    for (const { tool } of built.tools) counts[key(tool)] = (counts[key(tool)] ?? 0) + 1;
    return counts;
  };
  return {
    digest,
    scope,
    tools: built.tools.length,
    platformTools: built.tools.filter(({ tool }) => !tool.local).length,
    platforms: count((tool) => tool.platform),
    capabilities: count((tool) => tool.capability),
    documents: built.documents.length,
    quarantined: built.quarantined,
    notes: built.notes,
  };
}

function joinedSummary(base: CatalogSummary, added: CatalogSummary): CatalogSummary {
  const sum = (a: Record<string, number>, b: Record<string, number>) => {
    const total = { ...a };
    for (const [key, count] of Object.entries(b)) total[key] = (total[key] ?? 0) + count;
    return total;
  };
  return {
    digest: added.digest,
    scope: added.scope,
    tools: base.tools + added.tools,
    platformTools: base.platformTools + added.platformTools,
    platforms: sum(base.platforms, added.platforms),
    capabilities: sum(base.capabilities, added.capabilities),
    documents: base.documents + added.documents,
    quarantined: [...base.quarantined, ...added.quarantined],
    notes: [...base.notes, ...added.notes],
  };
}

function readPointer(directory: string): Pointer | undefined {
  try {
    return JSON.parse(readFileSync(join(directory, 'current.json'), 'utf8')) as Pointer;
  } catch {
    // Missing or half-edited: either way there is no current catalog and the next build writes a whole one.
    return undefined;
  }
}

function writePointer(directory: string, pointer: Pointer): void {
  const draft = join(directory, `.current-${process.pid}-${randomUUID().slice(0, 8)}.json`);
  writeFileSync(draft, `${JSON.stringify(pointer, null, 1)}\n`);
  renameSync(draft, join(directory, 'current.json'));
}

/** Old folders go after a day, so a router that is just opening one is never robbed of it. */
function removeOld(directory: string, current: string): void {
  for (const name of readdirSync(directory)) {
    if (name === current || name === SHIPPED || name === 'current.json') continue;
    const path = join(directory, name);
    const info = statSync(path, { throwIfNoEntry: false });
    if (info && Date.now() - info.mtimeMs > KEEP_OLD_MS) rmSync(path, { recursive: true, force: true });
  }
}

export function digestOf(parts: Iterable<string | Buffer>): string {
  const hash = createHash('sha256').update(`format ${FORMAT}`);
  for (const part of parts) hash.update('\0').update(part);
  return hash.digest('hex').slice(0, 16);
}
