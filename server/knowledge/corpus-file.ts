/** The corpus file: its tables, its form, and how an earlier form becomes this one. */
import { randomBytes } from 'node:crypto';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { makeFolder } from '../files/make-folder.ts';

export const CORPUS_FILE = 'corpus.sqlite';

/** 1 had no vectors, and its passages could take over the number of one that was gone. */
export const CORPUS_FORM = 2;

const PASSAGE = `(id INTEGER PRIMARY KEY AUTOINCREMENT, document INTEGER NOT NULL REFERENCES document (id) ON DELETE CASCADE,
  section TEXT NOT NULL, heading TEXT NOT NULL, text TEXT NOT NULL)`;

const TABLES = `
CREATE TABLE IF NOT EXISTS document (
  id INTEGER PRIMARY KEY, collection TEXT NOT NULL, path TEXT NOT NULL, hash TEXT NOT NULL, ingested_at TEXT NOT NULL,
  title TEXT NOT NULL, source TEXT NOT NULL, doc_type TEXT NOT NULL, platform TEXT NOT NULL, version TEXT NOT NULL,
  date TEXT NOT NULL, licence TEXT NOT NULL, superseded_by TEXT NOT NULL, vectors TEXT NOT NULL DEFAULT '',
  UNIQUE (collection, path));
CREATE TABLE IF NOT EXISTS passage ${PASSAGE};
CREATE INDEX IF NOT EXISTS passage_document ON passage (document);
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (place, title, heading, body, tokenize = "unicode61 tokenchars '.'");
CREATE TABLE IF NOT EXISTS code (passage INTEGER PRIMARY KEY REFERENCES passage (id) ON DELETE CASCADE, code BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS vector (passage INTEGER PRIMARY KEY REFERENCES passage (id) ON DELETE CASCADE, vector BLOB NOT NULL);
CREATE TABLE IF NOT EXISTS outdated (passage INTEGER PRIMARY KEY, collection TEXT NOT NULL, vectors TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS corpus (id TEXT NOT NULL);`;

const FROM_FORM_1 = `
ALTER TABLE document ADD COLUMN vectors TEXT NOT NULL DEFAULT '';
ALTER TABLE passage RENAME TO earlier;
CREATE TABLE passage ${PASSAGE};
INSERT INTO passage SELECT id, document, section, heading, text FROM earlier;
DROP TABLE earlier;`;

/** Opens a corpus; to write also makes what is not there yet. */
export function openCorpusFile(file: string, { readOnly = false } = {}): DatabaseSync {
  if (!readOnly) makeFolder(dirname(file));
  const database = new DatabaseSync(file, { readOnly, timeout: 5_000, enableForeignKeyConstraints: false });
  try {
    if (!readOnly) {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL');
      if (formOf(database) < CORPUS_FORM) inOneStep(database, () => renew(database));
    }
    database.exec('PRAGMA foreign_keys = ON');
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

export function formOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
}

/** All of a change, or nothing of it. */
export function inOneStep(database: DatabaseSync, change: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    change();
    database.exec('COMMIT');
  } catch (error) {
    database.exec('ROLLBACK');
    throw error;
  }
}

function renew(database: DatabaseSync): void {
  // Another process may have done it while this one waited.
  if (formOf(database) >= CORPUS_FORM) return;
  const earlier = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'document'").get() !== undefined;
  if (earlier) database.exec(FROM_FORM_1);
  database.exec(TABLES);
  database.prepare('INSERT INTO corpus VALUES (?)').run(randomBytes(9).toString('base64url'));
  database.exec(`PRAGMA user_version = ${CORPUS_FORM}`);
}
