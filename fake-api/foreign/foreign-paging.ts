/** How an operation pages its list, by the customary names of paging parameters and of the fields beside a list. */
import type { Page } from '../engine/http/list-page.ts';
import { firstOf } from '../engine/http/list-page.ts';
import { plainName } from '../engine/openapi/openapi-document.ts';
import type { ListStyle, Operation, PagingRole } from '../engine/openapi/served-operation.ts';

const CUSTOMARY: Readonly<Record<PagingRole, readonly string[]>> = {
  limit: ['limit', 'perpage', 'pagesize', 'maxresults', 'top', 'first', 'count', 'size', 'pagelimit'],
  page: ['page', 'pagenumber', 'pageindex'],
  cursor: ['startingafter', 'after', 'cursor', 'next', 'continue', 'searchafter', 'pagetoken', 'nexttoken', 'marker'],
  offset: ['offset', 'skip', 'start', 'startindex'],
  before: ['endingbefore', 'before'],
};
const DEFAULT_LIMIT = 30;

export function pagingStyleOf({ parameters }: Operation): ListStyle {
  const query = parameters.filter((entry) => entry.in === 'query');
  const own: Partial<Record<PagingRole, string>> = {};
  for (const [role, names] of Object.entries(CUSTOMARY) as [PagingRole, readonly string[]][]) {
    const found = query.find(({ name }) => names.includes(plainName(name)));
    if (found !== undefined) own[role] = found.name;
  }
  const paging = own.page !== undefined ? 'page' : own.cursor !== undefined ? 'cursor' : 'offset';
  const first = paging === 'page' || plainName(own.offset ?? '') === 'startindex' ? 1 : 0;
  return {
    property: null,
    paging,
    default: DEFAULT_LIMIT,
    max: Number.POSITIVE_INFINITY,
    extras: [],
    parameters: own,
    first,
    cursor: 'key',
  };
}

/** The query of the next page; null on the last, and where no parameter can ask for it. */
export function nextQuery(page: Page<unknown>, style: ListStyle): Record<string, string> | null {
  const { parameters = {}, paging } = style;
  const following = page.offset + page.limit;
  if (page.rows.length === 0 || page.offset + page.rows.length >= page.total) return null;
  if (paging === 'page' && parameters.page !== undefined)
    return { [parameters.page]: String(Math.floor(page.offset / page.limit) + 2) };
  if (page.next !== null && parameters.cursor !== undefined) return { [parameters.cursor]: page.next };
  return parameters.offset === undefined ? null : { [parameters.offset]: String(following + firstOf(style)) };
}

/** Fields about a page, under the names platforms give them; a schema takes those it declares. */
export function pageFields(
  { total, rows, limit, offset }: Page<unknown>,
  next: Record<string, string> | null,
  href: (query: Record<string, string>) => string,
): Record<string, unknown> {
  const cursor = next === null ? null : Object.values(next)[0];
  return {
    total,
    total_count: total,
    totalCount: total,
    totalResults: total,
    totalItems: total,
    count: total,
    size: rows.length,
    limit,
    per_page: limit,
    offset,
    page: Math.floor(offset / limit) + 1,
    has_more: next !== null,
    hasMore: next !== null,
    incomplete_results: false,
    next: next === null ? null : href(next),
    next_cursor: cursor,
    nextPageToken: cursor,
  };
}
