/** The contestant on a copy of the subject whose tools have other names in another order: what it solves must not change. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Grade } from '../grading/grade.ts';
import { loadScenarios } from '../scenario/scenario.ts';
import { parseMutant, patchedCopy } from '../subject/mutant.ts';
import { play, type SabotageOptions } from './sabotage.ts';

export interface NameComparison {
  scenarios: number;
  /** Scenarios whose verdict differs, with the verdict before and after. */
  changed: { scenario: string; before: Grade['status']; after: Grade['status'] }[];
}

export async function compareNames(
  options: Omit<SabotageOptions, 'mutants'> & { suites?: readonly string[] | undefined },
): Promise<NameComparison> {
  const scenarios = (await loadScenarios(options.root)).filter(({ suite }) => options.suites?.includes(suite) ?? true);
  const text = await readFile(join(import.meta.dirname, 'opaque-names.yaml'), 'utf8');
  const before = await play({ ...options, mutants: [] }, scenarios, ['retrieval']);
  await using copy = await patchedCopy(options.root, parseMutant(text, 'opaque-names'));
  const after = await play({ ...options, mutants: [], subjectRoot: copy.root }, scenarios, ['retrieval']);
  const renamed = new Map(after.map((grade) => [grade.scenario, grade.status]));
  return {
    scenarios: scenarios.length,
    changed: before.flatMap(({ scenario, status }) => {
      const now = renamed.get(scenario) ?? 'absent';
      return now === status ? [] : [{ scenario, before: status, after: now }];
    }),
  };
}
