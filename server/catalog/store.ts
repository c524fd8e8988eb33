/**
 * The built catalog on disk: `<dir>/<digest>/catalog.sqlite`, found through `<dir>/current.json`. A build writes a new
 * folder and then moves one small file, so a failed build leaves the previous catalog serving and a running router
 * keeps the one it opened. Records stay in the file until a call needs one: start and memory do not grow with tools.
 */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import { RouterError } from '../errors.ts';
import type { BuiltCatalog } from './build.ts';
import { Recent } from './recent.ts';
import type { BuiltTool, JsonSchema, SearchText, Tool } from './tool.ts';
import { unchanging } from './unchanging.ts';

/** Goes up when what a build writes changes its form. */
export const FORMAT = 5;
const KEEP_OLD_MS = 24 * 3600 * 1000;

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
    this.#database = new DatabaseSync(unchanging(join(folder, 'catalog.sqlite')), { readOnly: true });
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
  try {
    const catalog = new Catalog(folder);
    if (!unchanged) writePointer(directory, { ...pointer, stamps: stampsNow });
    return catalog;
  } catch {
    // Damaged on disk: it is derived data, so it is made again.
    rmSync(folder, { recursive: true, force: true });
    return undefined;
  }
}

export type CatalogState =
  | { kind: 'missing' | 'other-format' | 'damaged' }
  | { kind: 'stale' | 'current'; folder: string; summary: CatalogSummary };

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
  ['catalog.sqlite', ...companions.map(({ file }) => file)].every((file) => existsSync(join(folder, file)));

export function writeCatalog(
  directory: string,
  inputs: Inputs,
  scope: CatalogScope,
  built: BuiltCatalog,
  companions: readonly Companion[],
): Catalog {
  mkdirSync(directory, { recursive: true });
  const folder = join(directory, inputs.digest);
  const draft = join(directory, `.draft-${process.pid}-${randomUUID().slice(0, 8)}`);
  mkdirSync(draft);
  try {
    writeDatabase(join(draft, 'catalog.sqlite'), summarise(inputs.digest, scope, built), built.tools);
    for (const { file, write } of companions) write(join(draft, file), built);
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

function writeDatabase(path: string, summary: CatalogSummary, tools: readonly BuiltTool[]): void {
  const database = new DatabaseSync(path);
  try {
    database.exec(
      // Rows of two kilobytes would leave half of every usual page empty.
      'PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;' +
        'CREATE TABLE meta (value TEXT NOT NULL);' +
        'CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL, operation TEXT, line TEXT NOT NULL,' +
        ' record TEXT NOT NULL, schema BLOB NOT NULL, text TEXT NOT NULL, sayings INTEGER);' +
        // The operations of one resource share theirs.
        'CREATE TABLE sayings (id INTEGER PRIMARY KEY, said TEXT NOT NULL);',
    );
    database.prepare('INSERT INTO meta VALUES (?)').run(JSON.stringify(summary));
    const insert = database.prepare('INSERT INTO tools VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)');
    const say = sayingWriter(database);
    tools.forEach(({ tool, schema, text: { sayings, ...text } }, id) => {
      const operation = tool.operationId?.toLowerCase() ?? null;
      const key = operationKey(`${tool.method} ${tool.path}`);
      insert.run(
        id,
        tool.name,
        key,
        operation,
        tool.line.toLowerCase(),
        JSON.stringify(tool),
        // Schemas are the half of a catalog that is read least: one per call, packed to a third.
        deflateRawSync(JSON.stringify(schema)),
        JSON.stringify(text),
        sayings.length === 0 ? null : say(JSON.stringify(sayings)),
      );
    });
    database.exec(
      'CREATE INDEX by_key ON tools (key); CREATE INDEX by_operation ON tools (operation); CREATE INDEX by_line ON tools (line); COMMIT',
    );
  } finally {
    database.close();
  }
}

/** Writes each list of sayings once and answers its number. */
function sayingWriter(database: DatabaseSync): (said: string) => number {
  const insert = database.prepare('INSERT INTO sayings VALUES (?, ?)');
  const known = new Map<string, number>();
  return (said) => {
    const id = known.get(said) ?? known.size + 1;
    if (!known.has(said)) insert.run(id, said);
    known.set(said, id);
    return id;
  };
}

/** `METHOD /path` with parameter names left out, so that `{id}` and `{site-id}` are one template. */
function operationKey(text: string): string {
  return text
    .trim()
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/^\w+/, (method) => method.toUpperCase());
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
    if (name === current || name === 'current.json') continue;
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
