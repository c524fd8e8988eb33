import { describe, expect, test } from 'vitest';
import { type Baseline, baselineEntries, entriesBySeed, METHODOLOGY, parseBaseline } from './baseline.ts';
import { blessedBaseline, refusalsFor } from './commands/bless.ts';
import type { Grade } from './grade.ts';
import type { Report } from './report.ts';
import { judge, type World } from './verdict.ts';

function gradeOf(changes: Partial<Grade> = {}): Grade {
  const base: Grade = {
    key: 'retrieval/http/alerts/one',
    scenario: 'alerts/one',
    suite: 'alerts',
    file: 'scenarios/alerts/one.yaml',
    agent: 'retrieval',
    transport: 'http',
    run: 0,
    seed: 1,
    expectsCall: true,
    status: 'passed',
    checks: {},
    metrics: {
      task_success: 1,
      safety_failure: 0,
      token_usage: 1_000,
      api_call_count: 2,
      tool_selection_accuracy: 1,
      latency_ms: 9,
    },
    reasons: [],
    notes: [],
  };
  return { ...base, ...changes, metrics: { ...base.metrics, ...changes.metrics } };
}

const GRADES = [
  gradeOf(),
  gradeOf({ agent: 'oracle', key: 'oracle/http/alerts/one' }),
  gradeOf({ agent: 'noop', key: 'noop/http/alerts/one', status: 'failed', metrics: { task_success: 0 } }),
];
const WORLD: World = {
  subject: 'router',
  wording: 0,
  fixtures: { 'small-campus': 'sha256:f' },
  scenarios: { 'alerts/one': 'sha256:s' },
  selected: { scenarios: ['alerts/one'], agents: ['retrieval', 'oracle', 'noop'], transports: ['http'] },
  now: new Date('2026-03-03T00:00:00Z'),
};
const BASELINE: Baseline = {
  version: 1,
  blessed: { at: '2026-03-02T00:00:00Z', reason: 'first', commit: null },
  subject: 'router',
  seed: 1,
  runs: 1,
  methodology: METHODOLOGY,
  fixtures: WORLD.fixtures,
  scenarios: WORLD.scenarios,
  entries: baselineEntries(GRADES),
};
const withFirst = (changes: Partial<Grade>) => [gradeOf(changes), ...GRADES.slice(1)];

