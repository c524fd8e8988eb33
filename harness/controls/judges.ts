/** Faults put one by one into what grades, judges, merges and computes: how many of them the tests notice. */
import { importBenchPackage } from '../bench/packages.ts';

export interface FaultedFile {
  faults: number;
  noticed: number;
  /** `file:line:column → what` of each that no test noticed. */
  unnoticed: string[];
}

export async function faultJudges(modules: readonly string[]): Promise<Record<string, FaultedFile>> {
  const { Stryker } = await importBenchPackage<typeof import('@stryker-mutator/core')>('@stryker-mutator/core');
  const stryker = new Stryker({
    mutate: [...modules],
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'harness/controls/judges.vitest.config.ts', related: false },
    // TypeScript 7 has no interface for programs; nothing here needs its configuration.
    tsconfigFile: 'none',
    ignorePatterns: ['var', 'reports/runs', 'reports/recordings', 'fake-api', 'docker'],
    // Text of a message for people is not what a verdict hangs on.
    mutator: { excludedMutations: ['StringLiteral'], plugins: [] },
    coverageAnalysis: 'perTest',
    concurrency: 1,
    timeoutMS: 20_000,
    tempDirName: 'var/faults',
    reporters: [],
    thresholds: { high: 95, low: 90, break: null },
  });
  const results = await stryker.runMutationTest();
  // A mutant that cannot be loaded is no fault that a test could find or miss.
  const counted = results.filter(({ status }) => !['Ignored', 'CompileError', 'RuntimeError'].includes(status));
  const byFile = Map.groupBy(counted, ({ fileName }) => fileName.slice(fileName.indexOf('harness/')));
  return Object.fromEntries(
    [...byFile].map(([file, own]): [string, FaultedFile] => {
      const unnoticed = own.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
      return [
        file,
        {
          faults: own.length,
          noticed: own.length - unnoticed.length,
          unnoticed: unnoticed.map(({ location: { start }, replacement }) => {
            const text = replacement.replaceAll(/\s+/g, ' ').slice(0, 80);
            return `${file}:${start.line}:${start.column} → ${text}`;
          }),
        },
      ];
    }),
  );
}

export function sumOf(files: Record<string, FaultedFile>): { faults: number; noticed: number } {
  const all = Object.values(files);
  const sum = (of: (file: FaultedFile) => number) => all.reduce((total, file) => total + of(file), 0);
  return { faults: sum((file) => file.faults), noticed: sum((file) => file.noticed) };
}
