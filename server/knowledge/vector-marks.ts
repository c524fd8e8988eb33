/**
 * Which documents have vectors, made by whom and kept where: each bears the mark of that. A document that is replaced loses
 * its mark in the same step, so whoever is killed between words and vectors finds the rest to do here.
 */
import type { DatabaseSync } from 'node:sqlite';
import { inOneStep } from './corpus-file.ts';

export interface MarkedPassage {
  id: number;
  title: string;
  heading: string;
  text: string;
}

export interface WaitingDocument {
  id: number;
  hash: string;
  path: string;
  source: string;
  platform: string;
}

/** Vectors somewhere else whose passages are gone. */
export interface Outdated {
  mark: string;
  collection: string;
  passages: number[];
}

/** Begins the marks of vectors that lie in the corpus file itself and leave it with their passage. */
const OWN = 'embedded/';

export class VectorMarks {
  readonly #database: DatabaseSync;
  #known: { version: string; counted: { all: number; marked: number } } | undefined;

  constructor(database: DatabaseSync) {
    this.#database = database;
  }

  /** Documents of a collection without vectors of this mark, in the order of their paths. */
  waiting(collection: string, mark: string): WaitingDocument[] {
    return this.#database
      .prepare(
        'SELECT id, hash, path, source, platform FROM document WHERE collection = ? AND vectors <> ? ORDER BY path',
      )
      .all(collection, mark) as unknown as WaitingDocument[];
  }

  passagesOf(document: number): MarkedPassage[] {
    return this.#database
      .prepare(
        `SELECT passage.id, title, heading, text FROM passage JOIN document ON document.id = passage.document
         WHERE document.id = ? ORDER BY passage.id`,
      )
      .all(document) as unknown as MarkedPassage[];
  }

  /** Before vectors go to another place: should nobody finish, they are to leave it again. */
  begin({ id }: WaitingDocument, mark: string): void {
    if (mark.startsWith(OWN)) return;
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO outdated SELECT passage.id, collection, ? FROM passage
         JOIN document ON document.id = passage.document WHERE document.id = ?`,
      )
      .run(mark, id);
  }

  /** They are there, if the document is still the one they were made of. */
  finish({ id, hash }: WaitingDocument, mark: string): void {
    this.#known = undefined;
    inOneStep(this.#database, () => {
      const { changes } = this.#database
        .prepare('UPDATE document SET vectors = ? WHERE id = ? AND hash = ?')
        .run(mark, id, hash);
      if (Number(changes) > 0)
        this.#database
          .prepare('DELETE FROM outdated WHERE passage IN (SELECT id FROM passage WHERE document = ?)')
          .run(id);
    });
  }

  /** The store has lost the vectors, so they must be made again. */
  clear(collection: string, mark: string): void {
    this.#known = undefined;
    this.#database
      .prepare("UPDATE document SET vectors = '' WHERE collection = ? AND vectors = ?")
      .run(collection, mark);
  }

  /** Passages of a collection, and those whose document bears the mark. */
  counts(collection: string, mark: string): { passages: number; marked: number } {
    return this.#database
      .prepare(
        `SELECT count(*) AS passages, coalesce(sum(vectors = ?), 0) AS marked
         FROM passage JOIN document ON document.id = passage.document WHERE collection = ?`,
      )
      .get(mark, collection) as { passages: number; marked: number };
  }

  /** Documents of a collection, and those that bear the mark: asked with every question, so nothing is counted twice. */
  documents(collection: string, mark: string): { all: number; marked: number } {
    const version = `${this.#database.prepare('PRAGMA data_version').get()?.['data_version']} ${collection} ${mark}`;
    if (this.#known?.version !== version) {
      const counted = this.#database
        .prepare('SELECT count(*) AS "all", coalesce(sum(vectors = ?), 0) AS marked FROM document WHERE collection = ?')
        .get(mark, collection) as { all: number; marked: number };
      this.#known = { version, counted };
    }
    return this.#known.counted;
  }

  /** How many documents bear the mark, by `collection/source`. */
  bySource(mark: string): Map<string, number> {
    const rows = this.#database
      .prepare(
        'SELECT collection, source, count(*) AS count FROM document WHERE vectors = ? GROUP BY collection, source',
      )
      .all(mark);
    return new Map(rows.map(({ collection, source, count }) => [`${collection}/${source}`, Number(count)]));
  }

  /** Notes, in the step that drops a document, what is to leave another place; the corpus file forgets its own by itself. */
  dropping(where: string, ...values: string[]): void {
    this.#database
      .prepare(
        `INSERT OR REPLACE INTO outdated SELECT passage.id, collection, vectors FROM passage
         JOIN document ON document.id = passage.document WHERE ${where} AND vectors <> '' AND vectors NOT LIKE '${OWN}%'`,
      )
      .run(...values);
  }

  outdated(mark: string): Outdated[] {
    const rows = this.#database
      .prepare('SELECT collection, passage FROM outdated WHERE vectors = ? ORDER BY collection')
      .all(mark) as { collection: string; passage: number }[];
    return [...Map.groupBy(rows, ({ collection }) => collection)].map(([collection, own]) => ({
      mark,
      collection,
      passages: own.map(({ passage }) => passage),
    }));
  }

  forget({ passages }: Outdated): void {
    inOneStep(this.#database, () => {
      const forget = this.#database.prepare('DELETE FROM outdated WHERE passage = ?');
      for (const passage of passages) forget.run(passage);
    });
  }
}
