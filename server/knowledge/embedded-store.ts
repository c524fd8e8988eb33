/**
 * A corpus in one SQLite file. Its full-text index finds words; platform and version in the question then order the
 * hits. One transaction replaces a document, so a killed process leaves either the old or the new one.
 */
import type { DatabaseSync } from 'node:sqlite';
import { CORPUS_FORM, formOf, inOneStep, openCorpusFile } from './corpus-file.ts';
import type { CorpusSource, Store, StoredPassage, Wanted } from './corpus-store.ts';
import { editionFit, withKnownVersions } from './edition.ts';
import { type Asked, stems } from './knowledge-query.ts';
import type { DocumentMetadata, ReadDocument } from './passage.ts';
import { VectorMarks } from './vector-marks.ts';

const METADATA = 'document.path, document.title, source, doc_type, platform, version, date, licence, superseded_by';
/** Passages that full text hands over to be ordered. */
const CANDIDATES = 200;
/** Weights of place, title, heading and body. */
const COLUMNS = '0.0, 1.0, 4.0, 1.0';

type Row = Record<string, string | number>;

export class EmbeddedStore implements Store {
  readonly #database: DatabaseSync;
  readonly #readOnly: boolean;

  /** Undefined in a file of an earlier form that is only read: it has no vectors. */
  readonly marks: VectorMarks | undefined;

  constructor(file: string, { readOnly = false } = {}) {
    this.#database = openCorpusFile(file, { readOnly });
    this.#readOnly = readOnly;
    this.marks = formOf(this.#database) < CORPUS_FORM ? undefined : new VectorMarks(this.#database);
  }

  get identity(): string {
    return String(this.#database.prepare('SELECT id FROM corpus').get()?.['id']);
  }

  hashOf(collection: string, path: string): string | undefined {
    const row = this.#database
      .prepare('SELECT hash FROM document WHERE collection = ? AND path = ?')
      .get(collection, path);
    return row?.['hash'] as string | undefined;
  }

  paths(collection: string): string[] {
    const rows = this.#database.prepare('SELECT path FROM document WHERE collection = ? ORDER BY path').all(collection);
    return rows.map(({ path }) => path as string);
  }

  put(collection: string, hash: string, { metadata, passages }: ReadDocument): void {
    inOneStep(this.#database, () => {
      this.#drop(collection, metadata.path);
      const { title, source, doc_type, platform, version, date, licence, superseded_by } = metadata;
      const values = [
        collection,
        metadata.path,
        hash,
        new Date().toISOString(),
        title,
        source,
        doc_type,
        platform,
        version,
        date,
        licence,
        superseded_by,
      ];
      const insert = this.#database.prepare(
        'INSERT INTO document (collection, path, hash, ingested_at, title, source, doc_type, platform, version, date, licence, superseded_by) VALUES (?,?,?,?,?,?,?,?,?,?,?,?)',
      );
      const document = insert.run(...values).lastInsertRowid;
      const keep = this.#database.prepare('INSERT INTO passage (document, section, heading, text) VALUES (?,?,?,?)');
      const index = this.#database.prepare('INSERT INTO words (rowid, place, title, heading, body) VALUES (?,?,?,?,?)');
      const place = [`c.${collection}`, `s.${source}`, `p.${platform || 'none'}`].join(' ');
      const titleWords = stems(title).join(' ');
      for (const { section, heading, text } of passages) {
        const id = keep.run(document, section, heading, text).lastInsertRowid;
        index.run(id, place, titleWords, stems(heading).join(' '), stems(text).join(' '));
      }
    });
  }

