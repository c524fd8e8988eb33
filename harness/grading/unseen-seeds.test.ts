/** When a result of a seed without a baseline counts as better, worse or equal, and from which bound it is red. */
import { describe, expect, test } from 'vitest';
import type { Baseline } from './baseline.ts';
import type { Grade } from './grade.ts';
import { compareUnseen, type UnseenMetric } from './unseen-seeds.ts';

const GROWTH = 1.1;
const SEEDS = [1, 2];
const PLAIN = { task_success: [1, 0], token_usage: [1000, 1100], api_call_count: [3, 5] };
/** Between the blessed values, so neither better nor worse. */
const WITHIN = { task_success: 1, token_usage: 1050, api_call_count: 4 };

type Numbers = Record<UnseenMetric, number>;
const grade = (scenario: string, metrics: Partial<Numbers> = {}, more: Partial<Grade> = {}) =>
  ({
    key: `retrieval/http/${scenario}`,
    agent: 'retrieval',
    scenario,
    seed: 9,
    status: 'passed',
    metrics: { ...WITHIN, ...metrics },
    ...more,
  }) as unknown as Grade;
const baselineOf = (grades: readonly Grade[], entry: object = PLAIN) =>
  ({ seeds: SEEDS, entries: Object.fromEntries(grades.map(({ key }) => [key, entry])) }) as unknown as Baseline;
const compared = (grades: readonly Grade[], entry?: object) => compareUnseen(grades, baselineOf(grades, entry), GROWTH);
const result = (metric: UnseenMetric, grades: readonly Grade[], entry?: object) =>
  compared(grades, entry).find((one) => one.metric === metric) ?? expect.fail(`${metric} should be compared`);
const names = (count: number) => Array.from({ length: count }, (_, i) => `s${String(i).padStart(2, '0')}`);
/** So many scenarios that got worse and so many that got better. */
const split = (metric: UnseenMetric, worse: [number, number], better: [number, number]) => [
  ...names(worse[0]).map((name) => grade(`w-${name}`, { [metric]: worse[1] })),
  ...names(better[0]).map((name) => grade(`b-${name}`, { [metric]: better[1] })),
];

describe('one scenario', () => {
  test.each<[UnseenMetric, number, 'better' | 'worse' | 'same']>([
    ['token_usage', 1210, 'same'],
    ['token_usage', 1211, 'worse'],
    ['token_usage', 910, 'same'],
    ['token_usage', 909, 'better'],
    ['api_call_count', 5, 'same'],
    ['api_call_count', 6, 'worse'],
    ['api_call_count', 3, 'same'],
    ['api_call_count', 2, 'better'],
    ['task_success', 0, 'same'],
    ['task_success', 1, 'same'],
  ])('%s of %d is %s', (metric, value, side) => {
    const { signs, beyond } = result(metric, [grade('a', { [metric]: value })]);
    expect(signs).toEqual({ better: 0, worse: 0, same: 0, [side]: 1 });
    expect(beyond).toEqual(side === 'worse' ? ['a'] : []);
  });

  test.each<[number, number[], 'better' | 'worse' | 'same']>([
    [0, [1, 1], 'worse'],
    [1, [1, 1], 'same'],
    [1, [0, 0], 'better'],
    [0, [0, 0], 'same'],
  ])('success of %d where the blessed ones were %j is %s', (value, blessed, side) => {
    const grades = [grade('a', { task_success: value })];
    const { signs } = result('task_success', grades, { ...PLAIN, task_success: blessed });
    expect(signs).toEqual({ better: 0, worse: 0, same: 0, [side]: 1 });
  });

  test('its runs are weighed together: one up and one down is the same', () => {
    const grades = [grade('a', { api_call_count: 9 }), grade('a', { api_call_count: 1 }, { seed: 10 })];
    expect(result('api_call_count', grades)).toMatchObject({ signs: { better: 0, worse: 0, same: 1 }, beyond: [] });
  });

  test('a metric that was not taken counts as nothing of it', () => {
    const none = grade('a', {}, { metrics: {} as Grade['metrics'] });
    expect(result('api_call_count', [none]).signs).toEqual({ better: 1, worse: 0, same: 0 });
  });

  test('one that the baseline does not know is the same', () => {
    const results = compareUnseen([grade('a', { api_call_count: 9 })], baselineOf([]), GROWTH);
    expect(results.map(({ signs }) => signs.same)).toEqual([1, 1, 1]);
  });
});

describe('what is compared', () => {
  test('neither blessed seeds nor absent runs', () => {
    expect(compared([grade('a', { api_call_count: 9 }, { seed: 2 })])).toEqual([]);
    expect(compared([grade('a', { api_call_count: 9 }, { status: 'absent' })])).toEqual([]);
    expect(compared([grade('a', {}, { seed: 1, status: 'absent' })])).toEqual([]);
  });

  test('each agent by itself, in every metric', () => {
    const grades = [grade('a'), grade('a', {}, { agent: 'oracle' })];
    expect(compared(grades).map(({ agent, metric }) => `${agent} ${metric}`)).toEqual(
      ['retrieval', 'oracle'].flatMap((agent) =>
        ['task_success', 'token_usage', 'api_call_count'].map((metric) => `${agent} ${metric}`),
      ),
    );
  });

  test('scenarios that got worse are named in their order', () => {
    const grades = ['c', 'a', 'b'].map((name) => grade(name, { api_call_count: 9 }));
    expect(result('api_call_count', grades).beyond).toEqual(['a', 'b', 'c']);
  });
});

describe('red', () => {
  test('from where a new seed so lopsided is no accident, over three metrics', () => {
    const worse = (count: number) => result('api_call_count', split('api_call_count', [count, 9], [0, 1]));
    expect(worse(6)).toMatchObject({ red: false, signs: { worse: 6 } });
    expect(worse(6).p).toBeCloseTo(3 * 2 * 0.5 ** 6);
    expect(worse(7)).toMatchObject({ red: true, signs: { worse: 7 } });
    expect(worse(7).p).toBeCloseTo(3 * 2 * 0.5 ** 7);
  });

  test('never because of what got better', () => {
    const results = compared(split('api_call_count', [0, 9], [12, 1]));
    expect(results.map(({ red }) => red)).toEqual([false, false, false]);
    expect(results.find(({ metric }) => metric === 'api_call_count')?.p).toBeLessThan(0.05);
  });
});

test('runs that a budget ended are neither better nor worse', () => {
  const ended = names(20).map((name) => {
    const metrics = { task_success: null, token_usage: 1, api_call_count: 9 };
    return { ...grade(name, {}, { status: 'limit' }), metrics };
  });
  expect(compared(ended, { ...PLAIN, task_success: [1, 1] })).toEqual([]);
  for (const one of compared([...ended, grade('a')])) expect(one.signs).toEqual({ better: 0, worse: 0, same: 1 });
});
