/** What a comparison that goes on keeps of the runs it has. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCell } from './compare-journal.ts';
import type { Row } from './row.ts';

test('runs in which the endpoint of a model never answered are made again, and no others', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'svc-mcp-journal-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const model = { answeredAs: [], fingerprints: [], seedHonoured: 'unknown', requests: 0, retries: 2 };
  const rows = [
    { scenario: 'a/1', agent: 'llm', seed: 1, status: 'passed', model: { ...model, requests: 3 } },
    { scenario: 'a/2', agent: 'llm', seed: 1, status: 'crashed', model },
    { scenario: 'a/3', agent: 'retrieval', seed: 1, status: 'crashed' },
  ] as unknown as Row[];
  const before = await openCell(folder, 'router', 'one');
  for (const row of rows) before.append(row);
  await before.finish({ subject: 'router', size: 'one', tools: 3 });
  const after = await openCell(folder, 'router', 'one');
  expect(after.rows.map(({ scenario }) => scenario)).toEqual(['a/1', 'a/3']);
  expect(after.cell, 'not everything is measured').toBeUndefined();
  expect((await openCell(folder, 'router', 'one')).cell, 'nor after a kill').toBeUndefined();
  await after.finish({ subject: 'router', size: 'one', tools: 3 });
  expect((await openCell(folder, 'router', 'one')).cell).toMatchObject({ tools: 3 });
});
