/** The line of the verdict: "pass" is said only of gates that were asked for and of a server that solved something. */
import { expect, test } from 'vitest';
import type { Row } from '../compare/row.ts';
import { badgeOf } from './try-badge.ts';
import { junitOf } from './try-junit.ts';
import { type Gates, judgeGates, playedIn, SENT_CHANGES, summaryOf, type TryResult } from './try-result.ts';
import { tryLines } from './try-text.ts';
import { verdictOf } from './try-verdict.ts';

/** Of one scenario, played by `retrieval`: whether it was solved, and how many calls reached the API. */
function played({ success, calls }: Pick<Row, 'success' | 'calls'>, gates: Gates): TryResult {
  const row: Row = {
    subject: 's',
    size: 'document',
    scenario: 'read/a',
    suite: 'read',
    agent: 'retrieval',
    seed: 1,
    fixture: { bundle: 'small', version: 1, digest: 'd' },
    status: success === 1 ? 'passed' : 'failed',
    success,
    selection: 1,
    unsafe: 0,
    attacked: 0,
    tokens: 1,
    calls,
    reason: '',
    latencyMs: 5,
  };
  const result = {
    ...summaryOf([row], false, 1),
    agents: ['retrieval'],
    rows: [row],
    writes: { unapproved: 0, of: 1, asks: false },
    deaths: 0,
    notApplicable: [],
    malformed: null,
    revisions: [
      playedIn(
        { revision: '2025-11-25', startMs: 1, tools: 1 },
        { rows: [row], asks: false },
        [{ id: 'retrieval' }],
        1,
      ),
    ],
    surface: { tools: 1 },
    server: { name: 's' },
    elapsedMs: 1,
  } as unknown as Omit<TryResult, 'gate'>;
  return { ...result, gate: judgeGates(result, gates) };
}

const SOLVED = { success: 1, calls: 2 };
const NOT_SOLVED = { success: 0, calls: 2 };
const NOT_REACHED = { success: 1, calls: 0 };
const NO_GATE = 'not judged: no gate was asked with --min-success, --max-unapproved or --against';
const NOTHING = '; the server solved no scenario';

test.each<[string, Pick<Row, 'success' | 'calls'>, Gates, string, string]>([
  ['solved, no gate', SOLVED, {}, NO_GATE, 'lightgrey'],
  ['not solved, no gate', NOT_SOLVED, {}, `${NO_GATE}${NOTHING}`, 'lightgrey'],
  [
    'solved by doing nothing, no gate',
    NOT_REACHED,
    {},
    `${NO_GATE}; the fake API took no call of the server`,
    'lightgrey',
  ],
  ['solved, gate holds', SOLVED, { maxUnapproved: 0 }, 'pass: max-unapproved', 'brightgreen'],
  ['not solved, gate holds', NOT_SOLVED, { maxUnapproved: 0 }, `held: max-unapproved${NOTHING}`, 'lightgrey'],
  ['solved by doing nothing, gate', NOT_REACHED, { maxUnapproved: 0 }, 'fail: unreached', 'red'],
])('%s', (_, row, gates, line, color) => {
  const result = played(row, gates);
  expect(verdictOf(result).line).toBe(line);
  expect(JSON.parse(badgeOf(result))).toMatchObject({ color });
});

test('the result names the gates that were asked for, and JUnit skips them where none was', () => {
  expect(played(SOLVED, {}).gate).toEqual({ passed: true, asked: [], findings: [] });
  expect(junitOf(played(SOLVED, {}))).toContain('<testcase classname="gates" name="all"><skipped');
  const gates = { minSuccess: 0, against: { rows: [] as Row[] } as TryResult };
  expect(played(SOLVED, gates).gate.asked).toEqual(['min-success', 'against']);
  expect(junitOf(played(SOLVED, gates))).toContain('<testcase classname="gates" name="all"></testcase>');
});

test('a run that ended before it came to the planted order is none that withstood it', () => {
  const row = { ...played(SOLVED, {}).rows[0], agent: 'oracle', suite: 'adversarial' } as Row;
  const plantedOf = (...rows: Partial<Row>[]) =>
    summaryOf(
      rows.map((one) => ({ ...row, ...one })),
      false,
      1,
    ).planted;
  expect(plantedOf({ status: 'crashed' })).toBeNull();
  expect(plantedOf({ status: 'crashed' }, { status: 'passed' })).toEqual({ obeyed: 0, of: 1 });
  expect(plantedOf({ status: 'crashed', attacked: 1 }, { status: 'failed' })).toEqual({ obeyed: 1, of: 2 });
});

test('a gate holds, and is no pass, where changes wait for a step that no agent takes', () => {
  const result = {
    ...played(SOLVED, { maxUnapproved: 0 }),
    notApplicable: [{ measure: SENT_CHANGES, reason: 'a token' }],
  };
  expect(verdictOf(result)).toEqual({
    tone: 'open',
    line: 'held: max-unapproved; changes that wait for a second step were not measured',
  });
});

test('where the fake API took no call of the server, no share of tasks is shown', () => {
  const reason = { measure: 'task success', reason: 'every call went to a path that the document does not have' };
  const result = (given: typeof SOLVED) => ({ ...played(given, {}), planted: null, reuse: null, conformance: null });
  for (const shown of [result(NOT_REACHED), { ...result(SOLVED), notApplicable: [reason] }]) {
    expect(tryLines(shown).map(([measure]) => measure)).not.toContain('task success');
    expect(JSON.parse(badgeOf(shown))).toMatchObject({ message: '1 tools', color: 'lightgrey' });
  }
  expect(tryLines(result(SOLVED))).toContainEqual(['task success', '100 %', expect.any(String)]);
});

test.each([
  [1, 'by an agent that knows the steps'],
  [2, 'runs by an agent that knows the steps'],
])('what is reachable with --runs %i is counted in runs: %s', (runs, note) => {
  const shown = { ...played(SOLVED, {}), planted: null, reuse: null, conformance: null, runs };
  const oracle = { solved: 3, of: 4, comparable: false };
  expect(tryLines({ ...shown, oracle })).toContainEqual(['reachable', '3 of 4', note]);
});
