/** A platform's answer in the form a client gets it: lists bounded and paged at an item, everything else unchanged. */
import type { Tool } from '../catalog/tool.ts';
import { redact } from '../telemetry/redact.ts';
import { pageNotes, wholeNumber } from './page-notes.ts';

export interface Bounds {
  maxItems: number;
  /** Of the whole answer as it goes out: compact JSON in UTF-8. */
  maxBytes: number;
}

export interface Shaped {
  result: unknown;
  /** The result as JSON, where it was made anyway. */
  text?: string;
  /** Offset at which the rest of this page starts, when the router cut it. */
  nextOffset?: number;
  truncated: boolean;
}

export interface ShapeRequest {
  tool: Pick<Tool, 'list' | 'parameters'>;
  answer: unknown;
  values: Readonly<Record<string, unknown>>;
  bounds: Bounds;
  /** Where in this page to go on. */
  from: number;
  /** Can a caller go on where the router cuts? */
  resumable: boolean;
  /** Value of the header that holds the total. */
  totalHeader?: string | null;
  /** A header names a next page. */
  linksToNext?: boolean;
  /** Masks known values before a text is cut, so that no cut goes through one. */
  scrub?: (text: string) => string;
}

const UPSTREAM_CURSORS = ['next', 'nextCursor', 'next_cursor', 'nextPageToken', 'next_page_token', 'cursor'];

/** Room for the fields around the items: page, bounds, cursor. */
const ENVELOPE_BYTES = 700;

export function shape(request: ShapeRequest): Shaped {
  const list = itemsOf(request.tool, request.answer);
  return list === undefined ? shapeWhole(request) : shapeList(request, list);
}

interface FoundList {
  items: unknown[];
  /** The answer without them. */
  rest: Record<string, unknown>;
  /** What stands beside them, where they stand in an object of the answer. */
  beside?: Record<string, unknown>;
}

function itemsOf(tool: Pick<Tool, 'list'>, answer: unknown): FoundList | undefined {
  if (Array.isArray(answer)) return { items: answer, rest: {} };
  if (!tool.list || !isObject(answer)) return undefined;
  const { property, keyed } = tool.list;
  if (property === null) return keyed ? { items: keyedItems(answer), rest: {} } : undefined;
  return takeOut(answer, property.split('.'), keyed === true);
}

/** The entries under a path, and the answer without them; an envelope that held nothing else goes with them. */
function takeOut(answer: Record<string, unknown>, path: readonly string[], keyed: boolean): FoundList | undefined {
  const [name = '', ...inner] = path;
  const { [name]: found, ...rest } = answer;
  if (inner.length > 0) {
    const below = isObject(found) ? takeOut(found, inner, keyed) : undefined;
    if (below === undefined) return undefined;
    const { items, rest: innerRest, beside = innerRest } = below;
    return { items, rest: Object.keys(innerRest).length > 0 ? { ...rest, [name]: innerRest } : rest, beside };
  }
  if (Array.isArray(found)) return { items: found, rest };
  return keyed && isObject(found) ? { items: keyedItems(found), rest } : undefined;
}

