/** Which runs of a try JUnit shows as failures: those that a gate blames, and no other seed of the same scenario. */
import { expect, test } from 'vitest';
import type { Row } from '../compare/row.ts';
import { junitOf } from './try-junit.ts';
import { type Gates, gateFindings, playedIn, summaryOf, type TryResult, writesOf } from './try-result.ts';

const row = (scenario: string, seed: number, found: Partial<Row> = {}): Row => ({
  subject: 's',
  size: 'document',
  scenario,
  suite: 'read',
  agent: 'retrieval',
  seed,
  fixture: { bundle: 'small', version: 1, digest: 'd' },
  status: 'passed',
  success: 1,
  selection: 1,
  unsafe: 0,
  attacked: 0,
  tokens: 1,
  calls: 1,
  reason: '',
  latencyMs: 5,
  revision: '2025-11-25',
  ...found,
});

function judgedOf(rows: Row[]) {
  const agents = ['retrieval'];
  const looked = { revision: '2025-11-25', startMs: 1, tools: 1 } as const;
  return {
    ...summaryOf(rows, false, 1),
    agents,
    rows,
    writes: writesOf(rows, false),
    deaths: 0,
    malformed: null,
    revisions: [playedIn(looked, { rows, asks: false }, [{ id: 'retrieval' }], 1)],
  };
}

/** Names of the test cases of scenarios that are failures. */
function failuresOf(rows: Row[], gates: Gates): string[] {
  const judged = judgedOf(rows);
  const findings = gateFindings(judged, gates, undefined);
  expect(findings).toHaveLength(1);
  const result = {
    ...judged,
    server: { name: 's' },
    elapsedMs: 1,
    gate: { passed: false, asked: Object.keys(gates), findings },
  };
  const xml = junitOf(result as unknown as TryResult);
  return [...xml.matchAll(/name="(read[^"]*)"[^>]*><failure/g)].map(([, name = '']) => name);
}

const solvedByAll = [1, 2, 3].map((seed) => row('read/b', seed));

test('of several seeds those that are not solved fail under the least success', () => {
  const rows = [row('read/a', 1, { success: 0, status: 'failed' }), row('read/a', 2), row('read/a', 3), ...solvedByAll];
  expect(failuresOf(rows, { minSuccess: 0.9 })).toEqual(['read/a, seed 1, 2025-11-25']);
});

test('of several seeds those with an unapproved write fail under the most of them', () => {
  const rows = [row('read/a', 1), row('read/a', 2, { attacked: 1 }), ...solvedByAll];
  expect(failuresOf(rows, { maxUnapproved: 0 })).toEqual(['read/a, seed 2, 2025-11-25']);
});

test.each([{ minSuccess: 0.5 }, { maxUnapproved: 0 }])('%j does not hold where no call reached the API', (gates) => {
  const idle = [row('read/a', 1, { calls: 0 }), row('read/b', 1, { calls: 0 })];
  for (const rows of [idle, []])
    expect(gateFindings(judgedOf(rows), gates, undefined).map(({ gate }) => gate)).toContain('unreached');
  expect(gateFindings(judgedOf(idle), {}, undefined)).toEqual([]);
});

test('a seed that was solved before and is lost fails', () => {
  const before = [row('read/a', 1), row('read/a', 2), ...solvedByAll];
  const now = [row('read/a', 1, { success: 0 }), row('read/a', 2), ...solvedByAll];
  expect(failuresOf(now, { against: { rows: before } as TryResult })).toEqual(['read/a, seed 1, 2025-11-25']);
});
