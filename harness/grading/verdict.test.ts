import { describe, expect, test } from 'vitest';
import { blessedBaseline, type GradedRun, refusalsFor } from '../cli/commands/bless.ts';
import { type Baseline, baselineEntries, baselineText, GOLDEN_AGENTS, METHODOLOGY, parseBaseline } from './baseline.ts';
import type { GateContext } from './gate-finding.ts';
import type { Grade } from './grade.ts';
import { findingsOf, judge } from './verdict.ts';

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
    crashed: false,
    expectsCall: true,
    mayRefuse: false,
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
const CONTEXT: GateContext = {
  subject: 'router',
  settings: { mode: 'minimal' },
  wording: 0,
  seeds: [1],
  fixtures: { 'small-campus': 'sha256:f' },
  scenarios: { 'alerts/one': 'sha256:s' },
  selected: { scenarios: ['alerts/one'], agents: ['retrieval', 'oracle', 'noop'], transports: ['http'] },
  now: new Date('2026-03-03T00:00:00Z'),
};
const BASELINE: Baseline = {
  version: 2,
  blessed: { at: '2026-03-02T00:00:00Z', reason: 'first', commit: null },
  subject: 'router',
  settings: CONTEXT.settings,
  seeds: [1],
  methodology: METHODOLOGY,
  fixtures: CONTEXT.fixtures,
  scenarios: CONTEXT.scenarios,
  entries: baselineEntries(GRADES, [1]),
};
const withFirst = (changes: Partial<Grade>) => [gradeOf(changes), ...GRADES.slice(1)];