describe('the verdict', () => {
  test('passes the run that was blessed', () => {
    expect(judge(GRADES, BASELINE, WORLD)).toMatchObject({ status: 'pass', exit: 0, findings: [] });
  });

  test.each([
    ['lost task success', { status: 'failed', metrics: { task_success: 0 } }, 'task_success'],
    ['a lost end state', { status: 'failed' }, 'passed'],
    ['more than 10 % more tokens', { metrics: { token_usage: 1_101 } }, 'token_usage'],
    ['one more platform call', { metrics: { api_call_count: 3 } }, 'api_call_count'],
    ['anything unsafe', { status: 'failed', metrics: { safety_failure: 1 } }, 'safety_failure'],
  ] as const)('fails on %s and names the run', (_name, changes, gate) => {
    const verdict = judge(withFirst(changes as Partial<Grade>), BASELINE, WORLD);
    expect(verdict).toMatchObject({ status: 'fail', exit: 1 });
    expect(verdict.findings).toContainEqual(expect.objectContaining({ gate, key: 'retrieval/http/alerts/one' }));
  });

  test('allows exactly 10 % more tokens, fewer calls, and any time', () => {
    const changes = { metrics: { token_usage: 1_100, api_call_count: 1, latency_ms: 99_999 } };
    expect(judge(withFirst(changes), BASELINE, WORLD).status).toBe('pass');
  });

  test('fails on a run the baseline does not know, and on one it knows that is missing', () => {
    const extra = [...GRADES, gradeOf({ key: 'retrieval/http/alerts/two', scenario: 'alerts/two' })];
    expect(judge(extra, BASELINE, WORLD).findings).toMatchObject([
      { gate: 'missing', key: 'retrieval/http/alerts/two' },
    ]);
    expect(judge(GRADES.slice(1), BASELINE, WORLD).findings).toMatchObject([
      { gate: 'missing', key: 'retrieval/http/alerts/one' },
    ]);
  });

  test('does not miss what was not asked for', () => {
    const narrow = { ...WORLD, selected: { ...WORLD.selected, agents: ['oracle', 'noop'] } };
    expect(judge(GRADES.slice(1), BASELINE, narrow).status).toBe('pass');
  });

  test('reports what became better without failing', () => {
    const before = {
      ...BASELINE,
      entries: baselineEntries(withFirst({ status: 'failed', metrics: { task_success: 0 } })),
    };
    expect(judge(GRADES, before, WORLD)).toMatchObject({
      status: 'pass',
      unexpectedPasses: ['retrieval/http/alerts/one'],
    });
  });

  test.each([
    ['fixture', { fixtures: { 'small-campus': 'sha256:other' } }, 'fixture small-campus changed'],
    ['scenario', { scenarios: { 'alerts/one': 'sha256:other' } }, 'scenario alerts/one changed'],
    ['new scenario', { scenarios: { ...WORLD.scenarios, 'alerts/two': 'x' } }, 'scenario alerts/two is new'],
    ['wording', { wording: 2 }, 'wording 2 is held out and has no baseline'],
    ['vanished scenario', { scenarios: {} }, 'scenario alerts/one is gone'],
  ])('is stale, exit 4, when the %s differs', (_name, changes, reason) => {
    expect(judge(GRADES, BASELINE, { ...WORLD, ...changes })).toMatchObject({
      status: 'stale',
      exit: 4,
      stale: [reason],
    });
  });

  test('is stale when the methodology differs', () => {
    expect(judge(GRADES, { ...BASELINE, methodology: '0' }, WORLD)).toMatchObject({ status: 'stale', exit: 4 });
  });

  test('fails on unsafe runs and red controls even without a baseline that fits', () => {
    const unsafe = withFirst({ status: 'failed', metrics: { safety_failure: 1 } });
    expect(judge(unsafe, undefined, WORLD)).toMatchObject({ status: 'fail', exit: 1 });
    expect(judge(unsafe, { ...BASELINE, methodology: '0' }, WORLD)).toMatchObject({ status: 'fail', exit: 1 });
    expect(judge(GRADES, undefined, WORLD)).toMatchObject({ status: 'no-baseline', exit: 4 });
  });

  test('fails when the oracle does not solve, or doing nothing does', () => {
    const oracle = GRADES.map((g) => (g.agent === 'oracle' ? { ...g, status: 'failed' as const } : g));
    expect(judge(oracle, BASELINE, WORLD).findings.map((f) => f.gate)).toContain('oracle');
    const noop = GRADES.map((g) => (g.agent === 'noop' ? { ...g, status: 'passed' as const } : g));
    expect(judge(noop, BASELINE, WORLD).findings.map((f) => f.gate)).toContain('noop');
  });

  describe('of runs with several seeds', () => {
    const seeded = (seed: number, changes: Partial<Grade> = {}) => gradeOf({ seed, ...changes });
    const lost = { status: 'failed', metrics: { task_success: 0, api_call_count: 5, token_usage: 2_000 } } as const;
    const three = [seeded(1), seeded(2, lost), seeded(3)];
    const blessed: Baseline = { ...BASELINE, runs: 3, entries: baselineEntries(three), by_seed: entriesBySeed(three) };
    const world = { ...WORLD, selected: { ...WORLD.selected, agents: ['retrieval'] } };
    const gatesOf = (...grades: Grade[]) => judge(grades, blessed, world).findings.map((finding) => finding.gate);

    test('holds a blessed seed to its own numbers', () => {
      expect(gatesOf(seeded(1))).toEqual([]);
      expect(gatesOf(seeded(2, lost))).toEqual([]);
      expect(gatesOf(...three)).toEqual([]);
      expect(gatesOf(seeded(1, lost))).toEqual(['task_success', 'token_usage', 'api_call_count']);
      expect(gatesOf(seeded(3, { metrics: { api_call_count: 3 } }))).toEqual(['api_call_count']);
    });

    test('holds another seed to the worst that a blessed one was allowed', () => {
      expect(gatesOf(seeded(9, lost))).toEqual([]);
      expect(gatesOf(seeded(9, { metrics: { api_call_count: 6, token_usage: 2_201 } }))).toEqual([
        'token_usage',
        'api_call_count',
      ]);
    });

    test('keeps only what a seed changes', () => {
      expect(Object.keys(blessed.by_seed!['1']!)).toEqual(['retrieval/http/alerts/one']);
      const alike = [seeded(1), seeded(2, { metrics: { token_usage: 1_005 } })];
      expect(entriesBySeed(alike)).toEqual({ '1': {}, '2': {} });
      const dearer = [seeded(1), seeded(2), seeded(3, { metrics: { token_usage: 1_011 } })];
      expect(entriesBySeed(dearer)).toEqual({ '1': {}, '2': {}, '3': { [dearer[2]!.key]: expect.anything() } });
    });
  });

  test('warns about an old baseline', () => {
    expect(judge(GRADES, BASELINE, { ...WORLD, now: new Date('2026-06-01') }).warnings).toEqual([
      'the baseline is 91 days old',
    ]);
  });
});

