import { defineConfig } from 'vitest/config';

/** The tests of what grades, judges, merges and computes; they read nothing but sources. */
export default defineConfig({
  test: {
    include: ['harness/{grading,recording,statistics}/**/*.test.ts', 'harness/scenario/path-pattern.test.ts'],
    // They play agents, and none of what is faulted.
    exclude: ['harness/grading/{answer-facts,control-agents,run-limit}.test.ts'],
    testTimeout: 60_000,
  },
});
