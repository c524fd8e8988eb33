/**
 * Vectors beside the documents in the corpus file. The codes are kept in memory for the first pass; the vectors of what that
 * finds are read and compared exactly. A corpus of at most 200 passages is compared exactly as a whole.
 */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inOneStep, openCorpusFile } from '../corpus-file.ts';
import type { DocumentRef, Near, NearWanted, PassageVector, VectorStore } from '../vector-store.ts';
import { Codes, codeOf } from './codes.ts';

/** Passages that the first pass hands over, what the recall of the pair rests on: one of two hundred, within these. */
const CANDIDATES = { share: 1 / 200, least: 200, most: 1_000 };

interface Loaded {
  /** Of the file; another one means that somebody wrote. */
  version: number;
  codes: Codes;
  passages: Float64Array;
  /** Groups of the codes. */
  places: readonly (DocumentRef & { collection: string })[];
}

interface CodeRow {
  passage: number;
  code: Uint8Array;
  collection: string;
  source: string;
  platform: string;
}

export interface EmbeddedVectorsOptions {
  readOnly?: boolean;
  /** Otherwise by the number of vectors. */
  candidates?: number;
}

export class EmbeddedVectors implements VectorStore {
  readonly backend = 'embedded';
  readonly #database: DatabaseSync;
  readonly #candidates: number | undefined;
  #vector: StatementSync | undefined;
  #loaded: Loaded | undefined;

  /** The file is there already, in its newest form. */
  constructor(file: string, { readOnly = false, candidates }: EmbeddedVectorsOptions = {}) {
    this.#database = openCorpusFile(file, { readOnly });
    this.#candidates = candidates;
  }

  async put(_collection: string, _place: DocumentRef, vectors: readonly PassageVector[]): Promise<void> {
    const code = this.#database.prepare('INSERT OR REPLACE INTO code VALUES (?, ?)');
    const whole = this.#database.prepare('INSERT OR REPLACE INTO vector VALUES (?, ?)');
    inOneStep(this.#database, () => {
      for (const { passage, vector } of vectors) {
        code.run(passage, codeOf(vector));
        whole.run(passage, new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength));
      }
    });
    // Its own changes leave the version as it is.
    this.#loaded = undefined;
  }

  async remove(_collection: string, passages: readonly number[]): Promise<void> {
    inOneStep(this.#database, () => {
      for (const table of ['code', 'vector'])
        for (const passage of passages) this.#database.prepare(`DELETE FROM ${table} WHERE passage = ?`).run(passage);
    });
    this.#loaded = undefined;
  }

  async near(vector: Float32Array, wanted: NearWanted): Promise<Near[]> {
    const { codes, passages, places } = this.#load();
    const fits = Uint8Array.from(places, (place) => (isWanted(place, wanted) ? 1 : 0));
    const most = Math.max(this.#candidates ?? candidatesOf(codes.size), wanted.limit);
    const found = codes.nearest(codeOf(vector), most, fits);
    return found
      .flatMap((place) => this.#compared(passages[place]!, vector) ?? [])
      .sort((a, b) => b.score - a.score)
      .slice(0, wanted.limit);
  }

  async count(collection: string): Promise<number> {
    const row = this.#database
      .prepare(
        `SELECT count(*) AS count FROM vector JOIN passage ON passage.id = vector.passage
         JOIN document ON document.id = passage.document WHERE collection = ?`,
      )
      .get(collection);
    return Number(row?.['count']);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#database.close();
  }

  /** Gone since the codes were read, or made by a model of another size: not compared. */
  #compared(passage: number, vector: Float32Array): Near | undefined {
    this.#vector ??= this.#database.prepare('SELECT vector FROM vector WHERE passage = ?');
    const bytes = this.#vector.get(passage)?.['vector'] as Uint8Array | undefined;
    if (bytes === undefined || bytes.byteLength !== vector.byteLength) return undefined;
    return { passage, score: product(vectorOf(bytes), vector) };
  }

  #load(): Loaded {
    const version = Number(this.#database.prepare('PRAGMA data_version').get()?.['data_version']);
    if (this.#loaded?.version !== version) this.#loaded = { version, ...this.#read() };
    return this.#loaded;
  }

  #read(): Omit<Loaded, 'version'> {
    const size = Number(this.#database.prepare('SELECT count(*) AS count FROM code').get()?.['count']);
    const [first] = this.#rows('ORDER BY code.passage DESC LIMIT 1');
    const bytes = first?.code.byteLength ?? 0;
    const all = new Uint8Array(size * bytes);
    const passages = new Float64Array(size);
    const groups = new Uint32Array(size);
    const places = new Map<string, { at: number; place: Loaded['places'][number] }>();
    let count = 0;
    for (const { passage, code, collection, source, platform } of this.#rows('ORDER BY code.passage')) {
      if (code.byteLength !== bytes || count === size) continue;
      const key = [collection, source, platform].join('\0');
      const known = places.get(key) ?? { at: places.size, place: { collection, source, platform } };
      places.set(key, known);
      all.set(code, count * bytes);
      passages[count] = passage;
      groups[count] = known.at;
      count += 1;
    }
    const codes = new Uint32Array(all.buffer, 0, (count * bytes) / 4);
    return {
      codes: new Codes({ codes, words: bytes / 4, groups }),
      passages,
      places: [...places.values()].map(({ place }) => place),
    };
  }

  #rows(rest: string): Iterable<CodeRow> {
    return this.#database
      .prepare(
        `SELECT code.passage, code, collection, source, platform FROM code JOIN passage ON passage.id = code.passage
         JOIN document ON document.id = passage.document ${rest}`,
      )
      .iterate() as Iterable<unknown> as Iterable<CodeRow>;
  }
}

function candidatesOf(size: number): number {
  const { share, least, most } = CANDIDATES;
  return Math.min(most, Math.max(least, Math.ceil(size * share)));
}

function isWanted(
  { collection, source, platform }: DocumentRef & { collection: string },
  { collection: asked, sources, platforms }: NearWanted,
): boolean {
  return (
    collection === asked &&
    (sources === undefined || sources.length === 0 || sources.includes(source)) &&
    (platforms === undefined || platforms.size === 0 || platform === '' || platforms.has(platform))
  );
}

/** Its bytes may begin anywhere, where numbers may not. */
function vectorOf(bytes: Uint8Array): Float32Array {
  return bytes.byteOffset % 4 === 0
    ? new Float32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength / 4)
    : new Float32Array(bytes.slice().buffer);
}

export function product(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let at = 0; at < a.length; at++) sum += a[at]! * b[at]!;
  return sum;
}
