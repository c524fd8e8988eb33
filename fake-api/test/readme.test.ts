/** The files and folders that the README names. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const folder = join(import.meta.dirname, '..');

test('every file and folder that the README names exists', () => {
  const text = readFileSync(join(folder, 'README.md'), 'utf8').replaceAll(/```.*?```/gs, '');
  const named = [...text.matchAll(/`([\w.-]+(?:\/[\w.-]+)*(?:\/|\.ts))`/g)].map((match) => match[1] as string);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((path) => !existsSync(join(folder, path)))).toEqual([]);
});
