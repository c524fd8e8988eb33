/**
 * Cuts a list to a page. Cursors are stateless: they name the last row given out and the query they belong to, so a
 * row created in between moves nothing, and a cursor cannot be carried to another question.
 */
import { type Answer, refuse } from './answer.ts';
import { hashOf } from './determinism.ts';
import type { ListStyle } from './operation.ts';

export interface Page<T> {
  kind: 'page';
  rows: T[];
  total: number;
  offset: number;
  limit: number;
  next: string | null;
}

export const CURSOR_NAMES = ['next', 'cursor', 'continue', 'page-token', 'pageToken'];
const LIMIT_NAMES = ['limit', 'per_page', 'pageSize', 'page-size'];
const PAGING_NAMES = new Set([...CURSOR_NAMES, ...LIMIT_NAMES, 'offset', 'page']);

export function isPagingName(name: string): boolean {
  return PAGING_NAMES.has(name);
}

export function pageOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
  question: string,
): Page<T> | Answer {
  const asked = LIMIT_NAMES.map((name) => query[name]).find((value) => value !== undefined);
  const limit = Math.min(style.max, Math.max(0, Number(asked ?? style.default)));
  const cursor = CURSOR_NAMES.map((name) => query[name]).find((value) => value !== undefined && value !== '');
  let offset = Number(query['offset'] ?? 0);
  if (query['page'] !== undefined) offset = (Number(query['page']) - 1) * limit;
  if (style.paging === 'none')
    return { kind: 'page', rows: [...rows], total: rows.length, offset: 0, limit: rows.length, next: null };

  const queryHash = hashOf(question).toString(36);
  if (cursor !== undefined) {
    const read = readCursor(String(cursor));
    if (read === null)
      return refuse(
        400,
        'INVALID_CURSOR',
        'query parameter "next": expected a cursor from an earlier page, got something else',
      );
    if (read.query !== queryHash) {
      return refuse(
        400,
        'INVALID_CURSOR',
        'query parameter "next": expected a cursor of the same query, got one of another query',
      );
    }
    const at = rows.findIndex((row) => idOf(row) === read.last);
    // The row may have been deleted since: its position is then the only thing left to go by.
    offset = at < 0 ? Math.min(read.position, rows.length) : at + 1;
  }
  const page = rows.slice(offset, offset + limit);
  const last = page.at(-1);
  const more = offset + page.length < rows.length && last !== undefined;
  const next = more ? writeCursor({ last: idOf(last), position: offset + page.length - 1, query: queryHash }) : null;
  return { kind: 'page', rows: page, total: rows.length, offset, limit, next: style.paging === 'cursor' ? next : null };
}

interface Cursor {
  last: string;
  position: number;
  query: string;
}

function writeCursor(cursor: Cursor): string {
  return Buffer.from(JSON.stringify([cursor.last, cursor.position, cursor.query])).toString('base64url');
}

function readCursor(text: string): Cursor | null {
  try {
    const read: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    if (!Array.isArray(read)) return null;
    const [last, position, query] = read;
    if (typeof last !== 'string' || typeof position !== 'number' || typeof query !== 'string') return null;
    return { last, position, query };
  } catch {
    return null;
  }
}
