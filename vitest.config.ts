import { configDefaults, defineConfig } from 'vitest/config';

/** Judging every operation of ten platforms over HTTP takes minutes: `npm run test:estate`, and `npm run check`, do it. */
const LONG = process.env['ESTATE'] === undefined ? ['**/*.estate.test.ts'] : [];

export default defineConfig({
  test: {
    include: ['{server,fake-api,harness,docs}/**/*.test.ts', '*.test.ts'],
    exclude: [...configDefaults.exclude, ...LONG],
    globalSetup: ['fake-api/testing/documents.ts'],
    testTimeout: 20_000,
    hookTimeout: 60_000,
  },
});
