import { describe, expect, test } from 'vitest';
import { redBaseline } from '../test/sample-report.ts';
import { baselineColumns, compareRuns, type Measured, measuredOf } from './baseline-comparison.ts';
import type { Grade } from './grade.ts';

const run = (scenario: string, solved: number, tokens: number, changes: Partial<Measured> = {}): Measured => ({
  agent: 'retrieval',
  transport: 'http',
  suite: scenario.split('/')[0]!,
  scenario,
  seed: 1,
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

  test('leave out on both sides a run that has no value on one, such as one that a budget ended', () => {
    const values = { ...run('alerts/s0', 0, 0).values, solved: null };
    const earlier = [run('alerts/s0', 1, 1), run('alerts/s1', 0, 1), run('alerts/s2', 0, 1)];
    const now = [run('alerts/s0', 0, 1, { values }), run('alerts/s1', 0, 1), run('alerts/s2', 0, 1)];
    const solved = (a: Measured[], b: Measured[]) =>
      compareRuns(a, b, 1).find((one) => one.suite === 'all' && one.metric === 'solved');
    const same = { before: 0, after: 0, interval: [0, 0], signs: { better: 0, worse: 0, same: 2 } };
    expect(solved(earlier, now)).toMatchObject(same);
    expect(solved(now, earlier)).toMatchObject(same);
  });

  test('meet seed by seed, and over all seeds where they share none', () => {
    const runs = (seeds: number[]) => seeds.map((seed) => run('alerts/s0', 0, seed * 100, { seed }));
    const tokens = (a: number[], b: number[]) =>
      compareRuns(runs(a), runs(b), 1).find((one) => one.suite === 'all' && one.metric === 'token_usage')!;
    expect(tokens([1, 2, 3], [2, 3, 4])).toMatchObject({ before: 250, after: 250, signs: { worse: 0, same: 1 } });
    expect(tokens([1, 2], [3, 4])).toMatchObject({ before: 150, after: 350, signs: { worse: 1 } });
  });
});

test('the baseline is beside a run with the numbers of each seed that both have', async () => {
  const baseline = await redBaseline();
  const gradesOf = (seed: number) =>
    Object.keys(baseline.entries).map((key) => ({ key, agent: 'retrieval', seed }) as Grade);
  const [column] = baselineColumns(baseline, gradesOf(1));
  expect(column!.name).toBe('baseline of 2026-03-01');
  expect(column!.runs).toHaveLength(4);
  expect(baselineColumns(undefined, gradesOf(1))).toEqual([]);
});

test('the runs that were blessed are no better and no worse than the baseline, whatever their seeds are', async () => {
  const [seeds, tokens] = [
    [1, 2, 3],
    [100, 250, 900],
  ];
  const key = 'retrieval/http/alerts/s0';
  const bits: (0 | 1)[] = [1, 0, 0];
  const entry = {
    passed: bits,
    task_success: bits,
    token_usage: tokens,
    api_call_count: tokens,
    tool_selection_accuracy: bits,
  };
  const baseline = { ...(await redBaseline()), seeds, entries: { [key]: entry } };
  const grades = seeds.map((seed, i) => {
    const metrics = {
      task_success: bits[i],
      tool_selection_accuracy: bits[i],
      token_usage: tokens[i],
      api_call_count: tokens[i],
    };
    const place = { key, agent: 'retrieval', transport: 'http', suite: 'alerts', scenario: 'alerts/s0', seed };
    return { ...place, status: bits[i] === 1 ? 'passed' : 'failed', metrics } as unknown as Grade;
  });
  for (const run of [grades, grades.slice(1)]) {
    const [column] = baselineColumns(baseline, run);
    const cells = compareRuns(column!.runs, measuredOf(run), 1);
    expect(cells.filter(({ signs }) => signs.better + signs.worse > 0)).toEqual([]);
  }
});