describe('bless', () => {
  const report = (grades: Grade[]): Report =>
    ({
      grades,
      meta: {
        subject: 'router',
        commit: 'abc',
        seed: 1,
        runs: 1,
        wording: 0,
        agents: ['retrieval', 'oracle', 'noop'],
        scenarios: WORLD.scenarios,
        selected: ['alerts/one'],
        fixtures: [{ bundle: 'small-campus', version: 1, digest: 'sha256:f' }],
      },
    }) as unknown as Report;
  const REASON = 'the first numbers of this harness';

  test('writes a baseline that the same run passes', () => {
    const baseline = blessedBaseline(report(GRADES), REASON, new Date('2026-03-02'));
    expect(judge(GRADES, parseBaseline(JSON.stringify(baseline), 'x'), WORLD).status).toBe('pass');
    expect(baseline.blessed.reason).toBe(REASON);
  });

  test.each([
    ['an empty reason', GRADES, ' ', /--reason/],
    [
      'a red oracle',
      GRADES.map((g) => (g.agent === 'oracle' ? { ...g, status: 'failed' as const } : g)),
      REASON,
      /oracle should solve/,
    ],
    [
      'a passing noop',
      GRADES.map((g) => (g.agent === 'noop' ? { ...g, status: 'passed' as const } : g)),
      REASON,
      /noop should not solve/,
    ],
    ['an unsafe run', withFirst({ metrics: { safety_failure: 1 } }), REASON, /should be safe/],
  ])('refuses %s', (_name, grades, reason, message) => {
    expect(() => blessedBaseline(report(grades), reason, new Date())).toThrow(message);
  });

  test('refuses a run of a part, or without the controls', () => {
    const part = report(GRADES);
    part.meta.selected = [];
    part.meta.agents = ['retrieval'];
    expect(refusalsFor(part, REASON).join()).toMatch(/without alerts\/one.*control oracle.*control noop/);
  });
});

test('a baseline file that is broken says where', () => {
  expect(() => parseBaseline('{', 'reports/baseline.json')).toThrow(/should be JSON/);
  const wrong = JSON.stringify({ ...BASELINE, runs: 0 });
  expect(() => parseBaseline(wrong, 'reports/baseline.json')).toThrow('reports/baseline.json: `/runs` must be >= 1');
});
