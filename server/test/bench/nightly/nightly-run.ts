/** Runs one nightly job, or its sabotage, in child processes and returns the outcome. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { ROOT } from '../../support/child-process.ts';
import { type Figure, isSlowTest, type NightlyJob, type Run, readFigures } from './nightly-job.ts';

export type Kind = 'job' | 'sabotage';

export interface Outcome {
  id: string;
  kind: Kind;
  title: string;
  /** `not-run` where something it needs is absent: no success, and no finding either. */
  state: 'passed' | 'failed' | 'not-run';
  /** Why, where it did not pass. */
  reason?: string;
  figures: Figure[];
  seconds: number;
  /** When it ended. */
  at: string;
  /** Digest of the commit and of the job file. A stored outcome counts only when its key is equal. */
  key: string;
}

/** Not copied: large folders, links and derived files. */
const NOT_COPIED = /^(var|dist|\.git|reports\/(runs|recordings))(\/|$)|(^|\/)node_modules(\/|$)/;
/** Folders with packages of their own. */
const INSTALLED = ['.', 'harness/bench', 'server/test/e2e/clients'];
const GRACE_MS = 10_000;

export const keyOf = (job: NightlyJob, commit: string): string =>
  createHash('sha256').update(`${commit}\0${job.text}`).digest('hex').slice(0, 16);

export async function play(job: NightlyJob, kind: Kind, commit: string, logs: string): Promise<Outcome> {
  const began = performance.now();
  const missing = (job.needs ?? []).filter((need) => !isThere(need));
  const result =
    missing.length > 0
      ? { state: 'not-run' as const, reason: `needs ${missing.join(', ')}, which this run has not`, figures: [] }
      : await (kind === 'job' ? playJob : playSabotage)(job, join(logs, `${job.id}.${kind}`));
  return {
    id: job.id,
    kind,
    title: job.title,
    ...result,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    at: new Date().toISOString(),
    key: keyOf(job, commit),
  };
}

type Result = Pick<Outcome, 'state' | 'reason' | 'figures'>;

async function playJob(job: NightlyJob, log: string): Promise<Result> {
  const ended = await start(job.run, ROOT, job.minutes, log);
  const absent = notRunOf(ended.printed);
  if (absent) return absent;
  const figures = readFigures(job, ended.printed);
  const missed = figures.filter(({ held }) => !held).map(({ name, value }) => `${name} is ${value ?? 'not printed'}`);
  const reasons = [...(ended.code === 0 ? [] : [`it ended with ${ended.code}`]), ...missed];
  return reasons.length === 0 ? { state: 'passed', figures } : { state: 'failed', reason: reasons.join('; '), figures };
}

/** The job must find the sabotage: with a failed test, or with exit code 1. Any other exit code is a crash and does not count. */
async function playSabotage(job: NightlyJob, log: string): Promise<Result> {
  const { sabotage } = job;
  if (!('file' in sabotage)) {
    const ended = await start({ ...job.run, arguments: sabotage.arguments } as Run, ROOT, sabotage.minutes, log);
    const absent = notRunOf(ended.printed);
    if (absent) return absent;
    return ended.code === 0 ? noticed : { state: 'failed', reason: `it ended with ${ended.code}`, figures: [] };
  }
  using copy = brokenCopy(sabotage);
  const { arguments: args, named } = sabotage;
  const run = { ...job.run, ...(args && { arguments: args }), ...(named && { named }) } as Run;
  const ended = await start(run, copy.root, sabotage.minutes, log);
  const found =
    'tests' in run ? Number((ended.printed as { numFailedTests?: number })?.numFailedTests) > 0 : ended.code === 1;
  if (found) return noticed;
  return {
    state: 'failed',
    reason: `broken in ${sabotage.file}, it ended with ${ended.code} all the same`,
    figures: [],
  };
}

/** The outcome of a command that reports that it could not run here. */
export function notRunOf(printed: unknown): Result | undefined {
  const { notRun } = (printed ?? {}) as { notRun?: unknown };
  return typeof notRun === 'string' ? { state: 'not-run', reason: notRun, figures: [] } : undefined;
}

const noticed: Result = { state: 'passed', figures: [] };

interface Ended {
  code: number | string;
  printed: unknown;
}

