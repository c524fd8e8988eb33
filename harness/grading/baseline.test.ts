/** Validity of a baseline file, and how one is made. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  type Baseline,
  baselineEntries,
  baselineText,
  expectationFor,
  parseBaseline,
  readBaseline,
} from './baseline.ts';
import type { Grade } from './grade.ts';

const ENTRY = {
  passed: [1, 0],
  task_success: [1, 0],
  token_usage: [100, 200],
  api_call_count: [2, 3],
  tool_selection_accuracy: [1, null],
};
const BASELINE = {
  version: 2,
  blessed: { at: '2026-03-02T00:00:00Z', reason: 'first', commit: null },
  subject: 'router',
  settings: { mode: 'minimal' },
  seeds: [1, 7],
  methodology: '4',
  directListingTokens: { closed: 10, open: 20 },
  fixtures: { small: 'sha256:f' },
  scenarios: { 'alerts/one': 'sha256:s', 'alerts/two': 'sha256:t' },
  entries: { 'retrieval/http/alerts/one': ENTRY },
};
const entry = (changes: object) => ({ entries: { 'retrieval/http/alerts/one': { ...ENTRY, ...changes } } });

describe('a baseline file', () => {
  const read = (changes: object) => parseBaseline(JSON.stringify({ ...BASELINE, ...changes }), 'b.json');

  test('that is right is read as it is, and printed so that it reads the same', () => {
    expect(read({})).toEqual(BASELINE);
    expect(read({ blessed: { ...BASELINE.blessed, commit: 'abc' } }).blessed.commit).toBe('abc');
    const { directListingTokens: _, ...without } = BASELINE;
    expect(parseBaseline(JSON.stringify(without), 'b.json')).toEqual(without);
    const text = baselineText(BASELINE as unknown as Baseline);
    expect(JSON.parse(text)).toEqual(BASELINE);
    expect(text).toMatch(/^ {4}"alerts\/one": "sha256:s",$/m);
    expect(text).toMatch(/^ {4}"retrieval\/http\/alerts\/one": \{"passed":\[1,0\].*\}$/m);
    expect(text.endsWith('}\n')).toBe(true);
  });

  test.each([
    ['another version', { version: 1 }, '/version'],
    ['no reason', { blessed: { ...BASELINE.blessed, reason: '' } }, '/blessed/reason'],
    ['no time', { blessed: { reason: 'x', commit: null } }, '/blessed'],
    ['a commit that is a number', { blessed: { ...BASELINE.blessed, commit: 7 } }, '/blessed/commit'],
    ['an unknown field', { colour: 'red' }, '(root)'],
    ['an unknown field of the blessing', { blessed: { ...BASELINE.blessed, by: 'me' } }, '/blessed'],
    ['a subject that is none', { subject: 7 }, '/subject'],
    ['a setting that is no text', { settings: { mode: 7 } }, '/settings/mode'],
    ['no seeds', { seeds: [] }, '/seeds'],
    ['half a seed', { seeds: [1, 1.5] }, '/seeds/1'],
    ['a methodology that is a number', { methodology: 3 }, '/methodology'],
    ['half a listing', { directListingTokens: { closed: 1 } }, '/directListingTokens'],
    ['a listing of more', { directListingTokens: { closed: 1, open: 2, other: 3 } }, '/directListingTokens'],
    ['a listing of parts of tokens', { directListingTokens: { closed: 1.5, open: 2 } }, '/directListingTokens/closed'],
    ['a fixture without a digest', { fixtures: { small: null } }, '/fixtures/small'],
    ['a scenario without a digest', { scenarios: { one: 1 } }, '/scenarios/one'],
    [
      'a success that is half',
      entry({ task_success: [1, 0.5] }),
      '/entries/retrieval~1http~1alerts~1one/task_success/1',
    ],
    ['a pass that is two', entry({ passed: [2, 0] }), '/entries/retrieval~1http~1alerts~1one/passed/0'],
    ['less than no tokens', entry({ token_usage: [-1, 1] }), '/entries/retrieval~1http~1alerts~1one/token_usage/0'],
    ['calls that are no number', entry({ api_call_count: ['2', 1] }), '/api_call_count/0'],
    ['a choice that is two', entry({ tool_selection_accuracy: [2, null] }), '/tool_selection_accuracy/0'],
    ['an entry of nothing', entry({ passed: [] }), '/passed'],
    ['an entry of more', entry({ other: [1, 2] }), '/entries/retrieval~1http~1alerts~1one'],
  ])('with %s is refused with its place', (_what, changes, at) => {
    expect(() => read(changes)).toThrow(`${at}`);
    expect(() => read(changes)).toThrow(/^b\.json: `/);
    expect(() => read(changes)).toThrow(expect.objectContaining({ code: 'BASELINE_INVALID' }));
  });

  test.each(['passed', 'task_success', 'token_usage', 'api_call_count', 'tool_selection_accuracy'])(
    'has %s of every seed',
    (field) => {
      expect(() => read(entry({ [field]: [1] }))).toThrow(
        `b.json: \`/entries/retrieval/http/alerts/one/${field}\` should have one value per seed (2), got 1`,
      );
      expect(() => read(entry({ [field]: [] }))).toThrow(`/${field}`);
      const { [field as keyof typeof ENTRY]: _, ...rest } = ENTRY;
      expect(() => read({ entries: { 'retrieval/http/alerts/one': rest } })).toThrow(field);
    },
  );

  test('that is no JSON is refused, and one that is not there is none', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'baseline-'));
    const file = join(folder, 'b.json');
    expect(await readBaseline(file)).toBeUndefined();
    await expect(readBaseline(folder)).rejects.toThrow(/EISDIR/);
    await writeFile(file, '{');
    await expect(readBaseline(file)).rejects.toThrow(/b\.json: should be JSON, got /);
    await expect(readBaseline(file)).rejects.toMatchObject({ cause: expect.any(SyntaxError) });
    await writeFile(file, JSON.stringify(BASELINE));
    expect(await readBaseline(file)).toEqual(BASELINE);
    await rm(folder, { recursive: true });
  });
});

describe('entries', () => {
  const grade = (key: string, seed: number, changes: Partial<Grade> = {}): Grade =>
    ({
      key,
      seed,
      status: 'passed',
      metrics: { task_success: 1, token_usage: 10 * seed, api_call_count: seed, tool_selection_accuracy: 1 },
      ...changes,
    }) as unknown as Grade;

  test('are of keys that were run with every seed, sorted, one value per seed in the order of the seeds', () => {
    const grades = [
      grade('b', 2, { status: 'failed', metrics: { task_success: 0, tool_selection_accuracy: null } }),
      grade('b', 1),
      grade('a', 1),
      grade('a', 2),
      grade('c', 2),
      grade('c', 1),
      grade('half', 1),
      grade('gone', 1, { status: 'absent' }),
      grade('gone', 2, { status: 'absent' }),
    ];
    const entries = baselineEntries(grades, [1, 2]);
    expect(Object.keys(entries)).toEqual(['a', 'b', 'c']);
    expect(entries['b']).toEqual({
      passed: [1, 0],
      task_success: [1, 0],
      token_usage: [10, 0],
      api_call_count: [1, 0],
      tool_selection_accuracy: [1, null],
    });
  });

  test('say what to expect of a blessed seed, and nothing of another', () => {
    const baseline = BASELINE as unknown as Baseline;
    const key = 'retrieval/http/alerts/one';
    expect(expectationFor(baseline, key, 1)).toEqual({ passed: true, taskSuccess: true, tokens: 100, calls: 2 });
    expect(expectationFor(baseline, key, 7)).toEqual({ passed: false, taskSuccess: false, tokens: 200, calls: 3 });
    expect(expectationFor(baseline, key, 2)).toBeUndefined();
    expect(expectationFor(baseline, 'other', 1)).toBeUndefined();
  });
});
