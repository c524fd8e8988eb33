import { configDefaults, defineConfig } from 'vitest/config';

/** Tests that take minutes: `npm run test:slow`, which `npm run check` runs. */
const slow = process.env['SLOW'] !== undefined;
const SLOW_TESTS = '**/*.slow.test.ts';
/** What needs a container engine: `npm run test:containers`. One file at a time, because two builds would only be in each other's way. */
const containers = process.env['CONTAINERS'] !== undefined;
const IN_CONTAINERS = '**/*.container.test.ts';
/** What installs and plays servers of other people, from the registries: `npm run test:subjects`, which no check runs. */
const subjects = process.env['SVC_COMPARE_SUBJECTS'] !== undefined;
const OF_OTHERS = '**/*.subjects.test.ts';
const long = slow || containers || subjects;
const MINUTE_MS = 60_000;

export default defineConfig({
  test: {
    include: subjects
      ? [OF_OTHERS]
      : containers
        ? [IN_CONTAINERS]
        : slow
          ? [SLOW_TESTS]
          : ['{server,fake-api,harness}/**/*.test.ts', '*.test.ts'],
    exclude: [...configDefaults.exclude, ...(long ? [] : [SLOW_TESTS, IN_CONTAINERS, OF_OTHERS])],
    globalSetup: [containers ? 'server/test/support/built-image.ts' : 'fake-api/test/expanded-documents.ts'],
    fileParallelism: !containers,
    // Most tests wait for a process or compile many schemas; both cores of a small machine are worth having.
    maxWorkers: '100%',
    // These end a test that hangs; they are no measure of speed. A machine may be several times slower than another, or busy.
    testTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
    hookTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
  },
});
