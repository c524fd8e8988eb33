/** A page that names the tests of a figure names tests of the kind that its command runs. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';

const kindOf = (file: string): string => /\.(slow|container|subjects)\.test\.ts$/.exec(file)?.[1] ?? 'quick';
const files = readdirSync(packageRoot, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.test.ts') && !file.includes('node_modules'),
);
const KINDS = { test: 'quick', 'run test:slow': 'slow', 'run test:containers': 'container' } as const;
const COMMAND = /npm (test|run test:slow|run test:containers) -- ([\w./-]+)/g;

/** Commands that find no test of their kind. A path is a part of a file's path, as vitest reads it. */
const missing = (text: string): string[] =>
  [...text.matchAll(COMMAND)]
    .filter(([, command, path = '']) => {
      const kind = KINDS[command as keyof typeof KINDS];
      return !files.some((file) => kindOf(file) === kind && file.includes(path));
    })
    .map(([whole]) => whole);

test('each command of a page that runs tests finds some', () => {
  const folder = join(packageRoot, 'docs');
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.md'));
  const texts = pages.map((name) => readFileSync(join(folder, name), 'utf8'));
  expect(texts.flatMap((text) => [...text.matchAll(COMMAND)]).length).toBeGreaterThan(50);
  expect(texts.flatMap(missing)).toEqual([]);
});

test('a slow test that a page calls quick, and a path that no file has, are found', () => {
  const slow = 'npm test -- server/console/page-bytes';
  const nowhere = 'npm run test:slow -- server/access/nothing';
  expect(missing(`| \`${slow}\` | x | \`${nowhere}\` | \`npm test -- server/approvals\``)).toEqual([slow, nowhere]);
});
