import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { writeAtomically } from './atomic-write.ts';

const folder = mkdtempSync(join(tmpdir(), 'fake-atomic-'));
afterAll(() => rmSync(folder, { recursive: true }));

test('a file is replaced whole, in a folder that is made', () => {
  const file = join(folder, 'made', 'file.json');
  for (const text of ['one', 'two']) writeAtomically(file, text);
  expect(readFileSync(file, 'utf8')).toBe('two');
  expect(readdirSync(join(folder, 'made'))).toEqual(['file.json']);
});

test('a write that fails leaves no draft', () => {
  mkdirSync(join(folder, 'taken', 'by-a-folder'), { recursive: true });
  expect(() => writeAtomically(join(folder, 'taken', 'by-a-folder'), 'text')).toThrow(/EISDIR|ENOTEMPTY|EEXIST/);
  expect(readdirSync(join(folder, 'taken'))).toEqual(['by-a-folder']);
});
