import { defineConfig } from 'vitest/config';

/** The tests of what grades, judges, merges and computes; they read nothing but sources. */
export default defineConfig({
  test: {
    include: [
      'harness/{baseline,check,judging,metric,rules,verdict,stats,path-pattern,paired,bootstrap,plan,settled,unseen-seeds}.test.ts',
    ],
    testTimeout: 60_000,
  },
});
