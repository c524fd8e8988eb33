import { describe, expect, test } from 'vitest';
import { redBaseline } from '../test/sample-report.ts';
import { baselineColumns, compareRuns, type Measured } from './baseline-comparison.ts';
import type { Grade } from './grade.ts';

const run = (scenario: string, solved: number, tokens: number, changes: Partial<Measured> = {}): Measured => ({
  agent: 'retrieval',
  transport: 'http',
  suite: scenario.split('/')[0]!,
  scenario,
  values: { solved, task_success: solved, tool_selection_accuracy: null, token_usage: tokens, api_call_count: 2 },
  ...changes,
});
const names = Array.from({ length: 10 }, (_, i) => `${i < 6 ? 'alerts' : 'nac'}/s${i}`);
const before = names.map((name) => run(name, 0, 1_000));

describe('two sets of runs', () => {
  test('are compared scenario by scenario, with exact tests per suite and over all', () => {
    const after = names.map((name, i) => run(name, i < 6 ? 1 : 0, i === 9 ? 1_200 : 900));
    const cells = compareRuns(before, after, 1);
    const cell = (suite: string, metric: string) => cells.find((one) => one.suite === suite && one.metric === metric)!;
    expect(cell('alerts', 'solved')).toMatchObject({ before: 0, after: 1, signs: { better: 6, worse: 0, same: 0 } });
    expect(cell('alerts', 'solved').p).toBeCloseTo(0.03125);
    expect(cell('alerts', 'solved').adjusted).toBeCloseTo(0.0625); // Holm over two suites
    expect(cell('nac', 'solved').signs).toEqual({ better: 0, worse: 0, same: 4 });
    const tokens = cell('all', 'token_usage');
    expect(tokens).toMatchObject({ before: 1_000, after: 930, signs: { better: 9, worse: 1, same: 0 } });
    expect(tokens.p).toBeCloseTo(22 / 1024);
    expect(cells.some((one) => one.metric === 'tool_selection_accuracy')).toBe(false);
  });

  test('of which nothing changed show an interval of nothing', () => {
    const cell = compareRuns(before, before, 1).find((one) => one.suite === 'all' && one.metric === 'token_usage')!;
    expect(cell).toMatchObject({ interval: [0, 0], p: 1, adjusted: 1 });
  });

  test('only meet where both ran the same', () => {
    const other = [run('alerts/s0', 1, 1, { transport: 'stdio' }), run('alerts/s1', 1, 1)];
    const cell = compareRuns(before, other, 1).find((one) => one.suite === 'all' && one.metric === 'solved')!;
    expect(cell.signs).toEqual({ better: 1, worse: 0, same: 0 });
  });
});

test('the baseline is beside a run with the numbers of its seed', async () => {
  const baseline = await redBaseline();
  const grades = Object.keys(baseline.entries).map((key) => ({ key, agent: 'retrieval' }) as Grade);
  const [column] = baselineColumns(baseline, grades, 1);
  expect(column!.name).toBe('baseline of 2026-03-01');
  expect(column!.runs).toHaveLength(4);
  expect(baselineColumns(undefined, grades, 1)).toEqual([]);
});
