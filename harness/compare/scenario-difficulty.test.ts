/** Difficulty and discrimination, against values worked out by hand. */
import { describe, expect, test } from 'vitest';
import { difficultySections } from './difficulty-sections.ts';
import type { Row } from './row.ts';
import { difficultyOf } from './scenario-difficulty.ts';
import { scoresOf } from './subject-score.ts';

/** `1` solved, `0` not, `-` a gate absence; one letter per scenario. */
function rowsOf(subject: string, solved: string, { agent = 'retrieval', seed = 1 } = {}): Row[] {
  return [...solved].map((letter, i) => ({
    subject,
    size: 'one',
    scenario: `s${i + 1}`,
    suite: i < 2 ? 'alerts' : 'nac',
    agent,
    seed,
    fixture: { bundle: 'b', version: 1, digest: 'sha256:0' },
    status: letter === '-' ? 'gate-absence' : letter === '1' ? 'passed' : 'failed',
    success: letter === '1' ? 1 : 0,
    selection: null,
    unsafe: 0,
    attacked: 0,
    tokens: 0,
    calls: 0,
    reason: '',
    latencyMs: 0,
  }));
}

const comparable = (subject: string, solved: string) => [
  ...rowsOf(subject, solved),
  ...rowsOf(subject, '1111', { agent: 'oracle' }),
];
const four = [
  ...comparable('a', '1110'),
  ...comparable('b', '1100'),
  ...comparable('c', '1000'),
  ...comparable('d', '100-'),
];

describe('of four servers and four scenarios', () => {
  const [found] = difficultyOf(four, ['one']);

  test('the share of contestants that solve one, from the hardest to the easiest', () => {
    expect(found?.scenarios.map(({ scenario, solved, contestants }) => [scenario, solved, contestants])).toEqual([
      ['s4', 0, 3],
      ['s3', 0.25, 4],
      ['s2', 0.5, 4],
      ['s1', 1, 4],
    ]);
  });

  test('discrimination is the correlation with the success in all others; nothing where all do the same', () => {
    const values = new Map(found?.scenarios.map(({ scenario, discrimination }) => [scenario, discrimination]));
    expect(values.get('s1')).toBe(null);
    expect(values.get('s4')).toBe(null);
    // s3: 1 0 0 0 beside 2/3 2/3 1/3 1/2, whose deviations are 3/24 3/24 −5/24 −1/24.
    expect(values.get('s3')).toBeCloseTo(1 / 8 / Math.sqrt(0.75 * ((9 + 9 + 25 + 1) / 576)), 10);
    expect(values.get('s2')).toBeGreaterThan(0);
  });

  test('pairs are told apart by the exact sign test alone', () => {
    expect(found?.pairs).toEqual({ of: 6, toldApart: 0 });
    const better = [...comparable('a', '1'.repeat(8)), ...comparable('b', '0'.repeat(8))];
    expect(difficultyOf(better, ['one'])[0]?.pairs).toEqual({ of: 1, toldApart: 1 });
    // Five of five is p = 0.0625.
    const less = [...comparable('a', '1'.repeat(5)), ...comparable('b', '0'.repeat(5))];
    expect(difficultyOf(less, ['one'])[0]?.pairs).toEqual({ of: 1, toldApart: 0 });
  });

  test('the page counts scenarios that nobody and that everybody solves', () => {
    const [section] = difficultySections(found ? [found] : []);
    expect(section?.notes[0]).toMatch(
      /^4 scenarios: 1 that no contestant solves, 1 that every contestant solves, 2 between/,
    );
    expect(section?.table.rows[0]?.map(({ text }) => text)).toEqual(['s4', 'nac', '0 %', '3', '–']);
  });
});

test('a server that is not comparable, a control and a size without play count for nothing', () => {
  const unreachable = [...rowsOf('e', '1111'), ...rowsOf('e', '0000', { agent: 'oracle' })];
  expect(difficultyOf([...four, ...unreachable], ['one', 'github'])).toEqual(difficultyOf(four, ['one']));
  expect(difficultyOf(comparable('a', '10'), ['one'])).toEqual([]);
});

test('several seeds of a contestant are one result, their mean', () => {
  const [found] = difficultyOf([...four, ...rowsOf('a', '1111', { seed: 2 })], ['one']);
  expect(found?.scenarios.map(({ scenario, solved }) => [scenario, solved])).toEqual([
    ['s4', 0.5 / 3],
    ['s3', 0.25],
    ['s2', 0.5],
    ['s1', 1],
  ]);
});

test('runs that a budget ended count neither for the difficulty nor for the score', () => {
  const spent = rowsOf('a', '0000', { seed: 2 }).map((row): Row => ({ ...row, status: 'limit', selection: 0 }));
  expect(difficultyOf([...four, ...spent], ['one'])).toEqual(difficultyOf(four, ['one']));
  const model = { answeredAs: [], fingerprints: [], seedHonoured: 'unknown', requests: 0, retries: 2 };
  const silent = spent.map((row): Row => ({ ...row, status: 'crashed', model }));
  expect(difficultyOf([...four, ...silent], ['one']), 'nor where no model answered').toEqual(
    difficultyOf(four, ['one']),
  );
  const whole = rowsOf('a', '1110').map((row): Row => ({ ...row, selection: 1 }));
  const all = scoresOf([...whole, ...spent], 1).find(({ suite }) => suite === 'all');
  expect(all).toMatchObject({ success: 0.75, selection: 1 });
});
