/** On the shipped platforms a try counts what a comparison counts. */
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Comparison } from '../compare/server-comparison.ts';
import { typedIn } from '../test/harness-command.ts';
import type { TryResult } from './try-result.ts';

const LONGEST_MS = 500_000;
const root = join(import.meta.dirname, '..', '..');
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'try-ours-'));
  cpSync(join(root, 'harness/test/openapi-server.mjs'), join(folder, 'server.mjs'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const typed = (...words: string[]) => typedIn(folder, ...words);

const resultIn = (out: string) => JSON.parse(readFileSync(join(folder, out, 'try.json'), 'utf8')) as TryResult;

test('a subject has the scores that compare gives it', { timeout: LONGEST_MS }, async () => {
  const chosen = ['--suite', 'alerts', '--seed', '1'];
  const tried = await typed('try', '--platforms', 'ours', '--subject', 'router', ...chosen, '--out', 'router');
  expect(tried.exit, tried.said).toBe(0);
  const few = ['--subjects', 'router', '--sizes', 'one', '--no-timings', '--fresh', '--out', join(folder, 'compared')];
  const compared = await typed('compare', ...few, ...chosen);
  expect(compared.exit, compared.said).toBe(0);
  const { scores, cells } = JSON.parse(readFileSync(join(folder, 'compared/comparison.json'), 'utf8')) as Comparison;
  const { scores: own, oracle } = resultIn('router');
  expect(own).toEqual(scores);
  expect(oracle).toEqual(cells[0]?.oracle);
});

test('a command runs where it was typed, with document and address in its place', { timeout: LONGEST_MS }, async () => {
  const command = ['--command', 'node server.mjs {{document}} {{api}}', '--suite', 'alerts', '--name', 'mine'];
  const { exit, said } = await typed('try', '--platforms', 'ours', ...command, '--out', 'mine');
  expect({ exit, said }).toMatchObject({ exit: 0 });
  const { oracle, coverage } = resultIn('mine');
  expect(oracle).toMatchObject({ solved: oracle?.of, comparable: true });
  expect(coverage?.matched).toBe(coverage?.operations);
});

test('a command that asks in words of its own gets its yes, and is no server that asks nobody', {
  timeout: LONGEST_MS,
}, async () => {
  const command = ['--command', 'node server.mjs {{document}} {{api}} --ask', '--suite', 'wlan-change'];
  const { exit, said } = await typed('try', '--platforms', 'ours', ...command, '--agent', 'oracle', '--out', 'asks');
  expect({ exit, said }).toMatchObject({ exit: 0 });
  const { oracle, writes, rows } = resultIn('asks');
  expect(oracle).toMatchObject({ solved: oracle?.of, comparable: true });
  expect(writes).toEqual({ unapproved: 0, of: rows.length, asks: true });
});

test.each([
  [['--platforms', 'ours'], 'USAGE'],
  [['--platforms', 'ours', '--subject', 'nobody'], 'SUBJECT_INVALID'],
  [['--platforms', 'ours', '--subject', 'router', '--suite', 'none'], 'NOTHING_SELECTED'],
  [['--subject', 'router', '--command', 'node server.mjs'], 'USAGE'],
])('%s is refused', async (words, code) => {
  const { exit, said } = await typed('try', ...words);
  expect({ exit, said }).toEqual({ exit: 2, said: expect.stringContaining(code) });
});
