/** A built catalog, open for reading. Records stay in the file until a call needs one: start and memory do not grow with tools. */
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { inflateRawSync } from 'node:zlib';
import { CAPABILITIES, strictness } from '../access/access-policy.ts';
import { RouterError } from '../errors.ts';
import { BoundedCache } from './bounded-cache.ts';
import { operationKey } from './database.ts';
import { immutableDatabase } from './immutable-database.ts';
import type { CatalogSummary } from './summary.ts';
import type { JsonSchema, SearchText, Tool } from './tool.ts';

export const CATALOG_FILE = 'catalog.sqlite';
const RECENT_KEPT = 256;

export class Catalog {
  readonly folder: string;
  readonly summary: CatalogSummary;
  readonly #database: DatabaseSync;
  readonly #byName: StatementSync;
  #names: readonly string[] | undefined;
  readonly #recent = new BoundedCache<string, Tool | undefined>(RECENT_KEPT);
  readonly #recentAt = new BoundedCache<number, Tool>(RECENT_KEPT);
  readonly #recentExactly = new BoundedCache<string, readonly number[]>(RECENT_KEPT);
  readonly #recentWrapping = new BoundedCache<string, readonly Tool[]>(RECENT_KEPT);
  readonly #recentStricter = new BoundedCache<string, readonly Tool[]>(RECENT_KEPT);
  readonly #byId: StatementSync;
  readonly #exact: StatementSync;
  readonly #byKey: StatementSync;
  readonly #stricterAt: StatementSync;
  readonly #schemaByName: StatementSync;

  constructor(folder: string) {
    this.folder = folder;
    this.#database = new DatabaseSync(immutableDatabase(join(folder, CATALOG_FILE)), { readOnly: true });
    this.summary = JSON.parse((this.#database.prepare('SELECT value FROM meta').get() as { value: string }).value);
    this.#byName = this.#database.prepare('SELECT record FROM tools WHERE name = ?');
    this.#byId = this.#database.prepare('SELECT record FROM tools WHERE id = ?');
    this.#exact = this.#database.prepare(
      'SELECT id FROM tools WHERE name = ?1 UNION SELECT id FROM tools WHERE key = ?2 UNION SELECT id FROM tools WHERE operation = ?1 UNION SELECT id FROM tools WHERE line = ?1',
    );
    this.#byKey = this.#database.prepare('SELECT record FROM tools WHERE key = ? ORDER BY id');
    // A short beginning has thousands of operations: those of other classes are not read.
    this.#stricterAt = this.#database.prepare(
      "SELECT record FROM tools WHERE key >= ? AND key < ? AND record ->> '$.platform' = ? AND (record ->> '$.capability' IN (SELECT value FROM json_each(?)) OR record ->> '$.escalates' IS NOT NULL) ORDER BY id",
    );
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
    return this.#recentWrapping.of(operation, () => {
      const found = this.#byKey.all(operationKey(operation)) as { record: string }[];
      return found.map(({ record }) => JSON.parse(record) as Tool);
    });
  }

  /**
   * Operations of its platform and method that are or may become of a stricter class, below the part of its path that holds no value, or
   * with a parameter within that part. Servers answer HEAD by what answers GET (RFC 9110, 9.3.2).
   */
  stricterThan({ platform, method, path, capability }: Tool): readonly Tool[] {
    const fixed = operationKey(`${method} ${/^[^{]*\//.exec(path)?.[0] ?? ''}`);
    return this.#recentStricter.of(`${platform} ${capability} ${fixed}`, () => {
      const stricter = JSON.stringify(CAPABILITIES.slice(strictness(capability) + 1));
      return [fixed, ...withParameter(fixed)]
        .flatMap((key) => (method === 'HEAD' ? [key, key.replace('HEAD', 'GET')] : [key]))
        .flatMap((key) => this.#stricterAt.all(key, `${key}\u{10ffff}`, platform, stricter) as { record: string }[])
        .map(({ record }) => JSON.parse(record) as Tool)
        .filter((other) => mostStrictness(other) > strictness(capability));
    });
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
    const rows = this.#database.prepare('SELECT record, text FROM tools ORDER BY id');
    for (const row of rows.iterate()) {
      const { record, text } = row as { record: string; text: string };
      yield { tool: JSON.parse(record), text: JSON.parse(text) };
    }
  }

  close(): void {
    this.#database.close();
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

/** The beginnings of keys that leave this one where a parameter begins, also in the middle of a segment. */
function withParameter(key: string): string[] {
  const root = key.indexOf('/') + 1;
  return Array.from({ length: key.length - root }, (_, at) => `${key.slice(0, root + at)}{`);
}

/** Of the strictest class that its arguments can make it. */
const mostStrictness = ({ capability, escalates }: Tool): number =>
  Math.max(
    ...[
      capability,
      ...Object.values(escalates?.values ?? {}),
      ...(escalates?.byVerb ? (['destructive'] as const) : []),
    ].map(strictness),
  );
