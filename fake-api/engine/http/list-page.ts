/**
 * Cuts a list to a page. Cursors are stateless: they name the last row given out and the query they belong to, so a
 * row created in between moves nothing, and a cursor cannot be carried to another question.
 */
import type { ListStyle, PagingRole } from '../openapi/served-operation.ts';
import { hashOf } from '../state/determinism.ts';
import { sha256 } from '../state/json-value.ts';
import { type Answer, refuseAt } from './platform-answer.ts';

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
const USUAL: Readonly<Record<PagingRole, readonly string[]>> = {
  limit: LIMIT_NAMES,
  offset: ['offset'],
  page: ['page'],
  cursor: CURSOR_NAMES,
  before: [],
};
const PAGING_NAMES = new Set([...CURSOR_NAMES, ...LIMIT_NAMES, 'offset', 'page']);

export function isPagingName(name: string, style: ListStyle | null): boolean {
  if (style === null) return PAGING_NAMES.has(name);
  const own = style.parameters ?? {};
  if (Object.values(own).includes(name)) return true;
  // A name that this style has given up for another may be the name of a field.
  return PAGING_NAMES.has(name) && !(Object.keys(own) as PagingRole[]).some((role) => USUAL[role].includes(name));
}

/** Name under which a caller gives this part of the place in the list. */
export function parameterNamed(style: ListStyle, role: PagingRole): string {
  return style.parameters?.[role] ?? (USUAL[role][0] as string);
}

export function firstOf(style: ListStyle): number {
  return style.first ?? (style.paging === 'page' ? 1 : 0);
}

function askedFor(style: ListStyle, role: PagingRole, query: Record<string, unknown>): unknown {
  const names = style.parameters?.[role] === undefined ? USUAL[role] : [style.parameters[role]];
  return names.map((name) => query[name]).find((value) => value !== undefined && value !== '');
}

/** A number that is none, for instance in a document that gives a usual name to something else, counts as not sent. */
function wholeFor(style: ListStyle, role: PagingRole, query: Record<string, unknown>): number | undefined {
  const asked = askedFor(style, role, query);
  return asked !== undefined && Number.isInteger(Number(asked)) ? Number(asked) : undefined;
}

export function pageOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
  question: string,
): Page<T> | Answer {
  if (style.paging === 'none')
    return { kind: 'page', rows: [...rows], total: rows.length, offset: 0, limit: rows.length, next: null };
  const asked = wholeFor(style, 'limit', query) ?? style.default;
  const limit = Math.min(style.max, Math.max(style.cursor === 'key' ? 1 : 0, asked));
  const queryHash = hashOf(question).toString(36);
  const offset =
    style.cursor === 'key'
      ? offsetByKey(rows, idOf, style, query, limit)
      : offsetByCursor(rows, idOf, style, query, queryHash);
  if (offset !== null && typeof offset !== 'number') return offset;
  const start = offset ?? offsetByNumber(style, query, limit);
  const page = rows.slice(start, Math.min(start + limit, endBeforeKey(rows, idOf, style, query)));
  const last = page.at(-1);
  const more = start + page.length < rows.length && last !== undefined;
  const next = more && style.paging === 'cursor' ? cursorAfter(idOf(last), start + page.length - 1) : null;
  return { kind: 'page', rows: page, total: rows.length, offset: start, limit, next };

  function cursorAfter(id: string, position: number): string {
    return style.cursor === 'key' ? keyToken(id) : writeCursor({ last: id, position, query: queryHash });
  }
}

function offsetByNumber(style: ListStyle, query: Record<string, unknown>, limit: number): number {
  const first = firstOf(style);
  const page = wholeFor(style, 'page', query);
  if (page !== undefined) return Math.max(0, (page - first) * limit);
  const position = wholeFor(style, 'offset', query);
  return position === undefined ? 0 : Math.max(0, position - (style.paging === 'offset' ? first : 0));
}

/** Null where no cursor was sent. */
function offsetByCursor<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
  queryHash: string,
): number | null | Answer {
  const cursor = askedFor(style, 'cursor', query);
  if (cursor === undefined) return null;
  const read = readCursor(String(cursor));
  const name = parameterNamed(style, 'cursor');
  const refused = (expected: string) =>
    refuseAt(name, 400, 'INVALID_CURSOR', `query parameter "${name}": expected a cursor ${expected}`);
  if (read === null) return refused('from an earlier page, got something else');
  if (read.query !== queryHash) return refused('of the same query, got one of another query');
  const at = rows.findIndex((row) => idOf(row) === read.last);
  // The row may have been deleted since: its position is then the only thing left to go by.
  return at < 0 ? Math.min(read.position, rows.length) : at + 1;
}

/** A key that no row has may be a time or anything else: such a list starts at its beginning. */
function offsetByKey<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
  limit: number,
): number | null {
  const before = askedFor(style, 'before', query);
  if (before !== undefined) return Math.max(0, placeOfKey(rows, idOf, before) - limit);
  const after = askedFor(style, 'cursor', query);
  return after === undefined ? null : placeOfKey(rows, idOf, after) + 1;
}

/** Place of the row before which a page has to end; the end of the list where none was named, or one that no row has. */
function endBeforeKey<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
): number {
  const before = style.cursor === 'key' ? askedFor(style, 'before', query) : undefined;
  const at = before === undefined ? -1 : placeOfKey(rows, idOf, before);
  return at < 0 ? rows.length : at;
}

const placeOfKey = <T>(rows: readonly T[], idOf: (row: T) => string, key: unknown): number =>
  rows.findIndex((row) => [idOf(row), keyToken(idOf(row))].includes(String(key)));

function keyToken(id: string): string {
  return sha256(id).slice('sha256:'.length, 'sha256:'.length + 24);
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
