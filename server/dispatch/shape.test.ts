/** List answers of every kind of platform, in the one form a client gets. */
import { describe, expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { type Bounds, shape } from './shape.ts';

const bounds = { maxItems: 200, maxBytes: 200_000 };
const taking = (...names: string[]) => names.map((argument) => ({ argument })) as Tool['parameters'];
const tool = (list: Tool['list'], parameters = taking('limit', 'offset', 'page', 'cursor')): Tool =>
  ({ list, parameters }) as Tool;
const pageOf = (
  list: Tool['list'],
  answer: unknown,
  within: Bounds,
  from = 0,
  values: Record<string, unknown> = {},
  headers: Record<string, string> = {},
) =>
  shape({
    tool: tool(list),
    answer,
    values,
    bounds: within,
    from,
    resumable: true,
    totalHeader: new Headers(headers).get(list?.totalHeader ?? 'x-none'),
  });
const two = [{ id: 1 }, { id: 2 }];

const cases: [string, Tool['list'], unknown, Record<string, unknown>, Record<string, string>, unknown][] = [
  [
    'a bare array with its total in a header, by page',
    { property: null, limit: 100, totalHeader: 'X-Page-Total' },
    two,
    { page: 3, limit: 2 },
    { 'x-page-total': '9' },
    { items: two, _pagination: { offset: 4, limit: 2, total: 9, truncated: true } },
  ],
  [
    'an envelope inside an envelope, with links',
    { property: '_embedded.items', limit: 25 },
    { _embedded: { items: two }, _links: { self: { href: '/a' } } },
    {},
    {},
    {
      items: two,
      _pagination: { offset: 0, limit: 25, total: 2, truncated: false },
      _links: { self: { href: '/a' } },
    },
  ],
  [
    'an inner envelope that holds something else as well',
    { property: 'data.things', limit: 25 },
    { data: { things: two, state: 'ok' } },
    {},
    {},
    { items: two, _pagination: { offset: 0, limit: 25, total: 2, truncated: false }, data: { state: 'ok' } },
  ],
  [
    'a total beside the entries, inside what wraps every answer',
    { property: 'result.data' },
    { errorCode: 0, result: { data: two, totalRows: 9 } },
    { page: 1, limit: 2 },
    {},
    {
      items: two,
      _pagination: { offset: 0, limit: 2, total: 9, truncated: true },
      errorCode: 0,
      result: { totalRows: 9 },
    },
  ],
  [
    'a map from key to entry',
    { property: null, keyed: true, limit: 25 },
    { '7.NE': { name: 'a' }, '8.NE': { name: 'b' } },
    {},
    {},
    {
      items: [
        { key: '7.NE', name: 'a' },
        { key: '8.NE', name: 'b' },
      ],
      _pagination: { offset: 0, limit: 25, total: 2, truncated: false },
    },
  ],
  [
    'an offset counted from 1, by another name',
    { property: '_data.vlan', first: 1, parameters: { offset: 'start' }, total: 'entries' },
    { _data: { vlan: two }, entries: 7 },
    { start: 3, limit: 2 },
    {},
    { items: two, _pagination: { offset: 2, limit: 2, total: 7, truncated: true }, entries: 7 },
  ],
  [
    'a page number and page size by other names',
    { property: 'data', limit: 50, parameters: { limit: 'pageSize', page: 'pageNumber' }, total: 'totalRecords' },
    { data: two, totalRecords: 60 },
    { pageNumber: 2 },
    {},
    { items: two, _pagination: { offset: 50, limit: 50, total: 60, truncated: true }, totalRecords: 60 },
  ],
  [
    'a cursor by another name',
    { property: 'results', next: 'search_after' },
    { results: two, search_after: 'abc' },
    {},
    {},
    {
      items: two,
      _pagination: { offset: 0, limit: 200, total: 2, total_known: false, truncated: true },
      search_after: 'abc',
    },
  ],
  [
    'a full page that nobody counts, behind which there may be more',
    { property: null },
    two,
    { limit: 2, offset: 4 },
    {},
    { items: two, _pagination: { offset: 4, limit: 2, total: 6, total_known: false, truncated: true } },
  ],
  [
    'as many as in a page of the platform, of a list that nobody counts and of which more were asked for',
    { property: null, limit: 2 },
    two,
    { limit: 5, offset: 4 },
    {},
    {
      items: two,
      _pagination: { offset: 4, limit: 2, total: 6, total_known: false, truncated: true, requested_limit: 5 },
    },
  ],
  [
    'a page that is not full, which is the last one',
    { property: null },
    two,
    { limit: 3, offset: 4 },
    {},
    { items: two, _pagination: { offset: 4, limit: 3, total: 6, truncated: false } },
  ],
  [
    'a page of which nobody says how many entries it has when it is full',
    { property: null },
    two,
    {},
    {},
    { items: two, _pagination: { offset: 0, limit: 200, total: 2, total_known: false, truncated: false } },
  ],
  [
    'a page of a platform that says beside it whether there are more, and how many in all',
    { property: 'data' },
    { data: two, meta: { pagination: { total: 7, next_page: 2 } } },
    {},
    {},
    {
      items: two,
      _pagination: { offset: 0, limit: 200, total: 7, truncated: true },
      meta: { pagination: { total: 7, next_page: 2 } },
    },
  ],
  [
    'the last page of a platform that says so',
    { property: 'data' },
    { data: two, links: { next: null } },
    { limit: 2 },
    {},
    { items: two, _pagination: { offset: 0, limit: 2, total: 2, truncated: false }, links: { next: null } },
  ],
  [
    'an empty page of a list that counts more, behind which there is nothing',
    { property: 'data' },
    { data: [], total: 60 },
    { page: 7 },
    {},
    { items: [], _pagination: { offset: 0, limit: 200, total: 60, truncated: false }, total: 60 },
  ],
  [
    'a limit of 0, which asks how many there are',
    { property: 'data' },
    { data: [], total: 60 },
    { limit: 0 },
    {},
    { items: [], _pagination: { offset: 0, limit: 0, total: 60, truncated: true }, total: 60 },
  ],
  [
    'a page whose size, place and total are text',
    { property: 'data' },
    { data: two, total: '9' },
    { limit: '2', offset: '4' },
    {},
    { items: two, _pagination: { offset: 4, limit: 2, total: 9, truncated: true }, total: '9' },
  ],
  [
    'nothing beyond the end, which says nothing of what is before it',
    { property: null },
    [],
    { limit: 2, offset: 500 },
    {},
    { items: [], _pagination: { offset: 500, limit: 2, total: 500, total_known: false, truncated: false } },
  ],
  [
    'the last page behind a cursor, of a list that is counted',
    { property: 'items', next: 'next' },
    { items: two, total: 9, next: null },
    { limit: 2, cursor: 'abc' },
    {},
    { items: two, _pagination: { offset: 0, limit: 2, total: 9, truncated: false }, total: 9, next: null },
  ],
  [
    'the last page behind a cursor that is called as usual, with fewer entries than asked for',
    { property: 'items' },
    { items: two, total: 9, next: null },
    { limit: 5, next: 'abc' },
    {},
    { items: two, _pagination: { offset: 0, limit: 5, total: 9, truncated: false }, total: 9, next: null },
  ],
  [
    'a page behind a cursor with fewer entries than asked for, and more behind it',
    { property: 'items' },
    { items: two, total: 9, next: 'def' },
    { limit: 5, next: 'abc' },
    {},
    {
      items: two,
      _pagination: { offset: 0, limit: 2, total: 9, truncated: true, requested_limit: 5 },
      total: 9,
      next: 'def',
    },
  ],
  [
    'nothing behind a cursor, which is no filter',
    { property: 'items' },
    { items: [], total: 0, next: null },
    { next: 'abc' },
    {},
    { items: [], _pagination: { offset: 0, limit: 200, total: 0, truncated: false }, total: 0, next: null },
  ],
  [
    'all of a list whose platform knows no pages',
    { property: null, limit: 1 },
    two,
    {},
    {},
    { items: two, _pagination: { offset: 0, limit: 1, total: 2, truncated: false } },
  ],
];

test.each(cases)('%s', (_, list, answer, values, headers, shown) => {
  const shaped = pageOf(list, answer, bounds, 0, values, headers);
  expect(shaped.result).toEqual(shown);
  expect(shaped.text).toBe(JSON.stringify(shown));
});

test('a list goes on where a header links to its next page', () => {
  const request = { tool: tool({ property: null }), answer: two, values: {}, bounds, from: 0, resumable: true };
  expect(shape({ ...request, linksToNext: true })).toMatchObject({
    truncated: true,
    result: { _pagination: { total: 2, total_known: false, truncated: true } },
  });
});

test('a list without pages ends where its limit does', () => {
  const shaped = shape({
    tool: tool({ property: null, limit: 2 }, taking('limit')),
    answer: two,
    values: {},
    bounds,
    from: 0,
    resumable: true,
  });
  expect(shaped.result).toEqual({ items: two, _pagination: { offset: 0, limit: 2, total: 2, truncated: false } });
});

test('a field of the platform that is called as one of the router hides none', () => {
  const answer = { devices: two, items: 2, _pagination: { page: 1 } };
  expect(pageOf({ property: 'devices', limit: 25 }, answer, bounds).result).toMatchObject({
    items: two,
    _pagination: { total: 2, truncated: false },
    platform_items: 2,
    platform_pagination: { page: 1 },
  });
});

test('a map is cut at an entry like any list, and goes on from there', () => {
  const answer = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, { at }]));
  const four = { maxItems: 4, maxBytes: 200_000 };
  const first = pageOf({ property: null, keyed: true }, answer, four);
  expect(first).toMatchObject({ nextOffset: 4, truncated: true });
  const last = pageOf({ property: null, keyed: true }, answer, four, 8);
  expect(last.result).toMatchObject({ items: [{ key: 'k8', at: 8 }], _pagination: { offset: 8, total: 9 } });
  expect(last.nextOffset).toBeUndefined();
});

