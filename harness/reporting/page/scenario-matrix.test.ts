/** The heads of the matrix: how many runs of a suite each agent solved, of those that count. */
import { expect, test } from 'vitest';
import type { Grade } from '../../grading/grade.ts';
import { type MarkedRun, scenarioMatrix } from './scenario-matrix.ts';

test('a run that neither passed nor failed is no part of the share', () => {
  const statuses = ['passed', 'failed', 'limit', 'gate-absence', 'absent'] as const;
  const runs = statuses.map((status, seed): MarkedRun => {
    const grade = { status, seed, agent: 'llm', suite: 'nac', scenario: 'nac/a', transport: 'http' } as Grade;
    return { grade, anchor: `a${seed}`, tone: status, mark: status };
  });
  const [suite] = scenarioMatrix({ meta: { agents: ['llm'] } } as Parameters<typeof scenarioMatrix>[0], runs);
  expect(suite?.solved).toEqual(['llm 1 of 2']);
  expect(suite?.rows[0]?.cells[0]?.map(({ text }) => text)).toContain('limit 1/5');
});
