/** Faults put one by one into what grades, judges, merges and computes: how many of them the tests notice. */
import { Stryker } from '@stryker-mutator/core';

/** Modules whose faults would make every number wrong without a red test. */
export const JUDGES = [
  'harness/grade.ts',
  'harness/verdict.ts',
  'harness/baseline.ts',
  'harness/unseen-seeds.ts',
  'harness/stats.ts',
  'harness/paired.ts',
  'harness/bootstrap.ts',
  'harness/plan.ts',
  'harness/path-pattern.ts',
  'harness/call-class.ts',
  'harness/checks/*.ts',
];

export interface JudgesCheck {
  faults: number;
  noticed: number;
  /** `file:line:column what → what` of each that no test noticed. */
  unnoticed: string[];
}

export async function faultJudges(modules: readonly string[] = JUDGES): Promise<JudgesCheck> {
  const stryker = new Stryker({
    mutate: [...modules],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'harness/controls/judges.vitest.config.ts', related: false },
    // TypeScript 7 has no interface for programs; nothing here needs its configuration.
    tsconfigFile: 'none',
    ignorePatterns: ['var', 'reports', 'fake-api', 'docker'],
    // Text of a message for people is not what a verdict hangs on.
    mutator: { excludedMutations: ['StringLiteral'], plugins: [] },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    tempDirName: 'var/faults',
    reporters: [],
    thresholds: { high: 95, low: 90, break: null },
  } as ConstructorParameters<typeof Stryker>[0]);
  const results = await stryker.runMutationTest();
  const counted = results.filter(({ status }) => status !== 'Ignored' && status !== 'CompileError');
  const noticed = counted.filter(({ status }) => status === 'Killed' || status === 'Timeout');
  return {
    faults: counted.length,
    noticed: noticed.length,
    unnoticed: counted
      .filter(({ status }) => status !== 'Killed' && status !== 'Timeout')
      .map(({ fileName, location, replacement }) => {
        const file = fileName.slice(fileName.indexOf('harness/'));
        return `${file}:${location.start.line + 1}:${location.start.column + 1} → ${replacement.replaceAll(/\s+/g, ' ').slice(0, 80)}`;
      }),
  };
}
