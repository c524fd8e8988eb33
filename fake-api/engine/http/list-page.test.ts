import { expect, it } from 'vitest';
import type { ListStyle } from '../openapi/served-operation.ts';
import { type Page, pageOf } from './list-page.ts';

const style: ListStyle = {
  property: null,
  paging: 'cursor',
  cursor: 'key',
  default: 5,
  max: 100,
  extras: [],
  parameters: { before: 'ending_before', cursor: 'starting_after', limit: 'limit' },
};
const rows = ['r0', 'r1', 'r2', 'r3', 'r4', 'r5', 'r6'];
const shown = (query: Record<string, string>) =>
  (pageOf(rows, (row) => row, style, query, '') as Page<string>).rows.join(' ');

it('a page before a row ends before it, however many rows may be shown', () => {
  expect(shown({ ending_before: 'r3', limit: '5' })).toBe('r0 r1 r2');
  expect(shown({ ending_before: 'r3', limit: '2' })).toBe('r1 r2');
  expect(shown({ ending_before: 'nobody', limit: '2' })).toBe('r0 r1');
  expect(shown({ starting_after: 'r3', limit: '5' })).toBe('r4 r5 r6');
});