  remove(collection: string, path: string): void {
    inOneStep(this.#database, () => this.#drop(collection, path));
  }

  search(asked: Asked, wanted: Wanted): StoredPassage[] {
    const { limit, collection, sources } = wanted;
    if (asked.terms.size === 0) return [];
    // Ordering reads a few columns of all candidates; only the hits that are returned need their texts.
    const found = this.#rows(
      `SELECT passage.id, passage.section, passage.heading, ${METADATA}, found.score,
       words.title AS title_words, words.heading AS heading_words, words.body AS body_words
       FROM (SELECT rowid, -bm25(words, ${COLUMNS}) AS score FROM words
         WHERE words MATCH ? ORDER BY bm25(words, ${COLUMNS}) LIMIT ${CANDIDATES}) AS found
       JOIN words ON words.rowid = found.rowid
       JOIN passage ON passage.id = found.rowid JOIN document ON document.id = passage.document
       WHERE collection = ? AND (? IS NULL OR instr(?, '|' || source || '|') > 0)`,
      [matchOf(asked, wanted), collection, ...both(sources)],
    );
    // A question that means a platform nothing is written about is asked of everything.
    if (found.length === 0 && asked.platforms.size > 0) return this.search({ ...asked, platforms: new Set() }, wanted);
    const known = withKnownVersions(asked, found as unknown as DocumentMetadata[]);
    const scored = found.map(({ title_words, heading_words, body_words, ...row }) => {
      const words = { heading: split(heading_words), all: split(`${title_words} ${heading_words} ${body_words}`) };
      return { row, score: scoreOf(row, words, known) };
    });
    const text = this.#database.prepare('SELECT text FROM passage WHERE id = ?');
    return scored
      .sort((a, b) => b.score - a.score)
      .slice(0, limit)
      .map(({ row, score }) => {
        const own = text.get(row['id'] as number)?.['text'];
        return { ...passageOf({ ...row, text: String(own) }), score };
      });
  }

  named(identifier: string, { limit, collection, sources }: Wanted): StoredPassage[] {
    const like = `%${identifier.toLowerCase().replaceAll(/[%_\\]/g, '\\$&')}%`;
    const rows = this.#rows(
      `SELECT passage.id, passage.section, passage.heading, passage.text, ${METADATA}, 100 AS score FROM passage
       JOIN document ON document.id = passage.document
       WHERE (lower(document.path) LIKE ? ESCAPE '\\' OR lower(document.title) LIKE ? ESCAPE '\\') AND collection = ?
       AND (? IS NULL OR instr(?, '|' || source || '|') > 0) ORDER BY superseded_by <> '', document.path, passage.id LIMIT 200`,
      [like, like, collection, ...both(sources)],
    );
    return rows
      .map(passageOf)
      .filter(({ metadata: { path, title } }) => isNamedIn(`${path} ${title}`, identifier))
      .slice(0, limit);
  }

  byIds(ids: readonly number[], mark: string, { collection, sources }: Wanted): StoredPassage[] {
    const rows = this.#rows(
      `SELECT passage.id, passage.section, passage.heading, passage.text, ${METADATA}, 0 AS score FROM passage
       JOIN document ON document.id = passage.document WHERE passage.id IN (SELECT value FROM json_each(?))
       AND vectors = ? AND collection = ? AND (? IS NULL OR instr(?, '|' || source || '|') > 0)`,
      [JSON.stringify(ids), mark, collection, ...both(sources)],
    );
    return rows.map(passageOf);
  }

  /** Every passage of a collection, in the order of paths. */
  passages(collection: string): StoredPassage[] {
    const sql = `SELECT passage.id, passage.section, passage.heading, passage.text, ${METADATA}, 0 AS score FROM passage
      JOIN document ON document.id = passage.document WHERE collection = ? ORDER BY document.path, passage.id`;
    return this.#rows(sql, [collection]).map(passageOf);
  }

  has(collection: string): boolean {
    return this.#rows('SELECT 1 FROM document WHERE collection = ? LIMIT 1', [collection]).length > 0;
  }

  sources(): CorpusSource[] {
    const rows = this.#rows(
      `SELECT collection, source, count(DISTINCT document.id) AS documents, count(passage.id) AS passages,
       json_group_array(DISTINCT licence) AS licences, max(ingested_at) AS ingested_at
       FROM document LEFT JOIN passage ON passage.document = document.id GROUP BY collection, source ORDER BY collection, source`,
      [],
    );
    return rows.map(({ licences, ...row }) => ({
      ...row,
      licences: (JSON.parse(String(licences)) as string[]).map((one) => one || 'not stated'),
    })) as unknown as CorpusSource[];
  }

  [Symbol.dispose](): void {
    // One file and nothing beside it can be read from a volume that nobody may write; while others read, it stays as it is.
    if (!this.#readOnly)
      try {
        this.#database.exec('PRAGMA journal_mode = DELETE');
      } catch {}
    this.#database.close();
  }

  #rows(sql: string, values: readonly (string | null)[]): Row[] {
    return this.#database.prepare(sql).all(...values) as Row[];
  }

  #drop(collection: string, path: string): void {
    const where = 'FROM document WHERE collection = ? AND path = ?';
    this.marks?.dropping('collection = ? AND path = ?', collection, path);
    this.#database
      .prepare(`DELETE FROM words WHERE rowid IN (SELECT id FROM passage WHERE document IN (SELECT id ${where}))`)
      .run(collection, path);
    this.#database.prepare(`DELETE ${where}`).run(collection, path);
  }
}

