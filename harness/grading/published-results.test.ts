import { describe, expect, test } from 'vitest';
import { type Baseline, METHODOLOGY } from './baseline.ts';
import type { GateContext } from './gate-finding.ts';
import type { Grade } from './grade.ts';
import { comparableScenarios, type PublishedResults, parsePublished } from './published-results.ts';
import { judge } from './verdict.ts';
import { verdictLine } from './verdict-causes.ts';

const entry = (passed: 0 | 1) => ({
  ...{ passed: [passed], task_success: [passed], token_usage: [9], api_call_count: [1] },
  tool_selection_accuracy: [1 as const],
});
const world = { scenario: 'sha256:s', fixture: 'sha256:f' };
const IDS = ['a/one', 'a/two', 'a/three', 'a/four'];
const PUBLISHED: PublishedResults = {
  ...{ version: '1.2.3', commit: null, measured: 'published', at: '2026-03-01', subject: 'router', settings: {} },
  ...{ methodology: METHODOLOGY, seeds: [1] },
  digests: { 'a/one': world, 'a/two': world, 'a/three': world },
  entries: Object.fromEntries(IDS.slice(0, 3).map((id) => [`retrieval/http/${id}`, entry(1)])),
};
const TODAY = {
  'a/one': world,
  'a/two': { ...world, scenario: 'sha256:new' },
  'a/three': { ...world, fixture: 'sha256:new' },
  'a/four': world,
};

test('a scenario is comparable where file, fixture and methodology are those of today; each other has its reason', () => {
  expect(comparableScenarios(PUBLISHED, TODAY)).toEqual({
    comparable: ['a/one'],
    notComparable: {
      'not in the results of the version': ['a/four'],
      'fixture, or the platforms it is served for, changed': ['a/three'],
      'scenario changed': ['a/two'],
    },
  });
  expect(comparableScenarios({ ...PUBLISHED, methodology: '0' }, { 'a/one': world }).notComparable).toEqual({
    'methodology changed': ['a/one'],
  });
});

const gradeOf = (scenario: string, passed: boolean): Grade =>
  ({
    ...{ key: `retrieval/http/${scenario}`, scenario, agent: 'retrieval', transport: 'http', seed: 1, run: 0 },
    ...{ status: passed ? 'passed' : 'failed', checks: {}, reasons: ['calls-made: none'], crashed: false },
    metrics: { task_success: Number(passed), safety_failure: 0, token_usage: 9, api_call_count: 1 },
  }) as unknown as Grade;

describe('the verdict beside a published version', () => {
  const scenarios = Object.fromEntries(IDS.map((id) => [id, 'sha256:s']));
  /** It was blessed when the successes were lost already. */
  const blessed = {
    ...{ version: 2, blessed: { at: '2026-03-02T00:00:00Z', reason: 'lost', commit: null }, subject: 'router' },
    ...{ settings: {}, seeds: [1], methodology: METHODOLOGY, fixtures: {}, scenarios },
    entries: Object.fromEntries(IDS.map((id) => [`retrieval/http/${id}`, entry(0)])),
  } as Baseline;
  const context: GateContext = {
    ...{ subject: 'router', settings: {}, wording: 0, seeds: [1], fixtures: {}, scenarios },
    selected: { scenarios: IDS, agents: ['retrieval'], transports: ['http'] },
    ...{ published: PUBLISHED, digests: TODAY, now: new Date('2026-03-03') },
  };
  const judged = (passed: boolean, baseline = blessed, changes: Partial<GateContext> = {}) => {
    const grades = IDS.map((id) => gradeOf(id, passed));
    const verdict = judge(grades, baseline, { ...context, ...changes });
    return { verdict, line: verdictLine(verdict, grades) };
  };

  test('is red where a comparable success is lost, whatever the baseline says', () => {
    const { verdict, line } = judged(false);
    expect(verdict.findings).toEqual([
      expect.objectContaining({
        ...{ key: 'retrieval/http/a/one', gate: 'published', expected: 'solved, as in 1.2.3', actual: 'failed' },
      }),
    ]);
    expect(line).toBe('fail: 1 finding, 0 unsafe');
  });

  test('counts what is not comparable, by reason, and never drops it', () => {
    const { verdict, line } = judged(true);
    expect(verdict.published).toMatchObject({ version: '1.2.3', scenarios: 4, comparable: 1 });
    expect(verdict.warnings).toEqual(
      expect.arrayContaining(['1.2.3: 1 not comparable: scenario changed (a/two)', expect.stringContaining('a/four')]),
    );
    expect(line).toBe('pass: nothing worse than 1.2.3 (1 of 4 scenarios) and the baseline of 2026-03-02, 0 unsafe');
  });

  test('is green where a bless accepted the loss, and repeats its reason', () => {
    const { verdict } = judged(false, { ...blessed, accepted: { 'a/one': 'the platform dropped it' } });
    expect(verdict).toMatchObject({ status: 'pass', published: { accepted: { 'a/one': 'the platform dropped it' } } });
    expect(verdict.warnings.join()).toContain('its loss is accepted: the platform dropped it');
  });

  test('names the version alone where all is comparable, and none where nothing is', () => {
    const all = Object.fromEntries(IDS.slice(0, 3).map((id) => [id, world]));
    expect(judged(true, blessed, { digests: all }).line).toMatch(/^pass: nothing worse than 1\.2\.3 and the baseline/);
    expect(judged(true, blessed, { digests: { 'a/four': world } }).line).toBe(
      'pass: nothing worse than the baseline of 2026-03-02 (1.2.3: no scenario is comparable), 0 unsafe',
    );
    expect(judged(true, blessed, { published: undefined }).line).toBe(
      'pass: nothing worse than the baseline of 2026-03-02, 0 unsafe',
    );
  });

  test('does not compare another server, another setting or a paraphrase', () => {
    for (const changes of [{ settings: { mode: 'x' } }, { wording: 1 }, { subject: 'other' }]) {
      expect(judged(false, blessed, changes).verdict.published).toBeUndefined();
    }
  });
});

test('a file of published results is read back, and one that is wrong is refused with its place', () => {
  expect(parsePublished(JSON.stringify(PUBLISHED), 'p.json')).toEqual(PUBLISHED);
  expect(() => parsePublished(JSON.stringify({ ...PUBLISHED, seeds: [] }), 'p.json')).toThrow(/^p\.json: `\/seeds`/);
});
