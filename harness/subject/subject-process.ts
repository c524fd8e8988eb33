/** Processes the harness starts: ready by one JSON line, remembered by their last words, ended with the harness. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { HarnessError } from '../harness-errors.ts';
import { startProcess } from '../running-process.ts';

/** A URL: Node reads a path here as one, and so neither a drive letter nor a `#`. */
const WATCHDOG = pathToFileURL(join(import.meta.dirname, 'parent-watchdog.mjs')).href;
const COMPILED = join(import.meta.dirname, '..', '..', 'var', 'compiled');
/** Holds the stack trace of a module that was not found, whose first lines say which. */
const LAST_LINES = 20;
/** Characters of each output. */
const KEPT = 1 << 16;

export interface ChildSpec {
  /** For messages: "fake platform", "router (http, open)". */
  name: string;
  command: string[];
  cwd: string;
  env: Record<string, string>;
  startTimeoutMs?: number;
  /** Ends it, also before it is ready. */
  signal?: AbortSignal | undefined;
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

/** The environment of a child: only the variables that it needs to run, and no settings of the folder it runs in. */
export function baseEnvironment(): Record<string, string> {
  const kept = ['PATH', 'HOME', 'TMPDIR', 'LANG'];
  const env = Object.fromEntries(kept.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])));
  // Types are stripped once and not on every start.
  return {
    ...env,
    NODE_COMPILE_CACHE: COMPILED,
    // A router of ours runs in the repository, where the setup may have written `.env` for a person.
    SVC_MCP_DOTENV: '0',
  };
}

/** Starts the process and waits for the first line of standard output, which must be JSON with `ready: true`. */
export async function startChild<Ready>(spec: ChildSpec): Promise<Child<Ready>> {
  const [file, args] = withWatchdog(spec.command);
  const { cwd, env, signal } = spec;
  const child = startProcess(file, args, { cwd, env, signal, watched: true, kept: KEPT });
  let ended: string | undefined;
  let closing = false;
  const exited = child.ended.then(({ code, signal, error }) => {
    ended = error ? `could not be started: ${error.message}` : `ended with ${signal ?? `exit code ${code}`}`;
  });
  const lastOutput = () => lastLines(child.stderr());
  const close = async () => {
    closing = true;
    if (ended !== undefined) return;
    child.process.kill('SIGTERM');
    const impatient = setTimeout(() => child.process.kill('SIGKILL'), 3_000);
    await exited;
    clearTimeout(impatient);
  };
  try {
    const ready = await firstLine<Ready>(child.process.stdout, exited, spec, () => ended, lastOutput);
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
  stdout: Readable,
  exited: Promise<void>,
  spec: ChildSpec,
  ended: () => string | undefined,
  lastOutput: () => string,
): Promise<Ready> {
  const timeoutMs = spec.startTimeoutMs ?? 120_000;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), timeoutMs);
  });
  const lines = createInterface({ input: stdout });
  const line = new Promise<string>((resolve) => lines.once('line', resolve));
  const first = await Promise.race([line, late, exited.then(() => 'ended' as const)]);
  clearTimeout(timer);
  const failed = (what: string) =>
    new HarnessError(
      'PROCESS_START_FAILED',
      `${spec.name} should print one JSON line when ready, but ${what}; its last lines:\n${indent(lastOutput())}`,
    );
  if (first === 'late') throw failed(`printed nothing for ${timeoutMs} ms`);
  if (first === 'ended') throw failed(ended() ?? 'ended');
  try {
    return JSON.parse(first) as Ready;
  } catch {
    throw failed(`printed ${JSON.stringify(first.slice(0, 120))}`);
  }
}

export const lastLines = (output: string): string => output.trimEnd().split('\n').slice(-LAST_LINES).join('\n');

export const indent = (text: string): string =>
  text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