/** An identifier that goes on in further digits or letters is another one: `CVE-2026-1234` is not `CVE-2026-12345`. */
function isNamedIn(text: string, identifier: string): boolean {
  const [lower, wanted] = [text.toLowerCase(), identifier.toLowerCase()];
  const isWord = (sign = ' ') => /[\p{L}\p{N}]/u.test(sign);
  for (let at = lower.indexOf(wanted); at >= 0; at = lower.indexOf(wanted, at + 1))
    if (!isWord(lower[at - 1]) && !isWord(lower[at + wanted.length])) return true;
  return false;
}

/** Any of the words, in one collection, where sources and platforms fit. */
function matchOf({ terms, platforms }: Asked, { collection, sources = [] }: Wanted): string {
  // A query ends at a NUL for SQLite, wherever it stands.
  const quoted = (text: string) => `"${text.replaceAll(/["\0]/g, '')}"`;
  const any = (values: readonly string[]) => `(${values.map(quoted).join(' OR ')})`;
  const places = [
    [`c.${collection}`],
    sources.map((source) => `s.${source}`),
    platforms.size > 0 ? [...platforms, 'none'].map((id) => `p.${id}`) : [],
  ].filter((values) => values.length > 0);
  return [...places.map((values) => `place : ${any(values)}`), `{title heading body} : ${any([...terms.keys()])}`].join(
    ' AND ',
  );
}

function both(sources: readonly string[] | undefined): [string | null, string | null] {
  const list = sources === undefined || sources.length === 0 ? null : `|${sources.join('|')}|`;
  return [list, list];
}

function passageOf({ id, section, heading, text, score, ...metadata }: Row): StoredPassage {
  return { id, section, heading, text, score, metadata: metadata as unknown as DocumentMetadata } as StoredPassage;
}

/** Full text counts a synonym like the word itself. This score applies its own weight, and adds version and age. */
function scoreOf(row: Row, words: { heading: Set<string>; all: Set<string> }, asked: Asked): number {
  let [held, all, titled] = [0, 0, 0];
  for (const [term, weight] of asked.terms) {
    if (weight === 1) all += 1;
    if (words.all.has(term)) held += weight;
    if (words.heading.has(term)) titled += weight;
  }
  const coverage = 0.3 + held / Math.max(all, 1);
  return Number(row['score']) * coverage * (1 + titled / 2) * editionFit(row as unknown as DocumentMetadata, asked);
}

const split = (words: unknown): Set<string> => new Set(String(words).split(' '));
