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
  const asked = (name: string | undefined): unknown => (name === undefined ? undefined : query[name]);
  const whole = (value: unknown): number | null =>
    Number.isInteger(Number(value)) && value !== undefined && value !== '' ? Number(value) : null;
  const limitName = named(LIMITS);
  const limit = Math.max(1, whole(asked(limitName)) ?? DEFAULT_LIMIT);
  const pageName = named(PAGES);
  const offsetName = named(OFFSETS) ?? declared.find((name) => plainName(name) === 'startindex');
  const afterName = named(AFTER);
  const before = asked(named(BEFORE));
  let offset = 0;
  if (typeof before === 'string' && before !== '') offset = Math.max(0, place(keys, before) - limit);
  else if (typeof asked(afterName) === 'string' && asked(afterName) !== '')
    offset = place(keys, asked(afterName) as string) + 1;
  else if (asked(pageName) !== undefined) offset = (Math.max(1, whole(asked(pageName)) ?? 1) - 1) * limit;
  else if (asked(offsetName) !== undefined)
    offset = Math.max(0, (whole(asked(offsetName)) ?? 0) - (plainName(offsetName as string) === 'startindex' ? 1 : 0));
  const part = entries.slice(offset, offset + limit);
  const more = offset + part.length < entries.length && part.length > 0;
  const next: Record<string, string> = {};
  if (pageName !== undefined) next[pageName] = String(Math.floor(offset / limit) + 2);
  else if (afterName !== undefined) next[afterName] = mark(keys[offset + part.length - 1] ?? '');
  else if (offsetName !== undefined)
    next[offsetName] = String(offset + limit + (plainName(offsetName) === 'startindex' ? 1 : 0));
  return {
    entries: part,
    total: entries.length,
    offset,
    limit,
    next: more && Object.keys(next).length > 0 ? next : null,
  };
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