/** A map of entries as a list, so that it can be cut; each entry says under which key it stood. */
function keyedItems(map: Record<string, unknown>): unknown[] {
  return Object.entries(map).map(([key, value]) => (isObject(value) ? { key, ...value } : { key, value }));
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function shapeList(request: ShapeRequest, { items, rest: whole, beside }: FoundList): Shaped {
  const { bounds, from, resumable } = request;
  const page = pageOf(request, noted(whole, beside), items.length);
  const wanted = items.slice(from, from + bounds.maxItems);
  const more = from + wanted.length < items.length;
  if (!more) {
    const shown = listResult(page, from, wanted, bounds, false, whole);
    const text = JSON.stringify(shown.result);
    if (bytesOf(text) <= bounds.maxBytes - ENVELOPE_BYTES) return { ...shown, text };
  }
  const { rest, leftOut } = restWithin(whole, bounds.maxBytes / 4);
  const fits = fitting(wanted, bounds.maxBytes - ENVELOPE_BYTES - bytesOf(JSON.stringify(rest)));
  // An item that alone exceeds the budget is left out with a note, and the list continues after it.
  const passedOver = fits === 0 && wanted.length > 0;
  const next = from + (passedOver ? 1 : fits);
  const cut = next < items.length || passedOver;
  const shown = listResult(page, from, wanted.slice(0, fits), bounds, cut, rest);
  if (!cut && leftOut.length === 0) return shown;
  const goesOn = resumable && next < items.length;
  const response_bounds = {
    truncated: true,
    reason: more && fits === wanted.length ? 'item_budget' : 'byte_budget',
    item_limit: bounds.maxItems,
    byte_limit: bounds.maxBytes,
    resumable: goesOn,
    ...(passedOver
      ? {
          resumable_reason: 'single_item_exceeds_byte_budget',
          passed_over: { offset: page.offset + from, size_bytes: bytesOf(JSON.stringify(wanted[0])) },
        }
      : {}),
    ...(leftOut.length > 0 ? { left_out: leftOut } : {}),
    ...(page.upstreamCursor ? { upstream_cursor_key: page.upstreamCursor } : {}),
  };
  const { items: shownItems, _pagination, ...others } = shown.result as Record<string, unknown>;
  return {
    result: { items: shownItems, _pagination, _response_bounds: response_bounds, ...others },
    truncated: true,
    ...(goesOn ? { nextOffset: next } : {}),
  };
}

/** Where the platform may say something of the list. An answer can have very many fields, so it is copied only where it has to be. */
const noted = (whole: Record<string, unknown>, beside: Record<string, unknown> | undefined): Record<string, unknown> =>
  beside === undefined ? whole : { ...whole, ...beside };

interface Page {
  /** Where in the whole list this page of the platform begins. */
  offset: number;
  /** The limit that the caller stated. */
  stated: number | undefined;
  /** Entries in a page of the platform: as stated, else its default. */
  pageSize: number | undefined;
  /** How many entries the platform gave where it gave fewer than asked although there are more. */
  loweredTo: number | undefined;
  /** As the platform counts; else what is known to be there. */
  total: number;
  isCounted: boolean;
  /** There are more behind this page, or there may be: nobody counts, and it is full. */
  mayGoOn: boolean;
  upstreamCursor: string | undefined;
  /** Arguments other than those that page. */
  filters: Readonly<Record<string, unknown>>;
}

function pageOf(request: ShapeRequest, rest: Record<string, unknown>, count: number): Page {
  const { tool, values } = request;
  const { limit: defaultSize, parameters } = tool.list ?? {};
  const stated = wholeNumber(values[parameters?.limit ?? 'limit']);
  const pageSize = stated ?? defaultSize;
  const offset = offsetAsked(tool, values, pageSize);
  const { counted, hasNext, isNoted, upstreamCursor } = notesOf(request, rest);
  const seen = offset + count;
  // Of a list without pages, such as the ten busiest, the limit is all there is.
  const isFull = isFullPage(count, stated, defaultSize) && !isNoted && hasPages(tool);
  // Behind a cursor nobody knows how many entries are before this page.
  const isPlaced = cursorArguments(parameters).every((name) => values[name] === undefined);
  // Behind an empty page there is nothing, whatever the total counts; a limit of 0 asks for the total alone.
  const isPage = count > 0 || stated === 0;
  const mayGoOn = hasNext || (counted === undefined || !isPlaced ? isFull : isPage && seen < counted);
  const isLowered = stated !== undefined && count > 0 && count < stated && mayGoOn;
  // Of a page whose size nobody says it cannot be told whether it is full.
  const isMeasured = pageSize !== undefined || isNoted || count === 0 || !hasPages(tool);
  return {
    offset,
    stated,
    pageSize,
    loweredTo: isLowered ? count : undefined,
    total: counted ?? seen,
    isCounted: counted !== undefined || (isMeasured && isEnd({ isPlaced, mayGoOn, offset, count })),
    mayGoOn,
    upstreamCursor,
    filters: filtersIn(values, parameters),
  };
}

interface Noted {
  /** Number of all entries. */
  counted: number | undefined;
  hasNext: boolean;
  /** The platform says whether there are more, by whatever it says. */
  isNoted: boolean;
  upstreamCursor: string | undefined;
}

/** What the platform says of the list beside its entries. */
function notesOf(
  { tool, totalHeader = null, linksToNext = false }: ShapeRequest,
  rest: Record<string, unknown>,
): Noted {
  const { next, total } = tool.list ?? {};
  const cursors = cursorsIn(rest, next);
  const upstreamCursor = cursors.find((name) => typeof rest[name] === 'string' && rest[name] !== '');
  const notes = pageNotes(rest);
  return {
    counted: (total === undefined ? undefined : wholeNumber(rest[total])) ?? notes.total ?? wholeNumber(totalHeader),
    hasNext: upstreamCursor !== undefined || notes.goesOn === true || linksToNext,
    isNoted: cursors.length > 0 || notes.goesOn !== undefined,
    upstreamCursor,
  };
}

/** A platform that gives more than a page gives all, and it may give a page of its usual size where more was asked for. */
const isFullPage = (count: number, stated: number | undefined, usual: number | undefined): boolean =>
  count > 0 && (count === (stated ?? usual) || (count === usual && count < (stated ?? 0)));

function hasPages({ list, parameters }: Pick<Tool, 'list' | 'parameters'>): boolean {
  const { offset = 'offset', page = 'page' } = list?.parameters ?? {};
  const names = [offset, page, ...cursorArguments(list?.parameters)];
  return parameters.some(({ argument }) => names.includes(argument));
}

type PagingNames = NonNullable<Tool['list']>['parameters'];

/** What a cursor of the platform is sent back in: as the document names it, else as most do. */
export const cursorArguments = (names: PagingNames): string[] =>
  names?.cursor === undefined ? ['next', 'cursor'] : [names.cursor];

/** Of a list that nobody counts: behind its last entry, and not beyond it. */
const isEnd = (page: { isPlaced: boolean; mayGoOn: boolean; offset: number; count: number }): boolean =>
  page.isPlaced && !page.mayGoOn && (page.count > 0 || page.offset === 0);

const cursorsIn = (rest: Record<string, unknown>, name: string | undefined): string[] =>
  [...(name ? [name] : []), ...UPSTREAM_CURSORS].filter((field) => Object.hasOwn(rest, field));

const FILTER_LENGTH = 80;

/** What narrowed the list, so that an empty one says what was looked for. */
function filtersIn(values: Readonly<Record<string, unknown>>, parameters: PagingNames): Record<string, unknown> {
  const paging = new Set([
    'limit',
    'offset',
    'page',
    ...cursorArguments(parameters),
    ...Object.values(parameters ?? {}),
  ]);
  return Object.fromEntries(
    Object.entries(values)
      .map(([name, value]) => [name, Array.isArray(value) ? value.join(',') : value])
      .filter(([name, value]) => !paging.has(String(name)) && value !== undefined && typeof value !== 'object')
      .map(([name, value]) => [name, typeof value === 'string' ? value.slice(0, FILTER_LENGTH) : value]),
  );
}

function listResult(
  { offset: start, stated, pageSize, loweredTo, total, isCounted, mayGoOn, filters }: Page,
  from: number,
  items: readonly unknown[],
  { maxItems }: Bounds,
  cut: boolean,
  rest: Record<string, unknown>,
): { result: unknown; truncated: boolean } {
  const offset = start + from;
  const truncated = cut || mayGoOn;
  const limit = Math.min(pageSize ?? maxItems, maxItems, loweredTo ?? maxItems);
  const known = isCounted ? {} : { total_known: false };
  const lowered = stated !== undefined && limit < stated ? { requested_limit: stated } : {};
  const emptied = total === 0 && Object.keys(filters).length > 0 ? { _no_row_matches: { asked: redact(filters) } } : {};
  return {
    result: {
      items,
      _pagination: { offset, limit, total, ...known, truncated, ...lowered },
      ...emptied,
      ...besides(rest),
    },
    truncated,
  };
}

/** Names of the router's own in a list. A field of the platform that is called so stands beside them under another name. */
const OWN_NAMES: ReadonlySet<string> = new Set(['items', '_pagination', '_response_bounds', '_no_row_matches']);

function besides(rest: Record<string, unknown>): Record<string, unknown> {
  if (!Object.keys(rest).some((name) => OWN_NAMES.has(name))) return rest;
  const named = (name: string) => (OWN_NAMES.has(name) ? `platform_${name.replace(/^_/, '')}` : name);
  return Object.fromEntries(Object.entries(rest).map(([name, value]) => [named(name), value]));
}

/** How many of the first items have room in so many bytes. */
function fitting(items: readonly unknown[], bytes: number): number {
  let left = bytes;
  let fits = 0;
  for (const item of items) {
    left -= bytesOf(JSON.stringify(item) ?? 'null') + 1;
    if (left < 0) break;
    fits++;
  }
  return fits;
}

/** The fields beside the items, without the largest ones if they would leave no room for items. */
function restWithin(
  rest: Record<string, unknown>,
  bytes: number,
): { rest: Record<string, unknown>; leftOut: string[] } {
  const sizes = Object.entries(rest).map(([name, value]) => ({ name, size: bytesOf(JSON.stringify(value) ?? '') }));
  let size = sizes.reduce((sum, field) => sum + field.size + field.name.length + 4, 0);
  const leftOut: string[] = [];
  for (const field of sizes.sort((a, b) => b.size - a.size)) {
    if (size <= bytes) break;
    leftOut.push(field.name.slice(0, 40));
    size -= field.size + field.name.length + 4;
  }
  if (leftOut.length === 0) return { rest, leftOut };
  const kept = Object.entries(rest).filter(([name]) => !leftOut.includes(name.slice(0, 40)));
  return { rest: Object.fromEntries(kept), leftOut: leftOut.slice(0, 3) };
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}

/** Where in the whole list this page begins, from the arguments of the call. */
function offsetAsked(
  { list }: Pick<Tool, 'list'>,
  values: Readonly<Record<string, unknown>>,
  pageSize: number | undefined,
): number {
  const offset = wholeNumber(values[list?.parameters?.offset ?? 'offset']);
  if (offset !== undefined) return Math.max(0, offset - (list?.first ?? 0));
  const page = wholeNumber(values[list?.parameters?.page ?? 'page']);
  return page === undefined || pageSize === undefined ? 0 : Math.max(0, page - (list?.first ?? 1)) * pageSize;
}

/** What is no list is cut in its text: that of a text as it is, that of anything else as JSON. The pieces, put together, are the whole. */
function shapeWhole({ answer, bounds, from, resumable, scrub = (text) => text }: ShapeRequest): Shaped {
  if (answer === undefined) return { result: undefined, truncated: false };
  const text = JSON.stringify(answer);
  const size = bytesOf(text);
  if (size <= bounds.maxBytes) return { result: answer, text, truncated: false };
  const whole = scrub(typeof answer === 'string' ? answer : text);
  const preview = startWithin(whole.slice(from), bounds.maxBytes - ENVELOPE_BYTES);
  const next = from + preview.length;
  const goesOn = resumable && next < whole.length;
  return {
    result: {
      preview,
      _response_bounds: {
        truncated: true,
        reason: 'byte_budget',
        byte_limit: bounds.maxBytes,
        size_bytes: size,
        resumable: goesOn,
        ...(resumable ? { characters: { from, to: next, of: whole.length } } : {}),
        resumable_reason: 'no_sliceable_collection',
      },
    },
    truncated: true,
    ...(goesOn ? { nextOffset: next } : {}),
  };
}

/** The longest start of a text that, written as a JSON string, has room in so many bytes; no character is cut in two. */
function startWithin(text: string, bytes: number): string {
  let least = 0;
  let most = Math.min(text.length, Math.max(0, bytes));
  while (least < most) {
    const middle = Math.ceil((least + most) / 2);
    if (bytesOf(JSON.stringify(text.slice(0, middle))) <= bytes) least = middle;
    else most = middle - 1;
  }
  const isBetweenHalves = /[\uD800-\uDBFF]$/.test(text.slice(least - 1, least)) && least < text.length;
  return text.slice(0, isBetweenHalves && least > 1 ? least - 1 : least);
}
