/** A platform's answer in the form a client gets it: lists bounded and paged at an item, everything else unchanged. */
import type { Tool } from '../catalog/tool.ts';

export interface Bounds {
  maxItems: number;
  maxBytes: number;
}

export interface Shaped {
  result: unknown;
  /** Offset at which the rest of this page starts, when the router cut it. */
  nextOffset?: number;
  truncated: boolean;
}

const TOTAL_FIELDS = ['total', 'totalCount', 'total_count', 'totalItems', 'totalResults', 'total_results'];
const UPSTREAM_CURSORS = ['next', 'nextCursor', 'next_cursor', 'nextPageToken', 'next_page_token', 'cursor'];

/** Room for the fields around the items. */
const ENVELOPE_BYTES = 600;

export function shape(
  tool: Tool,
  answer: unknown,
  values: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  from: number,
  headers?: Headers,
): Shaped {
  const list = itemsOf(tool, answer);
  return list === undefined ? shapeWhole(answer, bounds) : shapeList(tool, list, values, bounds, from, headers);
}

interface FoundList {
  items: unknown[];
  rest: Record<string, unknown>;
}

function itemsOf(tool: Tool, answer: unknown): FoundList | undefined {
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
    return { items: below.items, rest: Object.keys(below.rest).length > 0 ? { ...rest, [name]: below.rest } : rest };
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

function shapeList(
  tool: Tool,
  { items, rest }: FoundList,
  values: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  from: number,
  headers: Headers | undefined,
): Shaped {
  const { limit: pageSize, parameters, totalHeader, next, total: totalName } = tool.list ?? {};
  const asked = wholeNumber(values[parameters?.limit ?? 'limit']) ?? pageSize;
  const upstreamOffset = offsetAsked(tool, values, asked);
  const wanted = items.slice(from, from + bounds.maxItems);
  let bytes = ENVELOPE_BYTES + JSON.stringify(rest).length;
  let fits = 0;
  for (const item of wanted) {
    bytes += JSON.stringify(item).length + 1;
    // One item is always shown: a page that never advances would be worse than one over budget.
    if (bytes > bounds.maxBytes && fits > 0) break;
    fits++;
    if (bytes > bounds.maxBytes) break;
  }
  const shown = wanted.slice(0, fits);
  const cut = from + fits < items.length;
  const upstreamCursor = [...(next ? [next] : []), ...UPSTREAM_CURSORS].find(
    (name) => typeof rest[name] === 'string' && rest[name] !== '',
  );
  const total =
    [...(totalName ? [totalName] : []), ...TOTAL_FIELDS]
      .map((name) => wholeNumber(rest[name]))
      .find((value) => value !== undefined) ??
    headerNumber(headers, totalHeader) ??
    upstreamOffset + items.length;
  const offset = upstreamOffset + from;
  const truncated = cut || upstreamCursor !== undefined || offset + shown.length < total;
  const reasons = [
    cut && wanted.length < items.length - from && 'item_budget',
    cut && fits < wanted.length && 'byte_budget',
  ].filter(Boolean);
  const result = {
    items: shown,
    _pagination: { offset, limit: Math.min(asked ?? bounds.maxItems, bounds.maxItems), total, truncated },
    ...(cut
      ? {
          _response_bounds: {
            truncated: true,
            reason: reasons.join('+'),
            item_limit: bounds.maxItems,
            byte_limit: bounds.maxBytes,
            resumable: true,
            ...(upstreamCursor ? { upstream_cursor_key: upstreamCursor } : {}),
          },
        }
      : {}),
    ...rest,
  };
  return { result, truncated, ...(cut ? { nextOffset: from + fits } : {}) };
}

/** Where in the whole list this page begins, from the arguments of the call. */
function offsetAsked({ list }: Tool, values: Readonly<Record<string, unknown>>, pageSize: number | undefined): number {
  const offset = wholeNumber(values[list?.parameters?.offset ?? 'offset']);
  if (offset !== undefined) return Math.max(0, offset - (list?.first ?? 0));
  const page = wholeNumber(values[list?.parameters?.page ?? 'page']);
  return page === undefined || pageSize === undefined ? 0 : Math.max(0, page - (list?.first ?? 1)) * pageSize;
}

function headerNumber(headers: Headers | undefined, name: string | undefined): number | undefined {
  const text = name === undefined ? null : (headers?.get(name) ?? null);
  return text !== null && /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

function shapeWhole(answer: unknown, bounds: Bounds): Shaped {
  const text = answer === undefined ? '' : JSON.stringify(answer);
  if (text.length <= bounds.maxBytes) return { result: answer, truncated: false };
  return {
    result: {
      preview: text.slice(0, Math.max(0, bounds.maxBytes - ENVELOPE_BYTES)),
      _response_bounds: {
        truncated: true,
        reason: 'byte_budget',
        byte_limit: bounds.maxBytes,
        size_bytes: text.length,
        resumable: false,
        resumable_reason: 'no_sliceable_collection',
      },
    },
    truncated: true,
  };
}

function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : undefined;
}
