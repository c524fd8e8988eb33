/** The documents of the spec index, from its own table. */
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import type { Degraded } from './corpus.ts';

export interface SpecDocuments {
  documents: number;
  endpoints: number;
  schemas: number;
  fields: number;
  platforms: string[];
  origin: string;
  list?: unknown[];
}

export function specDocuments(file: string, detail: boolean): SpecDocuments | Degraded {
  if (!existsSync(file))
    return {
      error: 'the spec index is missing or cannot be read',
      degraded: true,
      hint: 'build it with svc-mcp-catalog build, then restart the router',
    };
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const list = database
      .prepare(
        'SELECT platform, name, title, version, endpoints, schemas, fields FROM document ORDER BY platform, name',
      )
      .all();
    const sum = (column: string) => list.reduce((total, row) => total + Number(row[column]), 0);
    return {
      documents: list.length,
      endpoints: sum('endpoints'),
      schemas: sum('schemas'),
      fields: sum('fields'),
      platforms: [...new Set(list.map(({ platform }) => String(platform)))],
      origin: 'the OpenAPI documents that the catalog was built from',
      ...(detail ? { list } : {}),
    };
  } finally {
    database.close();
  }
}
