/**
 * A reporter of vitest for `SVC_TEST_REQUIRE_ALL=1`: a skipped test fails the run. In CI every program that a test needs is installed, so a
 * skip there means that something was not tested.
 */
import type { Reporter, TestModule } from 'vitest/node';

export default class RequireAll implements Reporter {
  onTestRunEnd(modules: readonly Pick<TestModule, 'relativeModuleId' | 'children'>[]): void {
    const skipped = modules.flatMap((module) =>
      [...module.children.allTests('skipped')].map((test) => `${module.relativeModuleId} > ${test.fullName}`),
    );
    if (skipped.length === 0) return;
    process.stderr.write(`SVC_TEST_REQUIRE_ALL: ${skipped.length} tests should run and were skipped:\n`);
    for (const name of skipped) process.stderr.write(`  ${name}\n`);
    process.exitCode = 1;
  }
}
