import { expect, test } from 'vitest';
import { linksToNext, pageNotes } from './page-notes.ts';

test.each([
  ['a cursor', { next_cursor: 'abc' }],
  ['an address', { next: 'https://api.example/things?page=2' }],
  ['a link of JSON:API', { links: { self: '/a', next: '/a?page=2' } }],
  ['a link of HAL', { _links: { next: { href: '/a?page=2' } } }],
  ['a number', { pagination: { page: 1, next_page: 2 } }],
  ['a flag', { has_more: true }],
  ['a flag that it is not the last', { last: false }],
  ['a token', { metadata: { continue: 'abc' } }],
  ['a link of OData', { '@odata.nextLink': 'https://api.example/things?$skip=20' }],
  ['an object of cursors', { paging: { next: { after: 'abc' } } }],
  ['one of several', { next: null, has_more: true }],
])('a list goes on where its platform says so by %s', (_, beside) => {
  expect(pageNotes(beside).goesOn).toBe(true);
});

test.each([
  { next: null },
  { next_cursor: '' },
  { hasMore: false },
  { last: true },
  { links: { next: null } },
  { _links: { next: {} } },
])('a list ends where its platform says so: %j', (beside) => {
  expect(pageNotes(beside).goesOn).toBe(false);
});

test.each([{}, { state: 'ok' }, { last: '/a?page=9' }, { links: { self: '/a' } }, { thing: { next: 'x' } }])(
  'nothing is said of it by %j',
  (beside) => {
    expect(pageNotes(beside)).toEqual({ total: undefined, goesOn: undefined });
  },
);

test.each([
  [7, { total: 7 }],
  [7, { meta: { pagination: { total_count: 7 } } }],
  [7, { totalElements: 7, size: 20 }],
  [7, { '@odata.count': 7 }],
  [7, { total: '7' }],
  [undefined, { total: '7 things', meta: { total: -1 } }],
  [undefined, { total_price: 7, total_size: 1_048_576 }],
])('%s entries in all', (total, beside) => {
  expect(pageNotes(beside).total).toBe(total);
});

test.each([
  [true, '<https://api.example/things?page=2>; rel="next", <https://api.example/things?page=9>; rel="last"'],
  [true, '</things?page=1>; rel="prev", </things?page=3>; title="x"; rel=next'],
  [true, '</things?page=3>; rel="self next"'],
  [false, '</things?page=1>; rel="prev"'],
  [false, '</things?rel=next>; rel="last"'],
  [false, null],
])('%s: a header %s', (next, header) => {
  expect(linksToNext(header)).toBe(next);
});
