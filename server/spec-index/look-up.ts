/**
 * Answers from the spec index: exact names first, then beginnings of names, then ranked text. Opened read-only; needs
 * no credentials and no network. An empty answer means that the documents say nothing about it.
 */
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { BoundedCache } from '../catalog/bounded-cache.ts';
import { immutableDatabase } from '../catalog/immutable-database.ts';
import { RouterError } from '../errors.ts';
import { intentOf } from '../search/intent.ts';
import { agreement, type Intent, type Verb } from '../search/operation-kind.ts';
import { PREFERRED_VERSION } from './build-spec-index.ts';
import type { DocumentCount } from './count.ts';
import type { EntryKind } from './entry.ts';
import { exactKey, searchWords } from './search-terms.ts';

export interface LookUpQuery {
  query: string;
  limit: number;
  /** Platforms to look at; all of the index when left out. */
  platforms?: readonly string[];
  document?: string;
  version?: string;
  /** Endpoints that the ranker of find_tool gives for plain words, best first: they come before what the text search finds. */
  ranked?: readonly { platform: string; endpoint: string }[];
}

export type MatchKind = 'exact' | 'prefix' | 'text';

export interface Hit {
  kind: EntryKind;
  match: MatchKind;
  score: number;
  name: string;
  text: string;
  ref: string;
  platform: string;
  document: string;
  title: string;
  version: string;
  /** Version in the path of an endpoint, else empty. */
  apiVersion: string;
  /** 1 on the older of two forms of one operation. */
  old: number;
}

type Row = Omit<Hit, 'match' | 'score'>;

interface Filter {
  /** Names between bars; null lets every platform through. */
  platforms: string | null;
  document: string | null;
  version: string | null;
}

type DocumentRow = Pick<Hit, 'platform' | 'document' | 'title' | 'version'>;
type EntryRow = [EntryKind, name: string, text: string, ref: string, apiVersion: string, old: number, document: number];

const SELECT = `SELECT entry.kind, entry.name, entry.text, entry.ref, entry.version AS apiVersion, entry.old,
  document.platform, document.name AS document, document.title, document.version`;
/** In this order: what was found is few, and stands in the order it is wanted in. */
const JOINED = 'CROSS JOIN entry ON entry.id = found.entry CROSS JOIN document ON document.id = entry.document';
const FILTER = `(:platforms IS NULL OR instr(:platforms, '|' || document.platform || '|') > 0) AND (:document IS NULL OR document.name = :document)
  AND (:version IS NULL OR document.version = :version OR entry.version = :version)`;
/** Words are asked for rarest first until so many entries have them; commoner ones only help to order what was found. */
const ENTRIES_READ = 2_500;
const CANDIDATES = 200;
/** At equal coverage a caller is better served by what can be called than by one field of it. */
const KIND_BONUS: Readonly<Record<string, number>> = { endpoint: 6, schema: 2 };
/** More than any other difference between twins, less than one word of the question. */
const OLD_PENALTY = 5;
/** A lookup costs most where its pages have left the processor's cache, which is nearly always under load. */
const RECENT_KEPT = 256;
const PREFERRED_BONUS = 4;
/** For a name that is said whole; less where it has other words too. */
const NAMED_BONUS = 12;
/** For an endpoint whose method does what the question asks for, by the rule of find_tool. */
const METHOD_BONUS = 20;
const EXACT_SCORE = 100;
const PREFIX_SCORE = 50;
const SHORTEST_PREFIX = 4;

const damaged = (file: string, cause: unknown): RouterError =>
  new RouterError('CATALOG_INVALID', `${file}: the spec index is missing or cannot be read`, { cause });

export class SpecIndex implements Disposable {
  readonly #file: string;
  readonly #database: DatabaseSync;
  readonly #exact: StatementSync;
  readonly #entry: StatementSync;
  readonly #documents: ReadonlyMap<number, DocumentRow>;
  readonly #prefix: StatementSync;
  readonly #prose: StatementSync;
  readonly #frequency: StatementSync;
  readonly #platforms: readonly string[];
  readonly #recentExact = new BoundedCache<string, readonly Hit[]>(RECENT_KEPT);

