import { defineConfig } from 'vitest/config';

/** The tests of what grades, judges and computes; they read nothing but the sources themselves. */
export default defineConfig({
  test: {
    include: ['harness/{check,metric,verdict,stats,path-pattern,rules}.test.ts'],
    testTimeout: 60_000,
  },
});
