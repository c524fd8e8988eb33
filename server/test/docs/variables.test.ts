/** Pages that tell an operator a default: each row | `VARIABLE` | `default` | … is held against the one list of variables. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { VARIABLES } from '../../config/variables.ts';
import { root } from './source-imports.ts';

const rows = readdirSync(join(root, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .flatMap((page) => [
    ...readFileSync(join(root, 'docs', page), 'utf8').matchAll(/^\| `([A-Z][A-Z0-9_]+)` \| `([^`]*)` \|/gm),
  ])
  .map(([, name, value]) => [String(name), value] as const)
  .filter(([name]) => name in VARIABLES || name.startsWith('SVC_MCP_'));

test('pages tell defaults', () => {
  expect(rows.length).toBeGreaterThan(5);
});

test.each(rows)('%s is %s', (name, value) => {
  expect((VARIABLES as Record<string, { default?: string }>)[name]?.default).toBe(value);
});