  constructor(file: string) {
    this.#file = file;
    try {
      this.#database = new DatabaseSync(immutableDatabase(file), { readOnly: true });
      // One statement over three tables would cost five times as much as these two and a map.
      this.#exact = this.#database.prepare('SELECT entry FROM exact WHERE word = ? ORDER BY rank, entry');
      this.#entry = this.#database.prepare(
        'SELECT kind, name, text, ref, version, old, document FROM entry WHERE id = ?',
      );
      for (const statement of [this.#exact, this.#entry]) statement.setReturnArrays(true);
      const documents = this.#database.prepare('SELECT id, platform, name, title, version FROM document').all();
      this.#documents = new Map(
        (documents as unknown as (DocumentRow & { id: number; name: string })[]).map(
          ({ id, platform, name, title, version }) => [id, { platform, document: name, title, version }],
        ),
      );
      this.#prefix = this.#database.prepare(
        `${SELECT} FROM exact AS found ${JOINED} WHERE found.word >= :word AND found.word < :end AND ${FILTER}
         GROUP BY entry.id ORDER BY found.rank, length(found.word), entry.id LIMIT :limit`,
      );
      this.#prose = this.#database.prepare(
        `${SELECT}, found.score FROM (
           SELECT rowid AS entry, bm25(prose, 6.0, 1.0) AS score FROM prose WHERE prose MATCH :words ORDER BY score LIMIT :candidates
         ) AS found ${JOINED} WHERE ${FILTER}`,
      );
      this.#platforms = [...new Set([...this.#documents.values()].map(({ platform }) => platform))];
      this.#frequency = this.#database.prepare('SELECT entries FROM frequency WHERE word >= ? AND word < ? LIMIT 1');
    } catch (cause) {
      throw damaged(file, cause);
    }
  }

  lookUp(asked: LookUpQuery): readonly Hit[] {
    return this.#readable(() => this.#found(asked));
  }

  #found({ query, limit, platforms, document, version, ranked = [] }: LookUpQuery): readonly Hit[] {
    const filter = {
      // A filter that lets everything through would only cost time.
      platforms:
        platforms === undefined || this.#platforms.every((platform) => platforms.includes(platform))
          ? null
          : `|${platforms.join('|')}|`,
      document: document ?? null,
      version: version ?? null,
    };
    const word = exactKey(query);
    const exact = this.#recentExact.of(JSON.stringify([word, limit, filter]), () => this.#named(word, filter, limit));
    if (exact.length > 0) return exact;
    if (word.length >= SHORTEST_PREFIX && !word.includes(' ')) {
      const begun = this.#prefix.all({ ...filter, word, end: `${word}\u{10ffff}`, limit }) as unknown as Row[];
      if (begun.length > 0) return begun.map((row) => hit(row, 'prefix', PREFIX_SCORE));
    }
    const first = ranked.flatMap(({ platform, endpoint }) =>
      this.#named(exactKey(endpoint), { ...filter, platforms: `|${platform}|` }, 1)
        .filter((hit) => passes(hit, hit.apiVersion, { ...filter, document: null, version: null }))
        .map((hit): Hit => ({ ...hit, match: 'text', score: PREFIX_SCORE })),
    );
    if (first.length >= limit) return first.slice(0, limit);
    const refs = new Set(first.map(({ platform, ref }) => `${platform} ${ref}`));
    const rest = this.#byText(query, filter, limit).filter(({ platform, ref }) => !refs.has(`${platform} ${ref}`));
    return [...first, ...rest].slice(0, limit);
  }

  /** The counts of the index, by the rule of `count.ts`. They also prove that the index can be read. */
  counts(): DocumentCount & { documents: number } {
    const sums =
      'SELECT count(*) AS documents, sum(endpoints) AS endpoints, sum(schemas) AS schemas, sum(fields) AS fields FROM document';
    const row = this.#readable(() => this.#database.prepare(sums).get()) as Record<string, number | null>;
    return {
      documents: row['documents'] ?? 0,
      endpoints: row['endpoints'] ?? 0,
      schemas: row['schemas'] ?? 0,
      fields: row['fields'] ?? 0,
    };
  }

  /** A file may open and be damaged further in. */
  #readable<T>(read: () => T): T {
    try {
      return read();
    } catch (cause) {
      throw damaged(this.#file, cause);
    }
  }

  #named(word: string, filter: Filter, limit: number): Hit[] {
    const hits: Hit[] = [];
    for (const [id] of this.#exact.all(word) as unknown as [number][]) {
      if (hits.length >= limit) break;
      const [kind, name, text, ref, apiVersion, old, of] = this.#entry.get(id) as unknown as EntryRow;
      const document = this.#documents.get(of) as DocumentRow;
      if (!passes(document, apiVersion, filter)) continue;
      hits.push({ kind, name, text, ref, apiVersion, old, ...document, match: 'exact', score: EXACT_SCORE });
    }
    return hits;
  }

  #byText(query: string, filter: Filter, limit: number): Hit[] {
    const words = [...new Set(searchWords(query))];
    const known = words
      .map((word) => ({ word, entries: this.#entriesWith(word) }))
      .filter(({ entries }) => entries > 0)
      .sort((a, b) => a.entries - b.entries);
    const needed = words.length <= 1 ? 1 : words.length <= 3 ? 2 : 3;
    if (known.length < Math.min(needed, words.length) || known.length === 0) return [];
    // Endpoints whose text has all words are few; only where there are none do some of the words have to do.
    const all = known.map(({ word }) => `"${word}"`).join(' AND ');
    const some = rarest(known).map((word) => `"${word}"`);
    const rows = [all, some.join(' OR ')].reduce<(Row & { score: number })[]>(
      (found, asked) => (found.length > 0 ? found : this.#candidates(asked, filter)),
      [],
    );
    const { intent } = intentOf(query);
    const stems = words.map(stemOf);
    return rows
      .map((row) => {
        const have = searchWords(`${row.name} ${row.text}`).map(stemOf);
        const covered = stems.filter((stem) => have.some((word) => word.startsWith(stem))).length;
        const named = searchWords(row.name).map(stemOf);
        const inName = stems.filter((stem) => named.some((word) => word.startsWith(stem))).length;
        const score =
          covered * 10 +
          (KIND_BONUS[row.kind] ?? 0) +
          (inName / Math.max(1, named.length)) * NAMED_BONUS +
          methodBonus(intent, row) -
          row.score +
          (row.apiVersion === PREFERRED_VERSION ? PREFERRED_BONUS : 0) -
          row.old * OLD_PENALTY;
        return { row, covered, score };
      })
      .filter(({ covered }) => covered >= needed)
      .sort((a, b) => b.score - a.score || (a.row.ref < b.row.ref ? -1 : 1))
      .slice(0, limit)
      .map(({ row, score }) => hit(row, 'text', Math.round(score * 100) / 100));
  }

  #candidates(words: string, filter: Filter): (Row & { score: number })[] {
    // The filter comes after the ranking, so it needs more to choose from.
    const candidates = Object.values(filter).every((part) => part === null) ? CANDIDATES : CANDIDATES * 10;
    return this.#prose.all({ ...filter, words, candidates }) as unknown as (Row & { score: number })[];
  }

  #entriesWith(word: string): number {
    const stem = stemOf(word);
    const found = this.#frequency.get(stem, `${stem}\u{10ffff}`) as { entries: number } | undefined;
    return found?.entries ?? 0;
  }

  [Symbol.dispose](): void {
    this.#database.close();
  }
}

