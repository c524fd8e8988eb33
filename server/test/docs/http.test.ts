/** What docs/http.md says of limits and routes, held against the code. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { HEALTH_ROUTES } from '../../http/guard.ts';
import { HTTP_LIMITS } from '../../http/limits.ts';
import { SESSION_LIMITS } from '../../http/sessions.ts';
import { METADATA_PATHS } from '../../oauth/resource-metadata.ts';
import { MUTANTS } from '../bench/robust/robust-mutants.ts';
import { root } from './source-imports.ts';

const page = readFileSync(join(root, 'docs/http.md'), 'utf8');

const rowsUnder = (heading: string): string[][] =>
  (page.split(`## ${heading}\n`)[1]?.split('\n## ')[0] ?? '')
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split('|').map((cell) => cell.trim()));

test('the table of limits is the limits, one row each', () => {
  const {
    bodyBytes,
    headerBytes,
    headersMs,
    requestMs,
    keepAliveMs,
    checkEveryMs,
    unproven,
    connections,
    pipelined,
    ...more
  } = HTTP_LIMITS;
  expect(more).toEqual({});
  expect(rowsUnder('Limits').map(([, , value]) => value)).toEqual([
    `${bodyBytes} bytes`,
    `${headerBytes} bytes`,
    `${headersMs} ms`,
    `${requestMs} ms`,
    `${keepAliveMs} ms`,
    `${checkEveryMs} ms`,
    `${unproven}`,
    `${connections}`,
    `${pipelined}`,
  ]);
  expect(page).toContain(`sessions there already are ${SESSION_LIMITS.max}`);
});

test('the routes without a guard are the health routes and the metadata of the resource', () => {
  const open = rowsUnder('Routes').filter(([, , , guarded]) => guarded === 'no');
  const paths = open.flatMap(([, cell]) => [...(cell ?? '').matchAll(/`([^`]+)`/g)].map((match) => match[1]));
  expect(paths.sort()).toEqual([...HEALTH_ROUTES, ...METADATA_PATHS].sort());
});

test('what was measured names every check of the bench', () => {
  const [row = []] = rowsUnder('What was measured').filter(([, command]) => command === '`npm run bench:robust`');
  const named = [...(row[2] ?? '').matchAll(/\((R\d+)\)/g)].map(([, id]) => id);
  // Each check has a broken copy, or `--mutants` ends with an error.
  expect(named.sort()).toEqual(Object.keys(MUTANTS).sort());
});