/** Runs it with its output in files beside `log`, for at most three times the minutes of the job. */
async function start(run: Run, root: string, minutes: number, log: string): Promise<Ended> {
  mkdirSync(dirname(log), { recursive: true });
  const report = `${log}.json`;
  rmSync(report, { force: true });
  const [command = '', ...args] = argumentsOf(run, report);
  const slow = 'tests' in run && run.tests.every(isSlowTest);
  const { SLOW: _, NODE_OPTIONS: __, ...inherited } = process.env;
  const [out, err] = [openSync(`${log}.out`, 'w'), openSync(`${log}.err`, 'w')];
  const child = spawn(command, args, {
    cwd: root,
    detached: true,
    stdio: ['ignore', out, err],
    env: {
      ...inherited,
      ...(slow ? { SLOW: '1' } : {}),
      // Tests that play a part of their size in every check play all of it.
      NIGHTLY: '1',
      PATH: [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), inherited['PATH']].join(delimiter),
    },
  });
  const code = await endOf(child, minutes);
  closeSync(out);
  closeSync(err);
  return { code, printed: 'tests' in run ? withFigures(jsonIn(report)) : { exit: code, ...lastJson(`${log}.out`) } };
}

function argumentsOf(run: Run, report: string): string[] {
  if ('script' in run) return ['npm', 'run', '--silent', run.script, '--', ...(run.arguments ?? [])];
  const named = run.named === undefined ? [] : ['--testNamePattern', run.named];
  return [
    'vitest',
    'run',
    ...run.tests,
    ...named,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
  ];
}

/** The exit code, or the signal that ended the child. Kills the whole process group. */
function endOf(child: ReturnType<typeof spawn>, minutes: number): Promise<number | string> {
  const all = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // The process group has ended already.
    }
  };
  return new Promise((resolve) => {
    let cut = '';
    const limit = setTimeout(
      () => {
        cut = `nothing after ${minutes * 3} minutes`;
        all('SIGTERM');
        setTimeout(() => all('SIGKILL'), GRACE_MS).unref();
      },
      minutes * 3 * 60_000,
    );
    const onSignal = () => all('SIGTERM');
    process.once('SIGTERM', onSignal).once('SIGINT', onSignal);
    const finish = (code: number | string) => {
      clearTimeout(limit);
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
      resolve(cut || code);
    };
    child.on('error', (error) => finish(error.message));
    child.on('exit', (code, signal) => finish(signal ?? code ?? 1));
  });
}

function jsonIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

interface TestReport {
  testResults?: { assertionResults: { meta?: { figures?: Record<string, number> } }[] }[];
}

/** The report of a test run with the figures of all tests under one key. */
function withFigures(report: unknown): unknown {
  const { testResults = [] } = (report ?? {}) as TestReport;
  const result = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ meta }) => meta?.figures ?? {}));
  return { ...(report as object), figures: Object.assign({}, ...result) };
}

function lastJson(file: string): object | undefined {
  for (const text of readFileSync(file, 'utf8').trimEnd().split('\n').reverse()) {
    if (!text.startsWith('{')) continue;
    try {
      return JSON.parse(text) as object;
    } catch {
      // The line begins with a brace and is no JSON.
    }
  }
  return undefined;
}

/** `root` means that the process is root; every other name is a program in PATH. */
const isThere = (need: string): boolean => (need === 'root' ? process.getuid?.() === 0 : isInstalled(need));

function isInstalled(program: string): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    try {
      closeSync(openSync(join(folder, program), 'r'));
      return true;
    } catch {
      return false;
    }
  });
}

interface Edit {
  file: string;
  search: string;
  replace: string;
}

/** A copy of the repository with one text replaced. Folders that are only read are links. */
export function brokenCopy({ file, search, replace }: Edit): { root: string; [Symbol.dispose]: () => void } {
  const text = readFileSync(join(ROOT, file), 'utf8');
  if (text.split(search).length !== 2) throw new Error(`${file} should hold ${JSON.stringify(search)} exactly once`);
  const copy = copyOfRepository();
  writeFileSync(
    join(copy.root, file),
    text.replace(search, () => replace),
  );
  return copy;
}

/** Results about the repository itself: a broken copy must not overwrite them. */
const NOT_LINKED: ReadonlySet<string> = new Set(['controls', 'nightly', 'prove', 'faults']);

/** A copy of the repository as it is. Folders that are only read are links. */
export function copyOfRepository(): { root: string; [Symbol.dispose]: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-nightly-'));
  cpSync(ROOT, root, { recursive: true, filter: (path) => !NOT_COPIED.test(relative(ROOT, path)) });
  for (const folder of INSTALLED) {
    const packages = join(ROOT, folder, 'node_modules');
    if (existsSync(packages)) symlinkSync(packages, join(root, folder, 'node_modules'));
  }
  const [from, to] = [ROOT, root].map((folder) => join(folder, 'var')) as [string, string];
  mkdirSync(from, { recursive: true });
  mkdirSync(to);
  for (const name of readdirSync(from)) if (!NOT_LINKED.has(name)) symlinkSync(join(from, name), join(to, name));
  return { root, [Symbol.dispose]: () => rmSync(root, { recursive: true, force: true }) };
}
