/** The settings table of llm-runs.md is the harness's own list. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ENDPOINT_VARIABLES } from '../../../harness/llm/endpoint.ts';
import { root } from './source-imports.ts';

test('llm-runs.md lists each variable with its default and meaning', () => {
  const page = readFileSync(join(root, 'docs/llm-runs.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(SVC_LLM_\w+)` \| (?:`([^`]*)`)? ?\| (.*) \|$/gm)];
  const told = Object.fromEntries(rows.map(([, name, value = '', about]) => [name, { about, default: value }]));
  expect(told).toEqual(ENDPOINT_VARIABLES);
});
