/** Processes the harness starts: ready by one JSON line, remembered by their last words, ended with the harness. */
import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { HarnessError } from '../harness-errors.ts';

const WATCHDOG = join(import.meta.dirname, 'parent-watchdog.mjs');
const COMPILED = join(import.meta.dirname, '..', '..', 'var', 'compiled');
const STDERR_LINES = 20;

export interface ChildSpec {
  /** For messages: "fake platform", "router (http, open)". */
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  startTimeoutMs?: number;
}

export interface Child<Ready> extends AsyncDisposable {
  ready: Ready;
  /** Throws the coded error with the child's last words when it has ended on its own. */
  assertAlive: () => void;
  lastOutput: () => string;
  /** Settles when the process has ended, for whatever reason. */
  ended: Promise<void>;
  close: () => Promise<void>;
}

/** `node` runs this harness's own Node with the watchdog on; other programs are started as they are. */
export function withWatchdog(command: readonly string[]): [file: string, args: string[]] {
  const [file = '', ...args] = command;
  return file === 'node' ? [process.execPath, ['--import', WATCHDOG, ...args]] : [file, args];
}

/** The environment of a child: only the variables that it needs to run. */
export function baseEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
  const env = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  // Types are stripped once and not on every start.
  return { ...env, NODE_COMPILE_CACHE: COMPILED };
}

/** Starts the process and waits for the first line of standard output, which must be JSON with `ready: true`. */
export async function startChild<Ready>(spec: ChildSpec): Promise<Child<Ready>> {
  const [file, args] = withWatchdog(spec.command);
  const child = spawn(file, args, { cwd: spec.cwd, env: spec.env, stdio: ['ignore', 'pipe', 'pipe', 'pipe'] });
  const words: string[] = [];
  keepLastLines(child, words);
  let ended: string | undefined;
  let closing = false;
  child.on('error', (error) => {
    ended ??= `could not be started: ${error.message}`;
  });
  const exited = new Promise<void>((resolve) => {
    child.on('close', (code, signal) => {
      ended ??= `ended with ${signal ?? `exit code ${code}`}`;
      resolve();
    });
    child.on('error', () => resolve());
  });
  const lastOutput = () => words.join('\n');
  const close = async () => {
    closing = true;
    if (ended !== undefined) return;
    child.kill('SIGTERM');
    const impatient = setTimeout(() => child.kill('SIGKILL'), 3_000);
    await exited;
    clearTimeout(impatient);
  };
  try {
    const ready = await firstLine<Ready>(child, exited, spec, () => ended, lastOutput);
    return {
      ready,
      lastOutput,
      ended: exited,
      close,
      [Symbol.asyncDispose]: close,
      assertAlive: () => {
        if (ended === undefined || closing) return;
        throw new HarnessError(
          'PROCESS_DIED',
          `${spec.name} should still run, but ${ended}; its last lines:\n${indent(lastOutput())}`,
        );
      },
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function firstLine<Ready>(
  child: ChildProcess,
  exited: Promise<void>,
  spec: ChildSpec,
  ended: () => string | undefined,
  lastWords: () => string,
): Promise<Ready> {
  const timeoutMs = spec.startTimeoutMs ?? 120_000;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  const lines = createInterface({ input: child.stdout! });
  const line = new Promise<string>((resolve) => lines.once('line', resolve));
  const first = await Promise.race([line, late, exited.then(() => 'ended' as const)]);
  clearTimeout(timer);
  const failed = (what: string) =>
    new HarnessError(
      'PROCESS_START_FAILED',
      `${spec.name} should print one JSON line when ready, but ${what}; its last lines:\n${indent(lastWords())}`,
    );
  if (first === 'late') throw failed(`printed nothing for ${timeoutMs} ms`);
  if (first === 'ended') throw failed(ended() ?? 'ended');
  try {
    return JSON.parse(first) as Ready;
  } catch {
    throw failed(`printed ${JSON.stringify(first.slice(0, 120))}`);
  }
}

function keepLastLines(child: ChildProcess, words: string[]): void {
  createInterface({ input: child.stderr! }).on('line', (line) => {
    words.push(line);
    if (words.length > STDERR_LINES) words.shift();
  });
}

export const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
