import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BASELINE_FILE, type Baseline, readBaseline } from './baseline.ts';
import { BLESS_LOG_FILE, type BlessRecord, countsOf, logLine, logProblems, parseBlessLog } from './baseline-log.ts';

const root = join(import.meta.dirname, '..', '..');

test('the log of this repository ends with its baseline, and each line begins where the one before ended', async () => {
  const baseline = await readBaseline(join(root, BASELINE_FILE));
  const log = parseBlessLog(await readFile(join(root, BLESS_LOG_FILE), 'utf8'));
  expect(logProblems(log, baseline!)).toEqual([]);
});

test('every accepted loss has a reason', async () => {
  const log = parseBlessLog(await readFile(join(root, BLESS_LOG_FILE), 'utf8'));
  expect(log.flatMap(({ accepted }) => accepted).filter(({ reason }) => reason.trim().length < 10)).toEqual([]);
});

const entry = (...passed: (0 | 1)[]) => ({
  ...{ passed, task_success: passed, token_usage: passed, api_call_count: passed },
  tool_selection_accuracy: passed,
});
const BASELINE = {
  blessed: { at: '2026-03-02T00:00:00Z', reason: 'a reason', commit: null },
  seeds: [1, 2],
  entries: { 'retrieval/http/a/one': entry(1, 0), 'noop/http/a/one': entry(1, 1), 'retrieval/http/a/two': entry(1, 1) },
} as unknown as Baseline;

test('counts are those of the judged agent', () => {
  expect(countsOf(BASELINE)).toEqual({
    ...{ scenarios: 2, agents: ['noop', 'retrieval'], transports: ['http'], seeds: [1, 2], runs: 4, passed: 3 },
  });
});

test('a baseline that was edited, or blessed without a line, is found', () => {
  const record: BlessRecord = { ...BASELINE.blessed, before: null, after: countsOf(BASELINE), accepted: [] };
  const read = (...records: BlessRecord[]) => parseBlessLog(records.map(logLine).join(''));
  expect(logProblems(read(record), BASELINE)).toEqual([]);
  expect(logProblems([], BASELINE)).toEqual(['the log should have a line for the baseline, got none']);
  const edited = { ...BASELINE, entries: { ...BASELINE.entries, 'retrieval/http/a/two': entry(1, 0) } };
  expect(logProblems(read(record), edited)[0]).toMatch(/`after` should be .*"passed":2.*got .*"passed":3/);
  const later = { ...BASELINE, blessed: { ...BASELINE.blessed, at: '2026-03-05T00:00:00Z' } };
  expect(logProblems(read(record), later)[0]).toMatch(/`at` should be "2026-03-05/);
  expect(logProblems(read(record, record), BASELINE)).toEqual([
    expect.stringMatching(/^line 2: `before` should be what line 1 left, got null/),
  ]);
});
