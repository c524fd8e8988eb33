/** The controls over every scenario: what reads lists solves all, what refuses or prints everything solves nothing. */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { controlOutcomes } from '../grading/control-agents.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { loadSubject } from '../subject/subject.ts';
import { play } from './sabotage.ts';

const root = join(import.meta.dirname, '..', '..');

/** The nightly run plays every scenario; each check every third of them. */
const EVERY = process.env['NIGHTLY'] === undefined ? 3 : 1;

test('list-oracle solves all, refuser only what may be refused, dumper nothing', async () => {
  const scenarios = await loadScenarios(root);
  const routes = scenarios.filter(({ steps = [] }) => steps.some((step) => 'any_of' in step));
  expect(routes.length).toBeGreaterThanOrEqual(60);
  const options = { root, subject: await loadSubject('router'), mutants: [], concurrency: 2 };
  const played = scenarios.filter((_, at) => at % EVERY === 0);
  const grades = await play(options, played, ['list-oracle', 'refuser', 'dumper']);
  expect(grades).toHaveLength(3 * played.length);
  expect(controlOutcomes(grades).map(({ agent, broken }) => [agent, broken])).toEqual([
    ['list-oracle', []],
    ['refuser', []],
    ['dumper', []],
  ]);
});
