/** The table of access and confirmation where it takes minutes: over HTTP against the running router, and its mutants. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { openCatalog } from '../../open-catalog.ts';
import { ACCESS_MUTANTS, survivors } from '../access/access-mutants.ts';
import { overHttp } from '../access/access-over-http.ts';
import { configOf } from '../access/access-testbed.ts';
import { subjectTools } from '../access/subject-tool.ts';
import { type Setting, settings } from '../access/table-settings.ts';
import { tokenMatrix } from '../access/token-matrix.ts';

test('5,000 cells drawn by hash end over HTTP as the reference says, and what must be refused sends nothing', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-mcp-access-'));
  const config = configOf(settings()[0] as Setting, folder);
  const { catalog } = openCatalog(config, { products: 'all', complete: true });
  const { tools } = await subjectTools(catalog, config.platforms, packageRoot);
  const tally = await overHttp({ folder, tools, catalog, cells: 5_000 });
  catalog.close();
  rmSync(folder, { recursive: true, force: true });
  expect(tally.examples).toEqual([]);
  expect(tally.cells).toBeGreaterThanOrEqual(5_000);
  expect(tally.mustRefuse).toBeGreaterThanOrEqual(2_000);
  expect([tally.deviations, tally.upstreamCalls]).toEqual([0, 0]);
});

test('every kind of access token, with every kind of call, ends over HTTP as the reference says', async () => {
  const { cells, refused, deviations, upstreamCalls, examples } = await tokenMatrix();
  expect(examples).toEqual([]);
  expect([cells, refused, deviations, upstreamCalls]).toEqual([32_400, 28_800, 0, 0]);
});

test('every ninth guard of a layer, taken out, gives deviations in that layer', async () => {
  // All of them take ten minutes: `npm run bench:access -- --mutants`, which is a part of the nightly run.
  const byLayer = Object.values(Object.groupBy(ACCESS_MUTANTS, ({ layer }) => layer));
  const drawn = byLayer.flatMap((mutants) => mutants.filter((_, at) => at % 9 === 0));
  const said: string[] = [];
  expect(await survivors(128, (line) => said.push(line), drawn), said.join('\n')).toEqual([]);
  expect(said).toHaveLength(drawn.length);
});
