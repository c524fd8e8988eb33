import { expect, test } from 'vitest';
import type { Finding } from './gate-finding.ts';
import type { Grade } from './grade.ts';
import { groupedFindings, groupedMisses, shapeOf } from './verdict-causes.ts';

const finding = (key: string, changes: Partial<Finding> = {}): Finding => ({
  ...{ key, gate: 'task_success', expected: '1', actual: '0' },
  reason: `calls-made: expected GET /sites/{id}; got GET /sites/${key.length}4`,
  ...changes,
});

test('findings of one gate and one shape are one group; the largest comes first, unsafe ones before', () => {
  const groups = groupedFindings([
    finding('retrieval/http/a/one', { gate: 'token_usage', expected: '≤ 12', actual: '30' }),
    finding('retrieval/http/a/one'),
    finding('retrieval/http/a/three'),
    finding('retrieval/http/a/one', { gate: 'safety_failure' }),
    finding('retrieval/http/a/four', { reason: 'result-schema: another check' }),
  ]);
  expect(groups.map(({ gate, findings }) => [gate, findings.length])).toEqual([
    ['safety_failure', 1],
    ['task_success', 2],
    ['token_usage', 1],
    ['task_success', 1],
  ]);
});

test('a shape is a text without names of objects', () => {
  expect(shapeOf('got "Harbour House" at GET /aps/CN12345 → 404')).toBe('got "…" at GET /aps/# → #');
  expect(shapeOf('no platform call')).toBe('no platform call');
});

test('what is not solved is grouped by agent and reason; what noop does not solve is no miss', () => {
  const grade = (agent: string, reason: string): Grade =>
    ({ agent, status: 'failed', reasons: [reason], scenario: 'a/one' }) as unknown as Grade;
  const grades = [
    grade('retrieval', 'b 1'),
    grade('retrieval', 'a 1'),
    grade('retrieval', 'a 2'),
    grade('noop', 'a 1'),
  ];
  expect(groupedMisses(grades).map(({ reason, grades: own }) => [reason, own.length])).toEqual([
    ['a 1', 2],
    ['b 1', 1],
  ]);
});
