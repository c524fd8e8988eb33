/** Reads a list to its end in the way its platform pages, and tells where that is not possible. */
import type { Tool } from '../catalog/tool.ts';
import type { Row } from './readings.ts';

export interface PageCall {
  arguments: Row;
  /** Goes on within the page of the platform, where the router cut it. */
  cursor?: string;
}

export interface WholeList {
  rows: readonly Row[];
  /** Not all entries are known to be here. */
  isCut: boolean;
}

interface ListAnswer {
  items?: readonly Row[];
  next_cursor?: string;
  _pagination?: { total?: number; truncated?: boolean };
  _response_bounds?: { passed_over?: object };
}

type PagedTool = Pick<Tool, 'parameters'> & { list: NonNullable<Tool['list']> };

type Read = (pageCall: PageCall) => Promise<Row>;

const MOST_PAGES = 50;

/** `read` makes one call and throws where it is refused; a page has at most `size` entries where the list takes a limit. */
export async function readToEnd(tool: PagedTool, args: Row, size: number, read: Read): Promise<WholeList> {
  const limit = argumentOf(tool, 'limit');
  const fullPage = limit === undefined ? tool.list.limit : size;
  const rows: Row[] = [];
  let passedOver = 0;
  let next: Row | undefined = limit === undefined ? args : { ...args, [limit]: size };
  for (let pages = 0; next !== undefined && pages < MOST_PAGES; pages++) {
    const page = await pageAt(next, read);
    rows.push(...page.rows);
    passedOver += page.passedOver;
    const seen = rows.length + passedOver;
    if (!mayGoOn(tool, page, { seen, fullPage })) return { rows, isCut: passedOver > 0 };
    next = page.rows.length > 0 ? nextPage(tool, next, page.last, seen) : undefined;
  }
  return { rows, isCut: true };
}

function mayGoOn(
  tool: PagedTool,
  { rows, last }: PlatformPage,
  { seen, fullPage }: { seen: number; fullPage: number | undefined },
): boolean {
  const { total = 0, truncated } = last._pagination ?? {};
  if (last.items === undefined) return true;
  // A page behind a cursor does not know how many are before it.
  if (argumentOf(tool, 'cursor') !== undefined) return seen < total || cursorIn(tool, last) !== undefined;
  // Without a total a full page may be the last one.
  return truncated === true || seen < total || rows.length === fullPage;
}

interface PlatformPage {
  rows: readonly Row[];
  /** Entries that the router left out because each is too large. */
  passedOver: number;
  last: ListAnswer & Row;
}

/** One page of the platform, in as many calls as the router cuts it into. */
async function pageAt(args: Row, read: Read): Promise<PlatformPage> {
  const rows: Row[] = [];
  let passedOver = 0;
  let pageCall: PageCall = { arguments: args };
  for (;;) {
    const last: ListAnswer & Row = await read(pageCall);
    rows.push(...(last.items ?? []));
    if (last._response_bounds?.passed_over) passedOver++;
    if (last.next_cursor === undefined) return { rows, passedOver, last };
    pageCall = { arguments: args, cursor: last.next_cursor };
  }
}

/** Undefined where the list takes no such argument. */
function argumentOf({ list, parameters }: PagedTool, role: 'limit' | 'offset' | 'page' | 'cursor'): string | undefined {
  const name = list.parameters?.[role] ?? (role === 'cursor' ? 'next' : role);
  return parameters.some(({ argument }) => argument === name) ? name : undefined;
}

function cursorIn({ list }: PagedTool, answer: Row): string | undefined {
  const cursor = answer[list.next ?? 'next'];
  return typeof cursor === 'string' && cursor !== '' ? cursor : undefined;
}

/** Undefined where there is no way on. */
function nextPage(tool: PagedTool, args: Row, answer: Row, seen: number): Row | undefined {
  const { first } = tool.list;
  const [cursor, page, offset] = (['cursor', 'page', 'offset'] as const).map((role) => argumentOf(tool, role));
  if (cursor !== undefined) {
    const next = cursorIn(tool, answer);
    return next === undefined || next === args[cursor] ? undefined : { ...args, [cursor]: next };
  }
  if (page !== undefined) return { ...args, [page]: Number(args[page] ?? first ?? 1) + 1 };
  return offset === undefined ? undefined : { ...args, [offset]: seen + (first ?? 0) };
}