describe('the byte budget', () => {
  const small = (maxBytes: number, maxItems = 200): Bounds => ({ maxItems, maxBytes });

  test('counts bytes, not letters', () => {
    const answer = Array.from({ length: 100 }, (_, at) => ({ at, name: 'ü€😀'.repeat(20) }));
    const { result } = pageOf({ property: null }, answer, small(10_000));
    const { items } = result as { items: unknown[] };
    expect(items.length).toBeGreaterThan(20);
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThanOrEqual(10_000);
  });

  test('passes over an item that alone is more than all of it, says which, and goes on', () => {
    const answer = [{ id: 1 }, { id: 2, log: 'x'.repeat(5_000) }, { id: 3 }];
    const first = pageOf({ property: null }, answer, small(3_000));
    expect(first.result).toMatchObject({ items: [{ id: 1 }] });
    const second = pageOf({ property: null }, answer, small(3_000), first.nextOffset);
    expect(second.result).toMatchObject({
      items: [],
      _response_bounds: {
        reason: 'byte_budget',
        resumable: true,
        resumable_reason: 'single_item_exceeds_byte_budget',
        passed_over: { offset: 1, size_bytes: 5_017 },
      },
    });
    const third = pageOf({ property: null }, answer, small(3_000), second.nextOffset);
    expect(third.result).toMatchObject({ items: [{ id: 3 }] });
    expect(third.nextOffset).toBeUndefined();
  });

  test('leaves out the largest fields around a list by name', () => {
    const answer = { items: two, help: 'h'.repeat(9_000), next: 'n1' };
    expect(pageOf({ property: 'items' }, answer, small(4_000)).result).toMatchObject({
      items: two,
      next: 'n1',
      _response_bounds: { left_out: ['help'], upstream_cursor_key: 'next' },
    });
  });

  test('holds for what is no list, and no cut goes through a secret', () => {
    const text = `${'a"\\\n'.repeat(800)}hunter22-and-more`;
    const shaped = shape({
      tool: tool(undefined),
      answer: { text },
      values: {},
      bounds: small(5_000),
      from: 0,
      resumable: true,
      scrub: (whole) => whole.replaceAll('hunter22-and-more', '******'),
    });
    expect(Buffer.byteLength(JSON.stringify(shaped.result))).toBeLessThanOrEqual(5_000);
    expect(JSON.stringify(shaped.result)).not.toContain('hunter22');
    expect(shaped.result).toMatchObject({ _response_bounds: { resumable_reason: 'no_sliceable_collection' } });
  });

  test.each([
    ['a text', `${'ü "quoted"\n😀'.repeat(900)}end`, (text: string) => text],
    ['an object', { config: '😀\t'.repeat(2_000), revision: 7 }, (text: string) => JSON.parse(text) as unknown],
  ])('%s goes on where it was cut, and its pieces are the whole', (_, answer, read) => {
    const pieces: string[] = [];
    for (let from: number | undefined = 0; from !== undefined; ) {
      const shaped = pageOf(undefined, answer, small(4_000), from);
      expect(Buffer.byteLength(JSON.stringify(shaped.result))).toBeLessThanOrEqual(4_000);
      const { preview, _response_bounds: cut } = shaped.result as {
        preview: string;
        _response_bounds: { resumable: boolean; characters: { from: number; to: number; of: number } };
      };
      expect(cut.characters).toMatchObject({ from, to: from + preview.length });
      expect(cut.resumable).toBe(shaped.nextOffset !== undefined);
      expect(preview.isWellFormed()).toBe(true);
      pieces.push(preview);
      from = shaped.nextOffset;
    }
    expect(pieces.length).toBeGreaterThan(2);
    expect(read(pieces.join(''))).toEqual(answer);
  });

  test('what is no list and no read does not go on', () => {
    const request = { tool: tool(undefined), answer: 'x'.repeat(9_000), values: {}, bounds: small(4_000), from: 0 };
    const shaped = shape({ ...request, resumable: false });
    expect(shaped.nextOffset).toBeUndefined();
    expect(shaped.result).toMatchObject({ _response_bounds: { resumable: false } });
  });

  test('a tool that cannot be resumed does not say that it can', () => {
    const answer = Array.from({ length: 9 }, (_, at) => ({ at }));
    const shaped = shape({
      tool: tool({ property: null }),
      answer,
      values: {},
      bounds: small(200_000, 4),
      from: 0,
      resumable: false,
    });
    expect(shaped.nextOffset).toBeUndefined();
    expect(shaped.result).toMatchObject({ _response_bounds: { reason: 'item_budget', resumable: false } });
  });
});

