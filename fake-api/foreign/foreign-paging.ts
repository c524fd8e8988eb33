/** Which part of a list a call asks for, by the names that paging parameters go by. */

import { plainName } from '../engine/openapi/openapi-document.ts';
import { sha256 } from '../engine/state/json-value.ts';

export interface Page<T> {
  entries: T[];
  total: number;
  offset: number;
  limit: number;
  /** Query that asks for the next part; null on the last. */
  next: Record<string, string> | null;
}

const LIMITS = ['limit', 'perpage', 'pagesize', 'maxresults', 'top', 'first', 'count', 'size', 'pagelimit'];
const OFFSETS = ['offset', 'skip', 'start'];
const PAGES = ['page', 'pagenumber', 'pageindex'];
const AFTER = [
  'startingafter',
  'after',
  'cursor',
  'next',
  'continue',
  'searchafter',
  'pagetoken',
  'nexttoken',
  'marker',
];
const BEFORE = ['endingbefore', 'before'];
const DEFAULT_LIMIT = 30;

/** `declared` are the names of the operation's query parameters, `keys` what a cursor may name an entry by. */
export function pageOf<T>(entries: T[], keys: string[], declared: string[], query: Record<string, unknown>): Page<T> {
  const named = (wanted: string[]): string | undefined => declared.find((name) => wanted.includes(plainName(name)));
  const names: PagingNames = {
    page: named(PAGES),
    offset: named(OFFSETS) ?? declared.find((name) => plainName(name) === 'startindex'),
    after: named(AFTER),
    before: named(BEFORE),
  };
  const limit = Math.max(1, whole(asked(query, named(LIMITS))) ?? DEFAULT_LIMIT);
  const offset = offsetOf(names, keys, limit, query);
  const part = entries.slice(offset, offset + limit);
  const more = offset + part.length < entries.length && part.length > 0;
  return {
    entries: part,
    total: entries.length,
    offset,
    limit,
    next: more ? nextQuery(names, keys, offset, limit, part.length) : null,
  };
}

/** What the operation calls its paging parameters, as far as it has them. */
interface PagingNames {
  page: string | undefined;
  offset: string | undefined;
  after: string | undefined;
  before: string | undefined;
}

function asked(query: Record<string, unknown>, name: string | undefined): unknown {
  return name === undefined ? undefined : query[name];
}

function whole(value: unknown): number | null {
  return Number.isInteger(Number(value)) && value !== undefined && value !== '' ? Number(value) : null;
}

/** A start index counts from one. */
function firstOf(offsetName: string): number {
  return plainName(offsetName) === 'startindex' ? 1 : 0;
}

function offsetOf(names: PagingNames, keys: string[], limit: number, query: Record<string, unknown>): number {
  const before = asked(query, names.before);
  if (typeof before === 'string' && before !== '') return Math.max(0, place(keys, before) - limit);
  const after = asked(query, names.after);
  if (typeof after === 'string' && after !== '') return place(keys, after) + 1;
  const page = asked(query, names.page);
  if (page !== undefined) return (Math.max(1, whole(page) ?? 1) - 1) * limit;
  const offset = asked(query, names.offset);
  return offset === undefined ? 0 : Math.max(0, (whole(offset) ?? 0) - firstOf(names.offset as string));
}

function nextQuery(
  names: PagingNames,
  keys: string[],
  offset: number,
  limit: number,
  length: number,
): Record<string, string> | null {
  if (names.page !== undefined) return { [names.page]: String(Math.floor(offset / limit) + 2) };
  if (names.after !== undefined) return { [names.after]: mark(keys[offset + length - 1] ?? '') };
  return names.offset === undefined ? null : { [names.offset]: String(offset + limit + firstOf(names.offset)) };
}

/** A cursor is opaque and stateless; the plain key of an entry is taken too, as some platforms have it. */
function place(keys: string[], cursor: string): number {
  return keys.findIndex((key) => key === cursor || mark(key) === cursor);
}

function mark(key: string): string {
  return sha256(key).slice(7, 31);
}

/** Fields about the part of a list, under the names platforms give them; a schema takes those it declares. */
export function pageFields(
  page: Page<unknown>,
  href: (query: Record<string, string>) => string,
): Record<string, unknown> {
  const total = page.total;
  const cursor = page.next === null ? null : Object.values(page.next)[0];
  return {
    total,
    total_count: total,
    totalCount: total,
    totalResults: total,
    totalItems: total,
    count: total,
    size: page.entries.length,
    limit: page.limit,
    per_page: page.limit,
    offset: page.offset,
    page: Math.floor(page.offset / page.limit) + 1,
    has_more: page.next !== null,
    hasMore: page.next !== null,
    incomplete_results: false,
    next: page.next === null ? null : href(page.next),
    next_cursor: cursor,
    nextPageToken: cursor,
  };
}
