/**
 * Cuts a list to a page. Cursors are stateless: they name the last row given out and the query they belong to, so a
 * row created in between moves nothing, and a cursor cannot be carried to another question.
 */

import type { ListStyle, PagingRole } from '../openapi/served-operation.ts';
import { hashOf } from '../state/determinism.ts';
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

export function pageOf<T>(
  rows: readonly T[],
  idOf: (row: T) => string,
  style: ListStyle,
  query: Record<string, unknown>,
  question: string,
): Page<T> | Answer {
  const limit = Math.min(style.max, Math.max(0, Number(askedFor(style, 'limit', query) ?? style.default)));
  const cursor = askedFor(style, 'cursor', query);
  const first = firstOf(style);
  const position = askedFor(style, 'offset', query);
  const counted = style.paging === 'offset' ? first : 0;
  let offset = position === undefined ? 0 : Math.max(0, Number(position) - counted);
  const pageNumber = askedFor(style, 'page', query);
  if (pageNumber !== undefined) offset = Math.max(0, (Number(pageNumber) - first) * limit);
  if (style.paging === 'none')
    return { kind: 'page', rows: [...rows], total: rows.length, offset: 0, limit: rows.length, next: null };

  const queryHash = hashOf(question).toString(36);
  if (cursor !== undefined) {
    const read = readCursor(String(cursor));
    const name = parameterNamed(style, 'cursor');
    const refused = (expected: string) =>
      refuseAt(name, 400, 'INVALID_CURSOR', `query parameter "${name}": expected a cursor ${expected}`);
    if (read === null) return refused('from an earlier page, got something else');
    if (read.query !== queryHash) return refused('of the same query, got one of another query');
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
