/** Each row of the table "Where is…" in CONTRIBUTING.md names a file that exists and declares the symbol beside it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './source-imports.ts';

const page = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
const section = page.split('## Where is…\n')[1]?.split('\n## ')[0] ?? '';
const rows = [...section.matchAll(/^\| (Where .+\?) \| `(.+)` \| `(\w+)` \|$/gm)].map(
  ([, question = '', file = '', symbol = '']) => [question, file, symbol] as const,
);

test('the table answers ten questions', () => {
  expect(rows).toHaveLength(10);
});

test.each(rows)('%s %s has %s', (_, file, symbol) => {
  expect(readFileSync(join(root, file), 'utf8')).toMatch(
    new RegExp(`^(export )?(async )?(class|function|const) ${symbol}\\b`, 'm'),
  );
});
