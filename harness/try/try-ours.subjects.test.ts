/** Every server of harness/subjects counts the same through `try` as through `compare`. Nothing that runs on a change runs this. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Comparison } from '../compare/server-comparison.ts';
import { typedIn } from '../test/harness-command.ts';
import type { TryResult } from './try-result.ts';

const LONGEST_MS = 1_800_000;
const folder = mkdtempSync(join(tmpdir(), 'try-subjects-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const SUBJECTS = readdirSync(join(import.meta.dirname, '..', 'subjects'))
  .filter((name) => name.endsWith('.yaml'))
  .map((name) => name.replace('.yaml', ''));

const typed = (...words: string[]) => typedIn(folder, ...words);

const readIn = <T>(path: string): T => JSON.parse(readFileSync(join(folder, path), 'utf8')) as T;

test.for(SUBJECTS)('%s', { timeout: LONGEST_MS }, async (subject, { skip }) => {
  // The control solves steps with every server's own tools, the contestant finds them: both counts are compared.
  const chosen = ['--suite', 'alerts', '--seed', '1'];
  const out = join(folder, `${subject}-compared`);
  const few = ['--subjects', subject, '--sizes', 'one', '--no-timings', '--fresh', '--out', out];
  const compared = await typed('compare', ...few, ...chosen);
  expect(compared.exit, compared.said).toBe(0);
  const { scores, cells } = readIn<Comparison>(`${subject}-compared/comparison.json`);
  const [cell] = cells;
  const tried = await typed('try', '--platforms', 'ours', '--subject', subject, ...chosen, '--out', subject);
  if (cell?.absent !== undefined) {
    expect(tried).toEqual({ exit: 2, said: expect.stringContaining(cell.absent) });
    return;
  }
  if (cell?.notRun?.startsWith('SUBJECT_UNREACHABLE')) {
    expect(tried).toMatchObject({ exit: 3, said: expect.stringContaining('SUBJECT_UNREACHABLE') });
    skip(`its source does not answer here: ${cell.notRun}`);
  }
  expect(tried.exit, tried.said).toBe(0);
  const { scores: own, oracle, surface, coverage } = readIn<TryResult>(`${subject}/try.json`);
  expect(own).toEqual(scores);
  expect(oracle).toEqual(cell?.oracle);
  expect([surface.tools, surface.tokens, surface.bytes]).toEqual([
    cell?.tools,
    cell?.definitionTokens,
    cell?.definitionBytes,
  ]);
  expect(coverage?.absent).toEqual(cell?.operations?.absent);
});
