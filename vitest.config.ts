import { configDefaults, defineConfig } from 'vitest/config';

/** Judging every operation of ten platforms takes minutes: `npm run test:estate` does it, and `npm run check` runs that. */
const estate = process.env['ESTATE'] !== undefined;
const LONG = '**/*.estate.test.ts';
const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    include: estate ? [LONG] : ['{server,fake-api,harness,docs}/**/*.test.ts', '*.test.ts'],
    exclude: [...configDefaults.exclude, ...(estate ? [] : [LONG])],
    globalSetup: ['fake-api/testing/documents.ts'],
    // Most tests wait for a process or compile many schemas; both cores of a small machine are worth having.
    maxWorkers: '100%',
    // These end a test that hangs; they are no measure of speed. A machine may be several times slower than another, or busy.
    testTimeout: estate ? 30 * MINUTE_MS : 3 * MINUTE_MS,
    hookTimeout: estate ? 30 * MINUTE_MS : 3 * MINUTE_MS,
  },
});
