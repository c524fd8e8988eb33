import { configDefaults, defineConfig } from 'vitest/config';

/** Judging every operation of ten platforms takes minutes: `npm run test:estate` does it, and `npm run check` runs that. */
const estate = process.env['ESTATE'] !== undefined;
const LONG = '**/*.estate.test.ts';
/** What needs a container engine: `npm run test:containers`. One file at a time, because two builds would only be in each other's way. */
const containers = process.env['CONTAINERS'] !== undefined;
const IN_CONTAINERS = '**/*.container.test.ts';
/** What installs and plays servers of other people, from the registries: `npm run test:subjects`, which no check runs. */
const subjects = process.env['SVC_COMPARE_SUBJECTS'] !== undefined;
const OF_OTHERS = '**/*.subjects.test.ts';
const long = estate || containers || subjects;
const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    include: subjects
      ? [OF_OTHERS]
      : containers
        ? [IN_CONTAINERS]
        : estate
          ? [LONG]
          : ['{server,fake-api,harness,docs}/**/*.test.ts', '*.test.ts'],
    exclude: [...configDefaults.exclude, ...(long ? [] : [LONG, IN_CONTAINERS, OF_OTHERS])],
    globalSetup: [containers ? 'server/testing/built-image.ts' : 'fake-api/testing/documents.ts'],
    fileParallelism: !containers,
    // Most tests wait for a process or compile many schemas; both cores of a small machine are worth having.
    maxWorkers: '100%',
    // These end a test that hangs; they are no measure of speed. A machine may be several times slower than another, or busy.
    testTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
    hookTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
  },
});