describe('what a caller could not know', () => {
  test('a limit that the router lowers is said', () => {
    const { result } = pageOf({ property: 'items', limit: 25 }, { items: two, total: 2 }, bounds, 0, { limit: 1000 });
    expect(result).toMatchObject({ _pagination: { limit: 200, requested_limit: 1000, total: 2 } });
  });

  test('a page size that nobody asked for is no requested limit', () => {
    const { result } = pageOf({ property: 'items', limit: 500 }, { items: two, total: 2 }, bounds);
    expect(result).toMatchObject({ _pagination: { limit: 200, total: 2 } });
    expect(result).not.toHaveProperty('_pagination.requested_limit');
  });

  test('a limit that the platform lowers is said', () => {
    const { result } = pageOf({ property: 'items' }, { items: two, total: 9 }, bounds, 0, { limit: 100 });
    expect(result).toMatchObject({ _pagination: { limit: 2, requested_limit: 100, truncated: true } });
  });

  test('a limit that was kept is not', () => {
    const { result } = pageOf({ property: 'items' }, { items: two, total: 9 }, bounds, 0, { limit: 2 });
    expect(result).not.toHaveProperty('_pagination.requested_limit');
  });

  test('an empty list says by what it was narrowed, without secrets', () => {
    const values = { search: 'iot', limit: 10, password: 'hunter2' };
    const { result } = pageOf({ property: 'items' }, { items: [], total: 0 }, bounds, 0, values);
    expect(result).toMatchObject({ items: [], _no_row_matches: { asked: { search: 'iot' } } });
    expect(JSON.stringify(result)).not.toContain('hunter2');
    expect(pageOf({ property: 'items' }, { items: [] }, bounds).result).not.toHaveProperty('_no_row_matches');
  });
});
