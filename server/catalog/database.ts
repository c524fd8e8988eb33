/** The tools of a catalog as one SQLite file: written whole, or tools added to a copy of one. */
import { DatabaseSync } from 'node:sqlite';
import { deflateRawSync } from 'node:zlib';
import type { CatalogSummary } from './summary.ts';
import type { BuiltTool } from './tool.ts';

const LAYOUT =
  // Rows of two kilobytes would leave half of every usual page empty.
  'PRAGMA page_size = 16384; PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN;' +
  'CREATE TABLE meta (value TEXT NOT NULL);' +
  'CREATE TABLE tools (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, key TEXT NOT NULL, operation TEXT, line TEXT NOT NULL,' +
  ' record TEXT NOT NULL, schema BLOB NOT NULL, text TEXT NOT NULL);';
const INDEXES =
  'CREATE INDEX by_key ON tools (key); CREATE INDEX by_operation ON tools (operation); CREATE INDEX by_line ON tools (line);';

export function writeDatabase(path: string, summary: CatalogSummary, tools: readonly BuiltTool[]): void {
  using database = new DatabaseSync(path);
  database.exec(LAYOUT);
  database.prepare('INSERT INTO meta VALUES (?)').run(JSON.stringify(summary));
  insertTools(database, tools, 0);
  database.exec(`${INDEXES} COMMIT`);
}

/** Adds tools behind those that a file holds. A copy that is cut short is thrown away, so no journal is kept. */
export function extendDatabase(path: string, summary: CatalogSummary, tools: readonly BuiltTool[]): void {
  using database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
  database.prepare('UPDATE meta SET value = ?').run(JSON.stringify(summary));
  const { held } = database.prepare('SELECT count(*) AS held FROM tools').get() as { held: number };
  insertTools(database, tools, held);
  database.exec('COMMIT');
}

function insertTools(database: DatabaseSync, tools: readonly BuiltTool[], firstId: number): void {
  const insert = database.prepare('INSERT INTO tools VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const pack = packer();
  tools.forEach(({ tool, schema, text }, at) => {
    const operation = tool.operationId?.toLowerCase() ?? null;
    insert.run(
      firstId + at,
      tool.name,
      operationKey(`${tool.method} ${tool.path}`),
      operation,
      tool.line.toLowerCase(),
      JSON.stringify(tool),
      // Schemas are the half of a catalog that is read least: one per call, packed to a third.
      pack(JSON.stringify(schema)),
      JSON.stringify(text),
    );
  });
}

/** Packs each text once: of the shipped tools a quarter have the schema of another one. */
function packer(): (text: string) => Buffer {
  const packed = new Map<string, Buffer>();
  return (text) => {
    const known = packed.get(text) ?? deflateRawSync(text);
    packed.set(text, known);
    return known;
  };
}

/** `METHOD /path` with parameter names left out, so that `{id}` and `{site-id}` are one template. */
export function operationKey(text: string): string {
  return text
    .trim()
    .replace(/\{[^}]*\}/g, '{}')
    .replace(/^\w+/, (method) => method.toUpperCase());
}