const VERB_OF_METHOD: Readonly<Record<string, Verb>> = {
  GET: 'get',
  POST: 'create',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};

function methodBonus(intent: Intent, { kind, name }: Row): number {
  const verb = kind === 'endpoint' ? VERB_OF_METHOD[name.slice(0, name.indexOf(' '))] : undefined;
  return verb === undefined ? 0 : (agreement(intent, verb) - 1) * METHOD_BONUS;
}

/** The same condition as FILTER. */
function passes(
  of: Pick<DocumentRow, 'platform' | 'document' | 'version'>,
  apiVersion: string,
  { platforms, document, version }: Filter,
): boolean {
  if (platforms !== null && !platforms.includes(`|${of.platform}|`)) return false;
  if (document !== null && of.document !== document) return false;
  return version === null || of.version === version || apiVersion === version;
}

const hit = (row: Row, match: MatchKind, score: number): Hit => ({ ...row, match, score });

function rarest(known: readonly { word: string; entries: number }[]): string[] {
  let read = 0;
  return known
    .filter(({ entries }, at) => {
      read += entries;
      return at === 0 || read <= ENTRIES_READ;
    })
    .map(({ word }) => word);
}

/** Enough of a word to meet its other forms; the database's own stemmer decides what is found at all. */
function stemOf(word: string): string {
  return word.length > 4 ? word.replace(/(?:ies|es|ing|ed|s|e|y)$/, '') : word.replace(/s$/, '');
}
