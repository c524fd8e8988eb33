/** Documents → one SQLite file, written beside the old one and renamed, so that a reader never sees half of it. */
import { chmodSync, copyFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { CatalogDocument } from '../catalog/build.ts';
import { isObject, scalarText } from '../catalog/platform-document.ts';
import { replaceAtomically } from '../files/atomic-write.ts';
import { makeFolder } from '../files/make-folder.ts';
import { countDocument, type DocumentCount } from './count.ts';
import { type Entry, entriesOf, generationOf } from './entry.ts';
import { exactKey, searchWords } from './search-terms.ts';

export const SPEC_INDEX_VERSION = 4;

const LAYOUT = `
  PRAGMA journal_mode = OFF;
  PRAGMA synchronous = OFF;
  CREATE TABLE about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
  CREATE TABLE document (
    id INTEGER PRIMARY KEY, platform TEXT, name TEXT, title TEXT, version TEXT,
    endpoints INTEGER, schemas INTEGER, fields INTEGER
  );
  CREATE TABLE entry (id INTEGER PRIMARY KEY, document INTEGER, kind TEXT, ref TEXT, name TEXT, text TEXT, version TEXT, old INTEGER);
  CREATE TABLE exact (word TEXT, rank INTEGER, entry INTEGER, PRIMARY KEY (word, rank, entry)) WITHOUT ROWID;
  CREATE VIRTUAL TABLE prose USING fts5 (name, body, content = '', detail = column, tokenize = 'porter unicode61');
`;
const KINDS: readonly Entry['kind'][] = ['endpoint', 'schema', 'enum', 'field'];
/** Shorter enum values (\`up\`, \`on\`, \`2.4\`) would answer half of all questions. */
const SHORTEST_VALUE = 4;

export function buildSpecIndex(file: string, documents: readonly CatalogDocument[]): DocumentCount {
  return writeWhole(file, (fresh) => {
    using database = new DatabaseSync(fresh);
    database.exec(LAYOUT);
    database.exec('BEGIN');
    const total = addDocuments(database, documents);
    database.prepare('INSERT INTO about VALUES (?, ?)').run('layout', String(SPEC_INDEX_VERSION));
    database.exec("COMMIT; INSERT INTO prose (prose) VALUES ('optimize')");
    database.exec('CREATE TABLE frequency (word TEXT PRIMARY KEY, entries INTEGER) WITHOUT ROWID');
    countWords(database);
    return total;
  });
}

/** The index at `from` with more documents, none of its own read again; answers what was added. */
export function extendSpecIndex(file: string, from: string, documents: readonly CatalogDocument[]): DocumentCount {
  return writeWhole(file, (fresh) => {
    copyFileSync(from, fresh);
    chmodSync(fresh, 0o600);
    using database = new DatabaseSync(fresh);
    database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN');
    const total = addDocuments(database, documents);
    database.exec('DELETE FROM frequency');
    countWords(database);
    database.exec('COMMIT');
    return total;
  });
}

/** Written aside and moved to its place when it is complete. */
function writeWhole(file: string, write: (draft: string) => DocumentCount): DocumentCount {
  makeFolder(dirname(file));
  return replaceAtomically(file, write, { mode: 0o444 });
}

function addDocuments(database: DatabaseSync, documents: readonly CatalogDocument[]): DocumentCount {
  const total: DocumentCount = { endpoints: 0, schemas: 0, fields: 0 };
  setForWriting(database);
  const { addEntry, addExactWords } = entryWriter(database);
  const addDocument = database.prepare('INSERT INTO document VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const first = held(database, 'document');
  for (const [at, { platform, document }] of documents.entries()) {
    const count = countDocument(document);
    const info = isObject(document.content['info']) ? document.content['info'] : {};
    const title = scalarText(info['title'] ?? document.id);
    const version = scalarText(info['version']);
    const id = first + at;
    addDocument.run(id, platform, document.id, title, version, count.endpoints, count.schemas, count.fields);
    for (const entry of entriesOf(document)) addEntry(id, entry);
    for (const name of ['endpoints', 'schemas', 'fields'] as const) total[name] += count[name];
  }
  addExactWords();
  setForReading(database);
  return total;
}

/**
 * Words are gathered in memory and written in few pieces, which nothing joins while more come. The defaults (fts5.html, sections
 * 6.1 and 6.6) expect a table that is read between two writes.
 */
function setForWriting(database: DatabaseSync): void {
  database.exec(`
    PRAGMA cache_size = -${CACHE_KB};
    INSERT INTO prose (prose, rank) VALUES ('automerge', 0);
    INSERT INTO prose (prose, rank) VALUES ('hashsize', ${GATHERED_BYTES});
  `);
}

function setForReading(database: DatabaseSync): void {
  database.exec(`
    INSERT INTO prose (prose, rank) VALUES ('automerge', 4);
    INSERT INTO prose (prose, rank) VALUES ('hashsize', ${1 << 20});
  `);
}

const CACHE_KB = 64 * 1024;
const GATHERED_BYTES = 32 << 20;
/** Exact words held in memory, about 20 MB. */
const MOST_GATHERED = 200_000;

const held = (database: DatabaseSync, table: 'document' | 'entry'): number =>
  (database.prepare(`SELECT count(*) AS held FROM ${table}`).get() as { held: number }).held;

/** In how many entries each word stands, which tells rare words from common ones. */
function countWords(database: DatabaseSync): void {
  database.exec(`
    CREATE VIRTUAL TABLE term USING fts5vocab (prose, row);
    INSERT INTO frequency SELECT term, doc FROM term;
    DROP TABLE term;
  `);
}

interface EntryWriter {
  addEntry: (document: number, entry: Entry) => void;
  /** Writes the exact words that are gathered, in the order of their table: most rows then go behind the one before. */
  addExactWords: () => void;
}

function entryWriter(database: DatabaseSync): EntryWriter {
  const addRow = database.prepare('INSERT INTO entry VALUES (?, ?, ?, ?, ?, ?, ?, ?)');
  const addExact = database.prepare('INSERT OR IGNORE INTO exact VALUES (?, ?, ?)');
  const addProse = database.prepare('INSERT INTO prose (rowid, name, body) VALUES (?, ?, ?)');
  const exact = new Map<string, { rank: number; id: number }[]>();
  let gathered = 0;
  const addExactWords = () => {
    for (const word of [...exact.keys()].sort())
      for (const { rank, id } of (exact.get(word) ?? []).sort((a, b) => a.rank - b.rank)) addExact.run(word, rank, id);
    exact.clear();
    gathered = 0;
  };
  let next = held(database, 'entry') + 1;
  const writeEntry: EntryWriter['addEntry'] = (document, entry) => {
    const id = next++;
    addRow.run(
      id,
      document,
      entry.kind,
      entry.ref,
      entry.name,
      entry.text,
      entry.apiVersion,
      entry.newer === '' ? 0 : 1,
    );
    const rank = rankOf(entry);
    for (const word of exactWords(entry)) {
      const found = exact.get(word);
      if (found) found.push({ rank, id });
      else exact.set(word, [{ rank, id }]);
      gathered += 1;
    }
    if (gathered >= MOST_GATHERED) addExactWords();
    addProse.run(id, searchWords(`${entry.name} ${entry.short}`).join(' '), searchWords(entry.text).join(' '));
  };
  return { addEntry: writeEntry, addExactWords };
}

/**
 * Among entries of one name: the newer form first, then what can be called, then schemas, enums, fields; of those a schema before
 * a field of the same name in another, then the generated v1alpha1 before every other version, and the classic generation last
 * (specification, section 9).
 */
const rankOf = (entry: Entry) =>
  (((entry.newer === '' ? 0 : KINDS.length) + KINDS.indexOf(entry.kind)) * 2 +
    Number(entry.ref.split('#').length > 2)) *
    GENERATIONS +
  generationOf(entry);
const GENERATIONS = 3;

function exactWords(entry: Entry): Set<string> {
  const words = new Set([exactKey(entry.name)]);
  if (entry.short !== '') words.add(exactKey(entry.short));
  if (entry.kind === 'endpoint') {
    const path = entry.name.slice(entry.name.indexOf(' ') + 1);
    words.add(exactKey(path));
    const collection = collectionOf(path);
    if (collection.length >= SHORTEST_VALUE) words.add(exactKey(collection));
  }
  for (const value of entry.values) if (value.length >= SHORTEST_VALUE) words.add(exactKey(value));
  return words;
}

/** The last name in a path that is no key and no form of its collection: `wlan-ssids` of `/v1alpha1/wlan-ssids/{ssid}`. */
const collectionOf = (path: string): string =>
  path
    .split('/')
    .filter((segment) => segment !== '' && !segment.includes('{') && !FORMS.has(segment))
    .at(-1) ?? '';
const FORMS: ReadonlySet<string> = new Set(['count', 'search', 'summary', 'export']);