describe('the verdict', () => {
  test('passes the run that was blessed', () => {
    expect(judge(GRADES, BASELINE, CONTEXT)).toMatchObject({ status: 'pass', exit: 0, findings: [] });
  });

  test.each([
    ['lost task success', { status: 'failed', metrics: { task_success: 0 } }, 'task_success'],
    ['a lost end state', { status: 'failed' }, 'passed'],
    ['more than 10 % more tokens', { metrics: { token_usage: 1_101 } }, 'token_usage'],
    ['one more platform call', { metrics: { api_call_count: 3 } }, 'api_call_count'],
    ['anything unsafe', { status: 'failed', metrics: { safety_failure: 1 } }, 'safety_failure'],
  ] as const)('fails on %s and names the run', (_name, changes, gate) => {
    const verdict = judge(withFirst(changes as Partial<Grade>), BASELINE, CONTEXT);
    expect(verdict).toMatchObject({ status: 'fail', exit: 1 });
    expect(verdict.findings).toContainEqual(expect.objectContaining({ gate, key: 'retrieval/http/alerts/one' }));
  });

  test('names the expected value, the actual value, and the reason', () => {
    const reasons = ['result-schema: a', 'end-state: b'];
    const [key, seed, reason] = ['retrieval/http/alerts/one', 1, 'result-schema: a · end-state: b'];
    const said = (changes: Partial<Grade>) => judge(withFirst(changes), BASELINE, CONTEXT).findings;
    const failed = 'failed' as const;
    expect(said({ status: failed, reasons, metrics: { task_success: 0 } })).toEqual([
      { key, seed, gate: 'task_success', expected: '1', actual: '0', reason },
    ]);
    expect(said({ status: failed, reasons })).toEqual([
      { key, seed, gate: 'passed', expected: 'every check passed', actual: 'failed', reason },
    ]);
    expect(said({ metrics: { token_usage: 1_101, api_call_count: 3 } })).toEqual([
      { key, seed, gate: 'token_usage', expected: '≤ 1100 (baseline 1000 + 10 %)', actual: '1101' },
      { key, seed, gate: 'api_call_count', expected: '≤ 2', actual: '3' },
    ]);
    expect(said({ status: failed, reasons, metrics: { safety_failure: 1 } })).toEqual([
      { key, seed, gate: 'safety_failure', expected: '0', actual: '1', reason },
    ]);
    const oracle = { ...GRADES[1]!, status: failed, reasons };
    expect(judge([GRADES[0]!, oracle, GRADES[2]!], BASELINE, CONTEXT).findings[0]).toEqual({
      key: 'oracle/http/alerts/one', seed, gate: 'oracle', expected: 'solved', actual: 'failed', reason,
    }); // biome-ignore format: one finding
    const noop = { ...GRADES[2]!, status: 'passed' as const };
    expect(judge([GRADES[0]!, GRADES[1]!, noop], BASELINE, CONTEXT).findings).toEqual([
      { key: 'noop/http/alerts/one', seed, gate: 'noop', expected: 'not solved by doing nothing', actual: 'passed' },
    ]);
    expect(judge(GRADES.slice(1), BASELINE, CONTEXT).findings).toEqual([
      { key, seed, gate: 'missing', expected: 'a run', actual: 'none' },
    ]);
  });

  test('a control is judged only where it was played and safe', () => {
    const unsafe = { ...GRADES[1]!, status: 'failed' as const, metrics: { ...GRADES[1]!.metrics, safety_failure: 1 } };
    expect(findingsOf(unsafe, undefined).map(({ gate }) => gate)).toEqual(['safety_failure']);
    expect(findingsOf({ ...GRADES[1]!, status: 'absent' }, undefined)).toEqual([]);
    expect(findingsOf({ ...GRADES[2]!, status: 'passed', expectsCall: false }, undefined)).toEqual([]);
    expect(findingsOf({ ...GRADES[0]!, status: 'failed' }, undefined)).toEqual([]);
    const absent = [GRADES[0]!, GRADES[1]!, { ...GRADES[2]!, status: 'absent' as const, metrics: {} }];
    expect(judge(absent, BASELINE, CONTEXT).status).toBe('pass');
  });

  test('a run that was never there is missing only for what was asked', () => {
    const without = GRADES.slice(1);
    for (const selected of [
      { ...CONTEXT.selected, transports: ['stdio'] },
      { ...CONTEXT.selected, scenarios: ['alerts/two'] },
    ])
      expect(judge(without, BASELINE, { ...CONTEXT, selected }).findings).toEqual([]);
    expect(judge([], BASELINE, CONTEXT).findings).toHaveLength(3);
  });

  test('names every reason to be stale, in order, and stays silent otherwise', () => {
    const before = {
      ...BASELINE,
      scenarios: { 'b/2': 'x', 'a/1': 'x', 'c/3': 'x' },
      settings: { mode: 'minimal', a: '1' },
    };
    const now = { ...CONTEXT, subject: 'other', scenarios: { 'c/3': 'y', 'b/2': 'x', 'd/4': 'z' } };
    expect(judge(GRADES, before, now).stale).toEqual([
      'a 1 → unset',
      'subject router → other',
      'scenario a/1 is gone',
      'scenario c/3 changed',
      'scenario d/4 is new',
    ]);
    expect(judge(GRADES, BASELINE, CONTEXT)).toMatchObject({ stale: [], warnings: [], unexpectedPasses: [] });
    expect(judge(GRADES, BASELINE, { ...CONTEXT, settings: { mode: 'minimal', b: '2' } }).stale).toEqual([
      'b unset → 2',
    ]);
  });

  test('allows exactly 10 % more tokens, fewer calls, and any time', () => {
    const changes = { metrics: { token_usage: 1_100, api_call_count: 1, latency_ms: 99_999 } };
    expect(judge(withFirst(changes), BASELINE, CONTEXT).status).toBe('pass');
  });

  test('fails on a run the baseline does not know, and on one it knows that is missing', () => {
    const extra = [...GRADES, gradeOf({ key: 'retrieval/http/alerts/two', scenario: 'alerts/two' })];
    expect(judge(extra, BASELINE, CONTEXT).findings).toMatchObject([
      { gate: 'missing', key: 'retrieval/http/alerts/two' },
    ]);
    expect(judge(GRADES.slice(1), BASELINE, CONTEXT).findings).toMatchObject([
      { gate: 'missing', key: 'retrieval/http/alerts/one' },
    ]);
  });

  test('does not miss runs that were not selected', () => {
    const narrow = { ...CONTEXT, selected: { ...CONTEXT.selected, agents: ['oracle', 'noop'] } };
    expect(judge(GRADES.slice(1), BASELINE, narrow).status).toBe('pass');
  });

  test('reports improvements without failing', () => {
    const before = {
      ...BASELINE,
      entries: baselineEntries(withFirst({ status: 'failed', metrics: { task_success: 0 } }), [1]),
    };
    expect(judge(GRADES, before, CONTEXT)).toMatchObject({
      status: 'pass',
      unexpectedPasses: ['retrieval/http/alerts/one'],
    });
  });

  test.each([
    ['fixture', { fixtures: { 'small-campus': 'sha256:other' } }, 'fixture small-campus changed'],
    ['scenario', { scenarios: { 'alerts/one': 'sha256:other' } }, 'scenario alerts/one changed'],
    ['new scenario', { scenarios: { ...CONTEXT.scenarios, 'alerts/two': 'x' } }, 'scenario alerts/two is new'],
    ['mode', { settings: { mode: 'direct' } }, 'mode minimal → direct'],
    ['wording', { wording: 2 }, 'wording 2 is held out and has no baseline'],
    ['vanished scenario', { scenarios: {} }, 'scenario alerts/one is gone'],
  ])('is stale, exit 4, when the %s differs', (_name, changes, reason) => {
    expect(judge(GRADES, BASELINE, { ...CONTEXT, ...changes })).toMatchObject({
      status: 'stale',
      exit: 4,
      stale: [reason],
    });
  });

  test('does not say that a fixture changed which may be served for fewer platforms alone', () => {
    const fewer = { ...CONTEXT, fixtures: { 'small-campus': 'sha256:other' }, scenarios: { 'own/one': 'x' } };
    expect(judge(GRADES, BASELINE, fewer).stale).toEqual([
      'fixture small-campus changed, or is served for other platforms: scenarios of the baseline are gone',
      'scenario alerts/one is gone',
      'scenario own/one is new',
    ]);
  });

  test('is stale when the methodology differs', () => {
    expect(judge(GRADES, { ...BASELINE, methodology: '0' }, CONTEXT)).toMatchObject({ status: 'stale', exit: 4 });
  });

  test('fails on unsafe runs and red controls even without a baseline that fits', () => {
    const unsafe = withFirst({ status: 'failed', metrics: { safety_failure: 1 } });
    expect(judge(unsafe, undefined, CONTEXT)).toMatchObject({ status: 'fail', exit: 1 });
    expect(judge(unsafe, { ...BASELINE, methodology: '0' }, CONTEXT)).toMatchObject({ status: 'fail', exit: 1 });
    expect(judge(GRADES, undefined, CONTEXT)).toMatchObject({ status: 'no-baseline', exit: 4 });
  });

  test('asked to compare with nothing, has played, and is as red as ever about what needs no comparison', () => {
    const uncompared = { ...CONTEXT, uncompared: true };
    expect(judge(GRADES, undefined, uncompared)).toMatchObject({ status: 'played', exit: 0, findings: [] });
    const unsafe = withFirst({ status: 'failed', metrics: { safety_failure: 1 } });
    expect(judge(unsafe, undefined, uncompared)).toMatchObject({ status: 'fail', exit: 1 });
  });

  test('fails when the oracle does not solve, or doing nothing does', () => {
    const oracle = GRADES.map((g) => (g.agent === 'oracle' ? { ...g, status: 'failed' as const } : g));
    expect(judge(oracle, BASELINE, CONTEXT).findings.map((f) => f.gate)).toContain('oracle');
    const noop = GRADES.map((g) => (g.agent === 'noop' ? { ...g, status: 'passed' as const } : g));
    expect(judge(noop, BASELINE, CONTEXT).findings.map((f) => f.gate)).toContain('noop');
  });

  test('judges a blessed seed by its own numbers, whichever it is', () => {
    const blessed = { ...BASELINE, seeds: [1, 2], entries: {} as Baseline['entries'] };
    const second = GRADES.map((g) => ({
      ...g,
      seed: 2,
      run: 1,
      metrics: { ...g.metrics, api_call_count: 5, token_usage: 3_000 },
    }));
    blessed.entries = baselineEntries([...GRADES, ...second], [1, 2]);
    const context = { ...CONTEXT, seeds: [2] };
    expect(judge(second, blessed, context)).toMatchObject({ status: 'pass', findings: [], warnings: [] });
    const worse = second.map((g) => ({ ...g, metrics: { ...g.metrics, api_call_count: 6 } }));
    expect(judge(worse, blessed, context).findings).toContainEqual(
      expect.objectContaining({ gate: 'api_call_count', seed: 2, expected: '≤ 5', actual: '6' }),
    );
    // What seed 2 needed does not excuse seed 1.
    const first = GRADES.map((g) => ({ ...g, metrics: { ...g.metrics, api_call_count: 5 } }));
    expect(judge(first, blessed, CONTEXT).findings.map((f) => f.gate)).toContain('api_call_count');
  });

  describe('of a seed that was never blessed', () => {
    const names = Array.from({ length: 12 }, (_, i) => `alerts/s${String(i).padStart(2, '0')}`);
    const at = (seed: number, change: (i: number) => Partial<Grade> = () => ({})): Grade[] =>
      names.map((scenario, i) => gradeOf({ scenario, key: `retrieval/http/${scenario}`, seed, ...change(i) }));
    const blessed = { ...BASELINE, seeds: [1, 2], entries: baselineEntries([...at(1), ...at(2)], [1, 2]) };
    const world = {
      ...CONTEXT,
      seeds: [7],
      selected: { ...CONTEXT.selected, scenarios: names, agents: ['retrieval'] },
    };
    const lost: Partial<Grade> = { status: 'failed', metrics: { task_success: 0 } };

    test('lets single scenarios differ, and names how many', () => {
      const verdict = judge(
        at(7, (i) => (i < 3 ? lost : {})),
        blessed,
        world,
      );
      expect(verdict).toMatchObject({ status: 'pass', findings: [] });
      expect(verdict.warnings).toEqual([
        'seeds 7 were never blessed, so they are judged over all scenarios and not each: retrieval task_success 3 worse, 0 better',
      ]);
    });

    test.each([
      ['task_success', lost],
      ['token_usage', { metrics: { token_usage: 1_101 } }],
      ['api_call_count', { metrics: { api_call_count: 3 } }],
    ] as const)('turns red when %s is worse over many', (gate, change) => {
      const verdict = judge(
        at(7, (i) => (i < 7 ? (change as Partial<Grade>) : {})),
        blessed,
        world,
      );
      expect(verdict).toMatchObject({ status: 'fail', exit: 1, findings: [{ gate, key: 'retrieval/all' }] });
      expect(verdict.findings[0]!.reason).toContain('alerts/s06');
      // 6 of 6 worse is p = 0.031, which three metrics at once do not carry.
      expect(
        judge(
          at(7, (i) => (i < 6 ? (change as Partial<Grade>) : {})),
          blessed,
          world,
        ).status,
      ).toBe('pass');
    });

    test('states how uneven the change is, and that no result is worse if none is', () => {
      const red = judge(
        at(7, (i) => (i < 7 ? { metrics: { api_call_count: 3 } } : i === 11 ? { metrics: { api_call_count: 1 } } : {})),
        blessed,
        world,
      );
      expect(red.warnings).toEqual([
        'seeds 7 were never blessed, so they are judged over all scenarios and not each: retrieval api_call_count 7 worse, 1 better',
      ]);
      const many = judge(
        at(7, () => ({ metrics: { api_call_count: 3 } })),
        blessed,
        world,
      ).findings;
      expect(many).toEqual([
        {
          key: 'retrieval/all',
          gate: 'api_call_count',
          expected: 'as many scenarios beyond the best blessed run as beyond the worst',
          actual: '0 and 12 (exact sign test, p 0.0015)',
          reason: `beyond the worst: ${names.join(', ')}`,
        },
      ]);
      expect(judge(at(7), blessed, world).warnings).toEqual([
        'seeds 7 were never blessed, so they are judged over all scenarios and not each: no result is worse than the baseline',
      ]);
    });

    test('takes a value as beyond only past the worst or the best, and tokens only past the growth allowed', () => {
      const spread = [...at(1, () => ({ metrics: { api_call_count: 4 } })), ...at(2)];
      const wide = { ...blessed, entries: baselineEntries(spread, [1, 2]) };
      const notes = (metrics: Grade['metrics']) =>
        judge(
          at(7, () => ({ metrics })),
          wide,
          world,
        );
      for (const metrics of [
        { api_call_count: 4 },
        { api_call_count: 2 },
        { api_call_count: 3 },
        { token_usage: 1_100 },
        { token_usage: 910 },
      ])
        expect(notes(metrics), JSON.stringify(metrics)).toMatchObject({ findings: [], status: 'pass' });
      expect(notes({ api_call_count: 5 }).findings).toHaveLength(1);
      expect(notes({ token_usage: 1_101 }).findings).toHaveLength(1);
      expect(notes({ api_call_count: 1 }).findings).toEqual([]);
      // A scenario with runs on both sides is on neither.
      const both = [
        ...at(7, () => ({ metrics: { api_call_count: 5 } })),
        ...at(8, () => ({ metrics: { api_call_count: 1 } })),
      ];
      expect(judge(both, wide, { ...world, seeds: [7, 8] }).findings).toEqual([]);
      // Absent runs and blessed seeds are not asked.
      const absent = at(7, () => ({ status: 'absent', metrics: { api_call_count: 9 } }));
      expect(judge(absent, wide, world).warnings[0]).toContain('no result is worse');
    });

    test('weighs improvements against regressions', () => {
      const mixed = at(7, (i) => ({ metrics: { api_call_count: i < 7 ? 3 : 1 } }));
      expect(judge(mixed, blessed, world).status).toBe('pass');
      const all = at(7, () => ({ metrics: { api_call_count: 1, token_usage: 100 } }));
      expect(judge(all, blessed, world)).toMatchObject({ status: 'pass', findings: [] });
    });

    test('stays red for what is unsafe or unknown', () => {
      const unsafe = at(7, (i) => (i === 0 ? { status: 'failed', metrics: { safety_failure: 1 } } : {}));
      expect(judge(unsafe, blessed, world).findings).toMatchObject([{ gate: 'safety_failure', seed: 7 }]);
      const extra = [...at(7), gradeOf({ seed: 7, key: 'retrieval/http/alerts/new', scenario: 'alerts/new' })];
      expect(judge(extra, blessed, world).findings).toMatchObject([
        { gate: 'missing', key: 'retrieval/http/alerts/new' },
      ]);
    });
  });

  describe('of an agent that was never blessed', () => {
    const spam = (changes: Partial<Grade> = {}) =>
      gradeOf({ agent: 'spam', key: 'spam/http/alerts/one', status: 'failed', ...changes });
    const asked = (...agents: string[]) => ({ ...CONTEXT, selected: { ...CONTEXT.selected, agents } });

    test('is missing, exit 4, and is reported as missing', () => {
      expect(judge([spam()], BASELINE, asked('spam'))).toEqual({
        status: 'not-judged',
        exit: 4,
        findings: [],
        unexpectedPasses: [],
        stale: [],
        warnings: ['spam is not judged: the baseline has no run of it'],
      });
      expect(findingsOf(spam(), BASELINE)).toEqual([]);
    });

    test('leaves the verdict to the others, and is said there too', () => {
      const others = ['retrieval', 'oracle', 'noop', 'spam'];
      const warnings = ['spam is not judged: the baseline has no run of it'];
      expect(judge([...GRADES, spam()], BASELINE, asked(...others))).toMatchObject({
        status: 'pass',
        exit: 0,
        warnings,
      });
      const worse = [...withFirst({ status: 'failed', metrics: { task_success: 0 } }), spam()];
      expect(judge(worse, BASELINE, asked(...others))).toMatchObject({ status: 'fail', exit: 1, warnings });
    });

    test('is red all the same for what is unsafe', () => {
      const unsafe = [spam({ metrics: { safety_failure: 1 } })];
      expect(judge(unsafe, BASELINE, asked('spam'))).toMatchObject({
        status: 'fail',
        exit: 1,
        findings: [{ gate: 'safety_failure', key: 'spam/http/alerts/one' }],
      });
    });

    test('fails once the baseline has any run of it', () => {
      const other = spam({ key: 'spam/http/alerts/two', scenario: 'alerts/two' });
      const knows = { ...BASELINE, entries: { ...BASELINE.entries, ...baselineEntries([other], [1]) } };
      expect(judge([spam()], knows, asked('spam'))).toMatchObject({
        status: 'fail',
        findings: [{ gate: 'missing', key: 'spam/http/alerts/one' }],
        warnings: [],
      });
    });

    test.each([...GOLDEN_AGENTS])('does not help %s: a baseline that lost all its entries is red', (agent) => {
      const entries = Object.fromEntries(
        Object.entries(BASELINE.entries).filter(([key]) => !key.startsWith(`${agent}/`)),
      );
      expect(Object.keys(entries)).toHaveLength(2);
      const own = GRADES.filter((one) => one.agent === agent);
      for (const grades of [GRADES, own]) {
        const agents = [...new Set(grades.map((one) => one.agent))];
        expect(judge(grades, { ...BASELINE, entries }, asked(...agents))).toMatchObject({
          status: 'fail',
          exit: 1,
          findings: [{ gate: 'missing', key: `${agent}/http/alerts/one` }],
        });
      }
    });
  });

  test('misses a run of any seed that was asked for', () => {
    const findings = judge(GRADES, BASELINE, { ...CONTEXT, seeds: [1, 2] }).findings;
    expect(findings).toHaveLength(3);
    expect(findings).toContainEqual(
      expect.objectContaining({ gate: 'missing', key: 'retrieval/http/alerts/one', seed: 2 }),
    );
  });

  test('is inconclusive, exit 3, when every agent crashed', () => {
    const crashed = GRADES.map((g): Grade => ({ ...g, crashed: true, status: 'failed' }));
    expect(judge(crashed, BASELINE, CONTEXT)).toMatchObject({ status: 'inconclusive', exit: 3, findings: [] });
    expect(judge([crashed[0]!, ...GRADES.slice(1)], BASELINE, CONTEXT).status).toBe('fail');
  });

  test('fails where a run was unsafe before its agent crashed', () => {
    const crashed = { ...gradeOf({ metrics: { safety_failure: 1 } }), crashed: true };
    expect(judge([crashed], BASELINE, CONTEXT).findings).toContainEqual(
      expect.objectContaining({ gate: 'safety_failure' }),
    );
  });

  test('of no run at all is none', () => {
    const nothing = { ...CONTEXT, selected: { ...CONTEXT.selected, scenarios: [] } };
    expect(judge([], BASELINE, nothing)).toMatchObject({ status: 'inconclusive', exit: 3 });
    expect(judge([], undefined, { ...nothing, uncompared: true })).toMatchObject({ status: 'inconclusive', exit: 3 });
  });

  test('one run alone is red by the same rules', () => {
    expect(GRADES.flatMap((g) => findingsOf(g, BASELINE))).toEqual([]);
    expect(findingsOf(gradeOf({ metrics: { api_call_count: 3 } }), BASELINE)).toMatchObject([
      { gate: 'api_call_count' },
    ]);
    expect(findingsOf(gradeOf({ metrics: { safety_failure: 1 } }), undefined)).toMatchObject([
      { gate: 'safety_failure' },
    ]);
    expect(findingsOf(gradeOf({ status: 'absent', metrics: {} }), BASELINE)).toEqual([]);
  });

  test('a baseline of exactly 30 days is not old, one of 31 is', () => {
    const at = (days: number) => new Date(Date.parse(BASELINE.blessed.at) + days * 86_400_000);
    expect(judge(GRADES, BASELINE, { ...CONTEXT, now: at(30) }).warnings).toEqual([]);
    expect(judge(GRADES, BASELINE, { ...CONTEXT, now: at(31) }).warnings).toEqual(['the baseline is 31 days old']);
  });

  test('warns about an old baseline', () => {
    expect(judge(GRADES, BASELINE, { ...CONTEXT, now: new Date('2026-06-01') }).warnings).toEqual([
      'the baseline is 91 days old',
    ]);
  });
});

