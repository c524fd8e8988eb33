/** Plays one line, or its sabotage, as processes of their own, and says what came of it. */
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
import { type Figure, isSlowTest, type Line, type Run, readFigures } from './nightly-job.ts';

export type Kind = 'line' | 'sabotage';

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
  /** Of the commit and the line's file: an outcome of anything else is not taken for this one. */
  key: string;
}

/** Left out of a copy: what is large, linked, or nobody's source. */
const NOT_COPIED = /^(var|dist|\.git|reports\/(runs|recordings))(\/|$)|(^|\/)node_modules(\/|$)/;
/** Folders with packages of their own. */
const INSTALLED = ['.', 'harness/bench', 'server/test/e2e/clients'];
const GRACE_MS = 10_000;

export const keyOf = (line: Line, commit: string): string =>
  createHash('sha256').update(`${commit}\0${line.text}`).digest('hex').slice(0, 16);

export async function play(line: Line, kind: Kind, commit: string, logs: string): Promise<Outcome> {
  const began = performance.now();
  const missing = (line.needs ?? []).filter((need) => !isThere(need));
  const told =
    missing.length > 0
      ? { state: 'not-run' as const, reason: `needs ${missing.join(', ')}, which this run has not`, figures: [] }
      : await (kind === 'line' ? playLine : playSabotage)(line, join(logs, `${line.id}.${kind}`));
  return {
    id: line.id,
    kind,
    title: line.title,
    ...told,
    seconds: Math.round((performance.now() - began) / 100) / 10,
    at: new Date().toISOString(),
    key: keyOf(line, commit),
  };
}

type Told = Pick<Outcome, 'state' | 'reason' | 'figures'>;

async function playLine(line: Line, log: string): Promise<Told> {
  const ended = await start(line.run, ROOT, line.minutes, log);
  const absent = notRunOf(ended.printed);
  if (absent) return absent;
  const figures = readFigures(line, ended.printed);
  const missed = figures.filter(({ held }) => !held).map(({ name, value }) => `${name} is ${value ?? 'not printed'}`);
  const reasons = [...(ended.code === 0 ? [] : [`it ended with ${ended.code}`]), ...missed];
  return reasons.length === 0 ? { state: 'passed', figures } : { state: 'failed', reason: reasons.join('; '), figures };
}

/** It must fail by finding, not by falling over: with a failed test, or with exit code 1. */
async function playSabotage(line: Line, log: string): Promise<Told> {
  const { sabotage } = line;
  if (!('file' in sabotage)) {
    const ended = await start({ ...line.run, words: sabotage.words } as Run, ROOT, sabotage.minutes, log);
    const absent = notRunOf(ended.printed);
    if (absent) return absent;
    return ended.code === 0 ? noticed : { state: 'failed', reason: `it ended with ${ended.code}`, figures: [] };
  }
  using copy = brokenCopy(sabotage);
  const { words, named } = sabotage;
  const run = { ...line.run, ...(words && { words }), ...(named && { named }) } as Run;
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

/** A command that says itself that nothing could be tried here. */
export function notRunOf(printed: unknown): Told | undefined {
  const { notRun } = (printed ?? {}) as { notRun?: unknown };
  return typeof notRun === 'string' ? { state: 'not-run', reason: notRun, figures: [] } : undefined;
}

const noticed: Told = { state: 'passed', figures: [] };

interface Ended {
  code: number | string;
  printed: unknown;
}

/** Runs it with its output in files beside `log`, for three times as long as it should take. */
async function start(run: Run, root: string, minutes: number, log: string): Promise<Ended> {
  mkdirSync(dirname(log), { recursive: true });
  const report = `${log}.json`;
  rmSync(report, { force: true });
  const [command = '', ...words] = wordsOf(run, report);
  const slow = 'tests' in run && run.tests.every(isSlowTest);
  const { SLOW: _, NODE_OPTIONS: __, ...inherited } = process.env;
  const [out, err] = [openSync(`${log}.out`, 'w'), openSync(`${log}.err`, 'w')];
  const child = spawn(command, words, {
    cwd: root,
    detached: true,
    stdio: ['ignore', out, err],
    env: {
      ...inherited,
      ...(slow ? { SLOW: '1' } : {}),
      PATH: [dirname(process.execPath), join(ROOT, 'node_modules', '.bin'), inherited['PATH']].join(delimiter),
    },
  });
  const code = await endOf(child, minutes);
  closeSync(out);
  closeSync(err);
  return { code, printed: 'tests' in run ? withFigures(jsonIn(report)) : { exit: code, ...lastJson(`${log}.out`) } };
}

function wordsOf(run: Run, report: string): string[] {
  if ('script' in run) return ['npm', 'run', '--silent', run.script, '--', ...(run.words ?? [])];
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

/** The exit code, or the signal that ended it. Whatever it started goes with it. */
function endOf(child: ReturnType<typeof spawn>, minutes: number): Promise<number | string> {
  const all = (signal: NodeJS.Signals) => {
    try {
      process.kill(-(child.pid ?? 0), signal);
    } catch {
      // Nothing of it is left.
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
    const settle = (code: number | string) => {
      clearTimeout(limit);
      process.off('SIGTERM', onSignal).off('SIGINT', onSignal);
      resolve(cut || code);
    };
    child.on('error', (error) => settle(error.message));
    child.on('exit', (code, signal) => settle(signal ?? code ?? 1));
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

/** The report of a test run, with what its tests told under one key. */
function withFigures(report: unknown): unknown {
  const { testResults = [] } = (report ?? {}) as TestReport;
  const told = testResults.flatMap(({ assertionResults }) => assertionResults.map(({ meta }) => meta?.figures ?? {}));
  return { ...(report as object), figures: Object.assign({}, ...told) };
}

function lastJson(file: string): object | undefined {
  for (const text of readFileSync(file, 'utf8').trimEnd().split('\n').reverse()) {
    if (!text.startsWith('{')) continue;
    try {
      return JSON.parse(text) as object;
    } catch {
      // A line that only begins like one.
    }
  }
  return undefined;
}

/** `root` is its right to mount and the like; everything else is a program. */
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

/** The repository with one text in it replaced; what is only read is linked. */
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

/** What is said about the repository itself: a spoilt copy must not say it in its place. */
const NOT_LINKED: ReadonlySet<string> = new Set(['controls', 'nightly', 'prove', 'faults']);

/** The repository as it stands, to be spoilt; what is only read is linked. */
export function copyOfRepository(): { root: string; [Symbol.dispose]: () => void } {
  const root = mkdtempSync(join(tmpdir(), 'svc-mcp-night-'));
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
