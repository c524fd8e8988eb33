/**
 * Everything that must hold before a change lands: `npm run check`.
 *
 * Runs every step even after a red one, so that one run tells all, and ends with the line `N passed, N failed`:
 * tests count one each, every other step counts one. Exit code 0 only when nothing failed. With `--json` one JSON object
 * follows as the last line.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Command } from 'commander';

interface Count {
  readonly passed: number;
  readonly failed: number;
}

interface Step {
  readonly name: string;
  readonly script: string;
  readonly words?: readonly string[];
  /** Where the step leaves vitest's JSON report: finer counts than "the step passed", and the names of what failed. */
  readonly report?: string;
}

const root = import.meta.dirname;
const scratch = join(root, 'var', 'check');
const testReport = join(scratch, 'vitest.json');
const containerReport = join(scratch, 'vitest-containers.json');
const slowReport = join(scratch, 'vitest-slow.json');

const STEPS: readonly Step[] = [
  { name: 'lint and format', script: 'lint' },
  {
    name: 'types, unit and contract tests',
    script: 'test',
    words: ['--reporter=default', '--reporter=json', `--outputFile.json=${testReport}`],
    report: testReport,
  },
  {
    name: 'what takes minutes: contract proxies, clients, replicas, faults, secrets',
    script: 'test:slow',
    words: ['--reporter=default', '--reporter=json', `--outputFile.json=${slowReport}`],
    report: slowReport,
  },
  { name: 'model lints', script: 'lint:models' },
  { name: 'golden gate', script: 'start' },
  { name: 'find gate, counts on the published part', script: 'bench:find', words: ['--gate'] },
  { name: 'access table', script: 'bench:access', words: ['--brief'] },
  { name: 'protocol conformance, both revisions', script: 'conformance' },
  {
    name: 'containers, where an engine answers',
    script: 'test:containers',
    words: ['--reporter=default', '--reporter=json', `--outputFile.json=${containerReport}`],
    report: containerReport,
  },
];

interface FileReport {
  readonly name: string;
  readonly status: string;
  readonly message: string;
  readonly assertionResults: readonly { status: string; fullName: string; failureMessages: readonly string[] }[];
}

interface TestReport {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly FileReport[];
}

/** In CI a test that skips fails: `server/test/support/require-all.ts` says which. */
const strict = process.env['SVC_TEST_REQUIRE_ALL'] === '1' ? ['--reporter=./server/test/support/require-all.ts'] : [];

const readReport = (file: string): TestReport => JSON.parse(readFileSync(file, 'utf8'));

/** A file that cannot be loaded, or whose preparation failed, has no failed test to count, yet it is a failure. */
const isUnprepared = (file: FileReport) =>
  file.status === 'failed' && file.assertionResults.every(({ status }) => status !== 'failed');

function testCount(report: TestReport): Count {
  const unprepared = report.testResults.filter(isUnprepared).length;
  return { passed: report.numPassedTests, failed: report.numFailedTests + unprepared };
}

interface Failure {
  /** File and name. */
  readonly title: string;
  readonly why: string;
}

function failuresIn(report: TestReport): Failure[] {
  return report.testResults.flatMap((file) => {
    const path = relative(root, file.name);
    if (isUnprepared(file)) return [{ title: `${path}: none of its tests could run`, why: file.message }];
    return file.assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => ({ title: `${path}: ${fullName}`, why: failureMessages.join('\n') }));
  });
}

const lines = (text: string) =>
  stripVTControlCharacters(text)
    .trimEnd()
    .split('\n')
    .map((line) => `       ${line.slice(0, 400)}`);

interface Ended {
  readonly exitCode: number;
  /** The end of what it said on stderr: all there is to know of a step that failed before its first test. */
  readonly stderrTail: string;
}

function runScript(step: Step): Promise<Ended> {
  let stderrTail = '';
  return new Promise((done) => {
    const child = spawn(
      'npm',
      ['run', '--silent', step.script, '--', ...(step.words ?? []), ...(step.report ? strict : [])],
      {
        cwd: root,
        stdio: ['inherit', 'inherit', 'pipe'],
      },
    );
    child.stderr.on('data', (chunk: Buffer) => {
      process.stderr.write(chunk);
      stderrTail = (stderrTail + chunk).slice(-4000);
    });
    child.on('error', ({ message }) => done({ exitCode: 127, stderrTail: message }));
    child.on('close', (code, signal) => done({ exitCode: signal ? 128 : (code ?? 1), stderrTail }));
  });
}

function countOf(step: Step, exitCode: number): Count {
  const whole = { passed: exitCode === 0 ? 1 : 0, failed: exitCode === 0 ? 0 : 1 };
  if (!step.report) return whole;
  try {
    const fine = testCount(readReport(step.report));
    // The exit code may know more than the counts (a type error before the first test, say).
    return exitCode !== 0 && fine.failed === 0 ? { passed: fine.passed, failed: 1 } : fine;
  } catch {
    return { passed: 0, failed: 1 };
  }
}

const { json } = new Command('npm run check --')
  .description('Run everything that must hold before a change lands. Exit 0 only when nothing failed.')
  .option('--json', 'print one JSON object as the last line')
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  .parse()
  .opts<{ json?: boolean }>();
rmSync(scratch, { recursive: true, force: true });
mkdirSync(scratch, { recursive: true });
const outcomes: { step: Step; count: Count; seconds: number; stderrTail: string }[] = [];
for (const step of STEPS) {
  console.log(`\n== ${step.name} (npm run ${step.script})`);
  const startedAt = performance.now();
  const { exitCode, stderrTail } = await runScript(step);
  const seconds = (performance.now() - startedAt) / 1000;
  outcomes.push({ step, count: countOf(step, exitCode), seconds, stderrTail });
}

const failed: Failure[] = [];
for (const { step, count, stderrTail } of outcomes) {
  if (count.failed === 0) continue;
  console.log(`\n== failed in: ${step.name}`);
  const own = step.report && existsSync(step.report) ? failuresIn(readReport(step.report)) : [];
  if (own.length === 0) console.log(lines(stderrTail).slice(-12).join('\n'));
  for (const { title, why } of own) console.log(`${title}\n${lines(why).slice(0, 12).join('\n')}`);
  failed.push(...own);
}

// Once more without the reasons: what is read first is the end.
if (failed.length > 0) console.log(`\n== failed tests\n${failed.map(({ title }) => title.slice(0, 130)).join('\n')}`);

console.log('\n== summary');
for (const { step, count, seconds } of outcomes) {
  const mark = count.failed === 0 ? 'ok  ' : 'FAIL';
  console.log(
    `${mark} ${step.name.padEnd(42)} ${String(count.passed).padStart(5)} passed ${String(count.failed).padStart(3)} failed ${seconds.toFixed(1).padStart(7)} s`,
  );
}
const total = outcomes.reduce(
  (sum, { count }) => ({ passed: sum.passed + count.passed, failed: sum.failed + count.failed }),
  { passed: 0, failed: 0 },
);
console.log(`${total.passed} passed, ${total.failed} failed`);
if (json === true) {
  const steps = outcomes.map(({ step, count, seconds }) => ({ name: step.name, ...count, seconds }));
  console.log(JSON.stringify({ ...total, steps }));
}
process.exitCode = total.failed === 0 ? 0 : 1;
