import { configDefaults, defineConfig } from 'vitest/config';

/** Judging every operation of ten platforms over HTTP takes minutes: `npm run test:estate`, and `npm run check`, do it. */
const LONG = process.env['ESTATE'] === undefined ? ['**/*.estate.test.ts'] : [];

export default defineConfig({
  test: {
    include: ['{server,fake-api,harness,docs}/**/*.test.ts', '*.test.ts'],
    exclude: [...configDefaults.exclude, ...LONG],
    globalSetup: ['fake-api/testing/documents.ts'],
    // Most tests wait for a process or compile many schemas; both cores of a small machine are worth having.
    maxWorkers: '100%',
    testTimeout: 60_000,
    hookTimeout: 120_000,
  },
});
