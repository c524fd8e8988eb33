import { availableParallelism } from 'node:os';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Not below `var`, where copies of the repository may stand that a stopped run left. */
const PROGRAMS = '{server,fake-api,harness}';

/** Tests that take minutes: `npm run test:slow`, which `npm run check` runs. */
const SLOW_TESTS = `${PROGRAMS}/**/*.slow.test.ts`;
/** What needs a container engine: `npm run test:containers`. One file at a time, because two builds would only be in each other's way. */
const containers = process.env['CONTAINERS'] !== undefined;
const IN_CONTAINERS = `${PROGRAMS}/**/*.container.test.ts`;
/** What installs and plays servers of other people, from the registries: `npm run test:subjects`, which no check runs. */
const subjects = process.env['SVC_COMPARE_SUBJECTS'] !== undefined;
const OF_OTHERS = `${PROGRAMS}/**/*.subjects.test.ts`;
const long = process.env['SLOW'] !== undefined || containers || subjects;
const QUICK_TESTS = [`${PROGRAMS}/**/*.test.ts`, '*.test.ts'];
const MINUTE_MS = 60_000;

/** The longest files. They begin first, or one of them goes on alone when all others have ended. */
const LONGEST = [
  'prove',
  'access-table',
  'mutant',
  'controls',
  'upstream-faults',
  'robust',
  'bundles',
  'sense-of-answers',
  'broken-servers',
  'replicas',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification) => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/${name}.slow.test.ts`));
      return at === -1 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}

/** The long runs: one pattern each, every file in a process of its own. */
const longRun = {
  include: [subjects ? OF_OTHERS : containers ? IN_CONTAINERS : SLOW_TESTS],
  fileParallelism: !containers,
  sequence: { sequencer: LongestFirst },
};
/** All files share the modules that a worker has loaded. */
const quickRun = {
  include: QUICK_TESTS,
  exclude: [...configDefaults.exclude, SLOW_TESTS, IN_CONTAINERS, OF_OTHERS],
  isolate: false,
};

export default defineConfig({
  test: {
    ...(long ? longRun : quickRun),
    globalSetup: [containers ? 'server/test/support/built-image.ts' : 'fake-api/test/expanded-documents.ts'],
    // In CI a test that skips fails.
    ...(process.env['SVC_TEST_REQUIRE_ALL'] === '1'
      ? { reporters: ['default', './server/test/support/require-all.ts'] }
      : {}),
    // Tests wait for processes, time-outs and restarts, the long ones for half of their time: there is work for more of them
    // than there are cores.
    maxWorkers: Math.ceil(availableParallelism() * (long ? 2 : 1.5)),
    // These end a test that hangs; they are no measure of speed. A machine may be several times slower than another, or busy.
    testTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
    hookTimeout: long ? 30 * MINUTE_MS : 3 * MINUTE_MS,
    expect: { poll: { timeout: 2 * MINUTE_MS } },
  },
});
