import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { sit } from './evaluation-run.ts';
import { readFolderSet } from './folder-set.ts';
import { ENGINE_IDS, loadEngine } from './search-engine.ts';

const TOOLS = [
  {
    name: 'list_books',
    description: 'Lists the books of a library. Sorted by title.',
    params: [{ name: 'library', required: true }],
  },
  {
    name: 'Library.DeleteBook',
    description: 'Takes a book out.',
    method: 'DELETE',
    path: '/books/{id}',
    server: 'library',
  },
  { name: 'send_reminder', description: 'Reminds a reader of a book that is due.', tags: ['mail'] },
  { name: 'opening.hours', description: 'When the house is open.' },
];
const QUERIES = [
  { id: 'one', query: 'books sorted by title', gold: ['list_books'] },
  {
    id: 'two',
    query: 'reader reminder, book due',
    gold: ['send_reminder'],
    gold_any: [['send_reminder', 'list_books']],
  },
];

function folderSet() {
  const folder = mkdtempSync(join(tmpdir(), 'find-set-'));
  const lines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
  writeFileSync(join(folder, 'tools.jsonl'), lines(TOOLS));
  writeFileSync(join(folder, 'queries.jsonl'), `${lines(QUERIES)}\n`);
  return { folder, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

test('a folder becomes a question set whose tools have a class, a line and parameters', () => {
  using set = folderSet();
  const questionSet = readFolderSet(set.folder);
  expect(questionSet.id).toBe(basename(set.folder));
  expect(questionSet.box.tools.map(({ tool }) => [tool.name, tool.capability])).toEqual([
    ['list_books', 'read'],
    ['Library.DeleteBook', 'destructive'],
    ['send_reminder', 'write'],
    ['opening.hours', 'read'],
  ]);
  expect(questionSet.box.tools[0]?.tool).toMatchObject({ line: 'Lists the books of a library.', params: ['library'] });
  expect(questionSet.queries).toMatchObject([
    { gold: [['list_books']], capability: 'read', part: 'dev' },
    { gold: [['send_reminder', 'list_books']], capability: 'write', part: 'dev' },
  ]);
});

test.each(ENGINE_IDS)('%s answers a question set and finds what is plainly there', async (id) => {
  using set = folderSet();
  const questionSet = readFolderSet(set.folder);
  const { scores } = await sit(questionSet, id, await loadEngine(id), true);
  expect(scores.map(({ rank }) => rank)).toEqual([1, 1]);
});

test('ours and plain BM25 come first in the list of engines', () => {
  expect(ENGINE_IDS.slice(0, 2)).toEqual(['ours', 'plain-bm25']);
  expect(ENGINE_IDS.slice(2)).toEqual(['flexsearch', 'lunr', 'minisearch', 'orama', 'wink']);
});
