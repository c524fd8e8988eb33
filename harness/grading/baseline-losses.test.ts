import { describe, expect, test } from 'vitest';
import type { Baseline } from './baseline.ts';
import { METHODOLOGY } from './baseline.ts';
import { lossesSince, lossesSincePublished, lossLines } from './baseline-losses.ts';
import type { PublishedResults } from './published-results.ts';

const entry = (passed: (0 | 1)[], success: (0 | 1)[] = passed) => ({
  ...{ passed, task_success: success, token_usage: passed, api_call_count: passed },
  tool_selection_accuracy: passed,
});
const baselineOf = (entries: Baseline['entries'], seeds = [1, 2]): Baseline =>
  ({ blessed: { at: '2026-03-02T00:00:00Z', reason: 'a reason', commit: null }, seeds, entries }) as Baseline;
const BEFORE = baselineOf({
  'retrieval/http/a/one': entry([1, 1]),
  'retrieval/http/a/two': entry([0, 0], [1, 0]),
  'retrieval/stdio/a/one': entry([1, 1]),
  'spam/http/a/one': entry([0, 0]),
  'noop/http/a/one': entry([1, 1]),
});
const names = (after: Baseline) => lossesSince(BEFORE, after).map(({ name, kind, seed }) => [name, kind, seed]);

describe('a bless gives up', () => {
  test('nothing where all is as it was, or more, or where a control solves less', () => {
    const idle = { ...BEFORE.entries, 'noop/http/a/one': entry([0, 0]) };
    expect(lossesSince(BEFORE, baselineOf(idle))).toEqual([]);
    const more = { ...BEFORE.entries, 'retrieval/http/a/three': entry([0, 0]), 'retrieval/http/a/two': entry([1, 1]) };
    expect(lossesSince(BEFORE, baselineOf(more))).toEqual([]);
    const seeds = Object.fromEntries(Object.entries(BEFORE.entries).map(([key]) => [key, entry([1, 1, 0])]));
    expect(lossesSince(BEFORE, baselineOf(seeds, [1, 2, 3]))).toEqual([]);
  });

  test('a success of one seed over one transport, and one that was a task success only', () => {
    const worse = { ...BEFORE.entries, 'retrieval/http/a/one': entry([1, 0]), 'retrieval/http/a/two': entry([0, 0]) };
    expect(names(baselineOf(worse))).toEqual([
      ['a/one', 'lost', 2],
      ['a/two', 'lost', 1],
    ]);
    expect(lossLines(lossesSince(BEFORE, baselineOf(worse)))[0]).toBe(
      'a/one: solved in the baseline of 2026-03-02, and not in this run (retrieval over http, seed 2)',
    );
  });

  test('a seed, an agent, a transport or a scenario, each by one name', () => {
    const { 'spam/http/a/one': _, ...withoutAgent } = BEFORE.entries;
    expect(names(baselineOf(withoutAgent))).toEqual([['agent spam', 'gone', undefined]]);
    const { 'retrieval/stdio/a/one': __, ...withoutTransport } = BEFORE.entries;
    expect(names(baselineOf(withoutTransport))).toEqual([['transport stdio', 'gone', undefined]]);
    const { 'retrieval/http/a/two': ___, ...withoutScenario } = BEFORE.entries;
    expect(names(baselineOf(withoutScenario))).toEqual([['a/two', 'gone', undefined]]);
    const first = Object.fromEntries(
      Object.entries(BEFORE.entries).map(([key, { passed, task_success }]) => [
        key,
        entry(passed.slice(0, 1), task_success.slice(0, 1)),
      ]),
    );
    expect(names(baselineOf(first, [1]))).toEqual([['seed 2', 'gone', undefined]]);
    expect(lossLines(lossesSince(BEFORE, baselineOf(first, [1])))).toEqual([
      'seed 2: in the baseline of 2026-03-02, and not in this run',
    ]);
  });

  test('an entry of a scenario that others still have', () => {
    const { 'retrieval/http/a/one': _, ...without } = BEFORE.entries;
    expect(names(baselineOf(without))).toEqual([
      ['a/one', 'lost', 1],
      ['a/one', 'lost', 2],
    ]);
  });
});

test('since a published version, successes of comparable scenarios alone', () => {
  const world = { scenario: 'sha256:s', fixture: 'sha256:f' };
  const published: PublishedResults = {
    ...{ version: '1.2.3', commit: null, measured: 'published', at: '', subject: 'router', settings: {} },
    ...{ methodology: METHODOLOGY, seeds: [1, 3], digests: { 'a/one': world, 'a/two': world } },
    entries: { 'retrieval/http/a/one': entry([1, 1]), 'retrieval/http/a/two': entry([1, 1]) },
  };
  const after = baselineOf({ 'retrieval/http/a/one': entry([0, 0]), 'retrieval/http/a/two': entry([0, 0]) });
  const today = { 'a/one': world, 'a/two': { ...world, scenario: 'sha256:other' } };
  expect(lossesSincePublished(published, after, today)).toEqual([
    { name: 'a/one', kind: 'lost', since: 'version 1.2.3', agent: 'retrieval', transport: 'http', seed: 1 },
  ]);
});
