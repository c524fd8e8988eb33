/** A server that nobody here wrote, from the registry, in front of the real fake. Nothing that runs on a change runs this. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import type { Comparison } from './server-comparison.ts';

const out = await mkdtemp(join(tmpdir(), 'harness-subjects-'));
afterAll(() => rm(out, { recursive: true, force: true }));

test('a server from the registry is installed by digest and answers a question in the merged world', async (context) => {
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  const asked = ['--subjects', 'mcp-openapi', '--sizes', 'one', '--seed', '77', '--filter', 'alerts/worst-now'];
  const exit = await main(['compare', ...asked, '--no-timings', '--fresh', '--out', out], {
    stdout: stream,
    stderr: stream,
  });
  expect(exit, said).toBe(0);
  const { cells, scores } = JSON.parse(await readFile(join(out, 'comparison.json'), 'utf8')) as Comparison;
  if (cells[0]?.notRun?.startsWith('SUBJECT_UNREACHABLE'))
    context.skip(`no package registry answers here: ${cells[0].notRun}`);
  expect(cells[0]).toMatchObject({ oracle: { solved: 1, of: 1 }, tools: 3 });
  expect(scores.find(({ suite }) => suite === 'all')).toMatchObject({ scenarios: 1, calls: 1 });
});
