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
): Shaped {
  const list = itemsOf(tool, answer);
  return list === undefined ? shapeWhole(answer, bounds) : shapeList(tool, list, values, bounds, from);
}

interface FoundList {
  items: unknown[];
  rest: Record<string, unknown>;
}

function itemsOf(tool: Tool, answer: unknown): FoundList | undefined {
  if (Array.isArray(answer)) return { items: answer, rest: {} };
  const property = tool.list?.property;
  if (typeof property !== 'string' || typeof answer !== 'object' || answer === null) return undefined;
  const { [property]: items, ...rest } = answer as Record<string, unknown>;
  return Array.isArray(items) ? { items, rest } : undefined;
}

function shapeList(
  tool: Tool,
  { items, rest }: FoundList,
  values: Readonly<Record<string, unknown>>,
  bounds: Bounds,
  from: number,
): Shaped {
  const asked = wholeNumber(values['limit']) ?? tool.list?.limit;
  const upstreamOffset = wholeNumber(values['offset']) ?? 0;
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
  const upstreamCursor = UPSTREAM_CURSORS.find((name) => typeof rest[name] === 'string' && rest[name] !== '');
  const total =
    TOTAL_FIELDS.map((name) => wholeNumber(rest[name])).find((value) => value !== undefined) ??
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
