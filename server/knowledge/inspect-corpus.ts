/** A look at a corpus file that leaves no trace, not even the files that SQLite puts beside one that it reads. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { pathToFileURL } from 'node:url';
import { CORPUS_FORM, formOf } from './corpus-file.ts';

export interface CorpusState {
  form: 'current' | 'earlier' | 'later';
  documents: number;
  passages: number;
  /** Documents by who made their vectors and where they are kept, as `backend/model`. */
  vectors: ReadonlyMap<string, number>;
}

/** Undefined where there is none; throws for one that cannot be read. */
export function inspectCorpus(file: string): CorpusState | undefined {
  if (!existsSync(file)) return undefined;
  const url = new URL(`${pathToFileURL(file).href}?immutable=1`);
  const database = new DatabaseSync(url, { readOnly: true });
  try {
    const count = (table: string) =>
      Number(database.prepare(`SELECT count(*) AS count FROM ${table}`).get()?.['count']);
    const form = formOf(database);
    const marked =
      form < CORPUS_FORM
        ? []
        : database
            .prepare("SELECT vectors, count(*) AS count FROM document WHERE vectors <> '' GROUP BY vectors")
            .all();
    return {
      form: form === CORPUS_FORM ? 'current' : form < CORPUS_FORM ? 'earlier' : 'later',
      documents: count('document'),
      passages: count('passage'),
      vectors: new Map(marked.map((row) => [String(row['vectors']), Number(row['count'])])),
    };
  } finally {
    database.close();
  }
}