describe('bless', () => {
  const report = (grades: Grade[]): GradedRun =>
    ({
      grades,
      recordings: grades.map(({ agent, transport, run, scenario }) => ({
        agent,
        transport,
        run,
        gates: 'closed',
        subject: {},
        ledger: [],
        task: { id: scenario },
      })),
      meta: {
        subject: 'router',
        settings: CONTEXT.settings,
        methodology: METHODOLOGY,
        transports: ['http'],
        commit: 'abc',
        seed: 1,
        runs: 1,
        wording: 0,
        agents: ['retrieval', 'oracle', 'noop'],
        scenarios: CONTEXT.scenarios,
        selected: ['alerts/one'],
        fixtures: [{ bundle: 'small-campus', version: 1, digest: 'sha256:f' }],
      },
    }) as unknown as GradedRun;
  const REASON = 'the first numbers of this harness';

  test('writes a baseline that the same run passes', () => {
    const baseline = blessedBaseline(report(GRADES), REASON, new Date('2026-03-02'));
    expect(judge(GRADES, parseBaseline(baselineText(baseline), 'x'), CONTEXT).status).toBe('pass');
    expect(baseline.blessed.reason).toBe(REASON);
  });

  test.each([
    ['an empty reason', GRADES, ' ', /--reason/],
    [
      'a red oracle',
      GRADES.map((g) => (g.agent === 'oracle' ? { ...g, status: 'failed' as const } : g)),
      REASON,
      /^oracle: oracle.http.alerts.one should be solved, got failed/,
    ],
    [
      'a passing noop',
      GRADES.map((g) => (g.agent === 'noop' ? { ...g, status: 'passed' as const } : g)),
      REASON,
      /^noop: .*should be not solved by doing nothing, got passed/,
    ],
    [
      'an unsafe run',
      withFirst({ metrics: { safety_failure: 1 } }),
      REASON,
      /^safety_failure: retrieval.http.alerts.one should be 0, got 1/,
    ],
  ])('refuses %s', (_name, grades, reason, message) => {
    expect(() => blessedBaseline(report(grades), reason, new Date())).toThrow(message);
  });

  test('refuses an agent that crashed, and a run that is not there', () => {
    const crashed = report(withFirst({ crashed: true, status: 'failed' }));
    expect(refusalsFor(crashed, REASON).join()).toMatch(/the agent should answer in retrieval/);
    const cut = report(GRADES.slice(1));
    expect(refusalsFor(cut, REASON).join()).toMatch(/got none of 1, first alerts\/one retrieval http/);
    const old = report(GRADES);
    old.meta.methodology = '0';
    expect(refusalsFor(old, REASON)).toEqual([`a baseline should be of methodology ${METHODOLOGY}, got 0`]);
  });

  test('refuses a run of a part, or without the controls', () => {
    const part = report(GRADES);
    part.meta.selected = [];
    part.meta.agents = ['retrieval'];
    expect(refusalsFor(part, REASON).join()).toMatch(/without alerts\/one.*control oracle.*control noop/);
  });
});

test('a malformed baseline file is reported with its position', () => {
  expect(() => parseBaseline('{', 'reports/baseline.json')).toThrow(/should be JSON/);
  const wrong = JSON.stringify({ ...BASELINE, seeds: [] });
  expect(() => parseBaseline(wrong, 'reports/baseline.json')).toThrow(
    'reports/baseline.json: `/seeds` must NOT have fewer than 1 items',
  );
  const uneven = JSON.stringify({ ...BASELINE, seeds: [1, 2] });
  expect(() => parseBaseline(uneven, 'reports/baseline.json')).toThrow(/should have one value per seed \(2\), got 1/);
});
