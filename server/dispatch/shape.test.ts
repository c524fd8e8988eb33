/** List answers of every kind of platform, in the one form a client gets. */
import { expect, test } from 'vitest';
import type { Tool } from '../catalog/tool.ts';
import { shape } from './shape.ts';

const bounds = { maxItems: 200, maxBytes: 200_000 };
const tool = (list: Tool['list']): Tool => ({ list }) as Tool;
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
    { property: 'data.things' },
    { data: { things: two, state: 'ok' } },
    {},
    {},
    { items: two, _pagination: { offset: 0, limit: 200, total: 2, truncated: false }, data: { state: 'ok' } },
  ],
  [
    'a map from key to entry',
    { property: null, keyed: true },
    { '7.NE': { name: 'a' }, '8.NE': { name: 'b' } },
    {},
    {},
    {
      items: [
        { key: '7.NE', name: 'a' },
        { key: '8.NE', name: 'b' },
      ],
      _pagination: { offset: 0, limit: 200, total: 2, truncated: false },
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
      _pagination: { offset: 0, limit: 200, total: 2, truncated: true },
      search_after: 'abc',
    },
  ],
];

test.each(cases)('%s', (_, list, answer, values, headers, shown) => {
  expect(shape(tool(list), answer, values, bounds, 0, new Headers(headers)).result).toEqual(shown);
});

test('a map is cut at an entry like any list, and goes on from there', () => {
  const answer = Object.fromEntries(Array.from({ length: 9 }, (_, at) => [`k${at}`, { at }]));
  const map = tool({ property: null, keyed: true });
  const first = shape(map, answer, {}, { maxItems: 4, maxBytes: 200_000 }, 0);
  expect(first).toMatchObject({ nextOffset: 4, truncated: true });
  const last = shape(map, answer, {}, { maxItems: 4, maxBytes: 200_000 }, 8);
  expect(last.result).toMatchObject({ items: [{ key: 'k8', at: 8 }], _pagination: { offset: 8, total: 9 } });
  expect(last.nextOffset).toBeUndefined();
});
