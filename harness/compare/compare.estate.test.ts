/** Servers in front of the real fake: counted, killed and taken up again, and one that nobody here wrote. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { main } from '../main.ts';
import type { Comparison } from './comparison.ts';

const root = join(import.meta.dirname, '../..');
const out = await mkdtemp(join(tmpdir(), 'harness-compare-'));
afterAll(() => rm(out, { recursive: true, force: true }));

async function compare(...argv: string[]): Promise<{ text: string; comparison: Comparison }> {
  let said = '';
  const stream = { write: (text: string) => (said += text) } as never;
  const asked = ['compare', '--sizes', 'one', '--seed', '77', '--filter', 'alerts/take', '--no-timings', '--out', out];
  const exit = await main([...asked, ...argv], { stdout: stream, stderr: stream });
  expect(exit, said).toBe(0);
  const text = await readFile(join(out, 'comparison.json'), 'utf8');
  return { text, comparison: JSON.parse(text) as Comparison };
}

const of = (comparison: Comparison, subject: string) => ({
  cell: comparison.cells.find((cell) => cell.subject === subject),
  score: comparison.scores.find((score) => score.subject === subject && score.suite === 'all'),
});

test('a run that was killed goes on to the same bytes, and so does one that starts anew', async () => {
  const subjects = ['--subjects', 'router,office-suite'];
  const whole = await compare(...subjects, '--fresh');
  expect(of(whole.comparison, 'router')).toMatchObject({
    cell: { oracle: { solved: 1, of: 1, comparable: true }, tools: 3 },
    score: { success: 1, selection: 1, unsafe: 0 },
  });
  expect(of(whole.comparison, 'office-suite').cell?.absent).toContain('no OpenAPI document');

  // As a kill leaves it: the last line torn, the cell not finished.
  const [file = '', finished = ''] = await journalOf('router');
  const lines = (await readFile(file, 'utf8')).split('\n');
  await writeFile(file, `${lines[0]}\n${lines[1]?.slice(0, 40)}`);
  await rm(finished);
  expect((await compare(...subjects)).text).toBe(whole.text);
  expect((await compare(...subjects, '--fresh')).text).toBe(whole.text);
});

test('a server from the registry is installed by digest and solves a scenario in the merged world', async (context) => {
  const { comparison } = await compare('--subjects', 'mcp-openapi');
  const { cell, score } = of(comparison, 'mcp-openapi');
  if (cell?.notRun?.startsWith('SUBJECT_UNREACHABLE')) context.skip(`no package registry answers here: ${cell.notRun}`);
  expect(cell).toMatchObject({ oracle: { solved: 1, of: 1 }, tools: 3 });
  expect(score).toMatchObject({ scenarios: 1, calls: 1, success: 1 });
});

/** Rows and finished cell of the newest comparison that has this subject. */
async function journalOf(subject: string): Promise<string[]> {
  const folder = join(root, 'var', 'compare');
  const names = await readdir(folder, { recursive: true });
  const { seed } = JSON.parse(await readFile(join(out, 'comparison.json'), 'utf8')) as Comparison;
  expect(seed).toBe(77);
  const lines = names.filter((name) => new RegExp(`one\\.${subject}-[0-9a-f]{8}\\.jsonl$`).test(name));
  const times = await Promise.all(
    lines.map(async (name) => {
      const text = await readFile(join(folder, name), 'utf8');
      return { name, is: text.includes('alerts/take') && text.split('\n').length === 3 };
    }),
  );
  const name = times.find(({ is }) => is)?.name ?? '';
  return [join(folder, name), join(folder, name.replace('.jsonl', '.json'))];
}
