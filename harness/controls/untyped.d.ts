/** The parts we use of the mutation tester. The root's install has none of it. */
declare module '@stryker-mutator/core' {
  interface Options {
    mutate: string[];
    testRunner: string;
    plugins: string[];
    vitest: { configFile: string; related: boolean };
    tsconfigFile: string;
    ignorePatterns: string[];
    mutator: { excludedMutations: string[]; plugins: string[] };
    coverageAnalysis: 'perTest';
    concurrency: number;
    timeoutMS: number;
    tempDirName: string;
    reporters: string[];
    thresholds: { high: number; low: number; break: null };
  }
  interface Mutant {
    fileName: string;
    status: string;
    location: { start: { line: number; column: number } };
    replacement: string;
  }
  export class Stryker {
    constructor(options: Options);
    runMutationTest(): Promise<Mutant[]>;
  }
}
