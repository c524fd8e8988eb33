/** How an operation pages its list, by the customary names of paging parameters. */
import type { Page } from '../engine/http/list-page.ts';
import { firstOf } from '../engine/http/list-page.ts';
import { flat } from '../engine/openapi/flattened-schema.ts';
import { plainName, type Schema, typesOf } from '../engine/openapi/openapi-document.ts';
import type { ListStyle, Operation, PagingRole } from '../engine/openapi/served-operation.ts';

const CUSTOMARY: Readonly<Record<PagingRole, readonly string[]>> = {
  limit:
    'limit,perpage,pagesize,maxresults,top,first,count,size,pagelimit,itemsperpage,resultsperpage,maxitems,maxpagesize'.split(
      ',',
    ),
  page: ['page', 'pagenumber', 'pageindex', 'pageno', 'pagenum', 'currentpage'],
  cursor: (
    'startingafter,after,cursor,next,continue,searchafter,pagetoken,nexttoken,marker,nextcursor,nextpagetoken,' +
    'continuationtoken,pagecursor'
  ).split(','),
  offset: ['offset', 'skip', 'start', 'startindex', 'startat'],
  before: ['endingbefore', 'before'],
};
const DEFAULT_LIMIT = 30;

/** Without a parameter that could ask for the rest, all `rows` are one page. */
export function pagingStyleOf({ document, parameters }: Operation, rows: number): ListStyle {
  const query = parameters.flatMap((entry) => {
    const schema = flat(document, entry.schema ?? {});
    // `$count=true` asks for a number beside the list, and for no number of rows.
    return entry.in !== 'query' || typesOf(schema).includes('boolean') ? [] : [{ name: entry.name, schema }];
  });
  const own: Partial<Record<PagingRole, string>> = {};
  const schemas: Partial<Record<PagingRole, Schema>> = {};
  for (const [role, names] of Object.entries(CUSTOMARY) as [PagingRole, readonly string[]][]) {
    const found = query.find(({ name }) => names.includes(plainName(name)));
    if (found !== undefined) [own[role], schemas[role]] = [found.name, found.schema];
  }
  const paging = own.page !== undefined ? 'page' : own.cursor !== undefined ? 'cursor' : 'offset';
  const isFromOne = paging === 'page' || plainName(own.offset ?? '') === 'startindex';
  const stated = schemas.limit?.default;
  const usual = Object.keys(own).length === 0 ? Math.max(DEFAULT_LIMIT, rows) : DEFAULT_LIMIT;
  return {
    property: null,
    paging,
    default: Number.isInteger(stated) && Number(stated) > 0 ? Number(stated) : usual,
    max: Number.POSITIVE_INFINITY,
    extras: [],
    parameters: own,
    first: isFromOne && !startsAtZero(paging === 'page' ? schemas.page : schemas.offset) ? 1 : 0,
    cursor: 'key',
  };
}

/** Whether the first page has the number 0: its default says so, else the smallest number that is taken. */
function startsAtZero(schema: Schema | undefined): boolean {
  return (schema?.default ?? schema?.minimum) === 0;
}

/** The query of the next page; null on the last, and where no parameter can ask for it. */
export function nextQuery(page: Page<unknown>, style: ListStyle): Record<string, string> | null {
  const { parameters = {} } = style;
  if (page.rows.length === 0 || page.offset + page.rows.length >= page.total) return null;
  if (page.next !== null && parameters.cursor !== undefined) return { [parameters.cursor]: page.next };
  return queryAt(page.offset + page.limit, page, style);
}

/** The query of the page before; null on the first, and where no parameter can ask for it. */
export function previousQuery(page: Page<string>, style: ListStyle): Record<string, string> | null {
  const { parameters = {}, paging } = style;
  const [first] = page.rows;
  if (page.offset === 0) return null;
  if (paging !== 'cursor') return queryAt(Math.max(0, page.offset - page.limit), page, style);
  return parameters.before === undefined || first === undefined ? null : { [parameters.before]: first };
}

/** The query of the page that begins at this row; null where it is asked for by a cursor. */
export function queryAt(row: number, { limit }: Page<unknown>, style: ListStyle): Record<string, string> | null {
  const { parameters = {}, paging } = style;
  if (paging === 'page' && parameters.page !== undefined)
    return { [parameters.page]: String(Math.floor(row / limit) + firstOf(style)) };
  return parameters.offset === undefined ? null : { [parameters.offset]: String(row + firstOf(style)) };
}
