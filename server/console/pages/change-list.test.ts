import { expect, test } from 'vitest';
import { changeList } from './change-list.ts';

test('old and new values stand apart, whatever is in them', () => {
  const page = changeList([
    'Changes "on": true → false',
    'Changes "list": ["a → \\"b"] → []',
    'Sets "key": "new"',
    'Changes "long": "3 entries" → "2 entries", removed [1]',
  ]).html.replaceAll('&quot;', '"');
  for (const part of [
    '<del>true</del> → <ins>false</ins>',
    '<del>["a → \\"b"]</del> → <ins>[]</ins>',
    'Sets "key": <ins>"new"</ins>',
    'Changes "long": "3 entries" → "2 entries", removed [1]',
  ])
    expect(page).toContain(part);
});

test('a note of any length is read in linear time', () => {
  const started = performance.now();
  changeList([`Changes "a": ${'["→'.repeat(50_000)}`, `Changes "a": ${'1 '.repeat(50_000)}→`]);
  expect(performance.now() - started).toBeLessThan(1_000);
});
