/** A process of a test or bench: its output kept, ready by a line, ended in time, and gone when it is stopped. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

export interface ProcessOptions {
  cwd?: string;
  /** All the variables it gets; those of this process when left out. */
  env?: NodeJS.ProcessEnv;
  /** Written to its standard input, which then ends; with `open` the caller writes and ends it. Empty by default. */
  stdin?: string | { open: true };
  /** It is stopped after so long, and `ended` rejects. */
  timeoutMs?: number;
  /** It leads a process group of its own: signals reach everything it started. Ctrl-C of a terminal does not reach it. */
  group?: boolean;
}

export interface Ended {
  /** Null when a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  stdout: string;
  stderr: string;
}

export interface RunningProcess extends AsyncDisposable {
  pid: number;
  process: ChildProcessWithoutNullStreams;
  /** What it wrote so far, or the last `KEPT` characters of it. */
  stdout: () => string;
  stderr: () => string;
  isRunning: () => boolean;
  /** The first line of its output that matches. Rejects with the end of its errors when it ends before, or after the time. */
  line: (pattern?: RegExp, timeoutMs?: number) => Promise<string>;
  /** Settles when it ended and all its output is read. Rejects when it could not be started, or took too long. */
  ended: Promise<Ended>;
  signal: (name: NodeJS.Signals) => void;
  /** Asks it to end, and kills it when it has not after a while. */
  stop: (name?: NodeJS.Signals) => Promise<Ended>;
}

const KEPT = 1 << 26;
const SHOWN = 2_000;
const READY_MS = 120_000;
const GRACE_MS = 20_000;

export function startProcess(
  command: string,
  words: readonly string[],
  { stdin = '', timeoutMs, group = false, ...options }: ProcessOptions = {},
): RunningProcess {
  const child = spawn(command, words, { ...options, detached: group, stdio: ['pipe', 'pipe', 'pipe'] });
  const [stdout, stderr] = [kept(child.stdout), kept(child.stderr)];
  const lines = createInterface({ input: child.stdout });
  // A process may end before it has read its input.
  child.stdin.on('error', () => undefined);
  if (typeof stdin === 'string') child.stdin.end(stdin);
  const isRunning = () => child.pid !== undefined && child.exitCode === null && child.signalCode === null;
  const signal = (name: NodeJS.Signals) => send(child, name, group);
  const failed = (what: string) => new Error(`${[command, ...words].join(' ')} ${what}: ${stderr().slice(-SHOWN)}`);

  let late: NodeJS.Timeout | undefined;
  const ended = new Promise<Ended>((resolve, reject) => {
    child.on('error', reject);
    child.once('close', (code, name) => resolve({ code, signal: name, stdout: stdout(), stderr: stderr() }));
    if (timeoutMs !== undefined)
      late = setTimeout(() => {
        reject(failed(`did not end within ${timeoutMs} ms`));
        signal('SIGKILL');
      }, timeoutMs);
  }).finally(() => clearTimeout(late));
  ended.catch(() => undefined);

  const stop = async (name: NodeJS.Signals = 'SIGTERM') => {
    if (isRunning()) signal(name);
    const impatient = setTimeout(() => signal('SIGKILL'), GRACE_MS);
    return ended.finally(() => clearTimeout(impatient));
  };
  return {
    pid: child.pid ?? 0,
    process: child,
    stdout,
    stderr,
    isRunning,
    ended,
    signal,
    stop,
    line: async (pattern = /^\{/, withinMs = READY_MS) => {
      const before = stdout()
        .split('\n')
        .slice(0, -1)
        .find((line) => pattern.test(line));
      if (before !== undefined) return before;
      return new Promise<string>((resolve, reject) => {
        const timer = setTimeout(() => reject(failed(`printed no ${pattern} within ${withinMs} ms`)), withinMs);
        lines.on('line', (line) => {
          if (pattern.test(line)) resolve(line);
        });
        ended.then(() => reject(failed('ended before it was ready')), reject).finally(() => clearTimeout(timer));
      });
    },
    [Symbol.asyncDispose]: async () => void (await stop()),
  };
}

/** Runs it to its end. */
export const runProcess = (command: string, words: readonly string[], options?: ProcessOptions): Promise<Ended> =>
  startProcess(command, words, options).ended;

/** The same of a file of ours, or of any words after `node`. */
export const runNode = (words: readonly string[], options?: ProcessOptions): Promise<Ended> =>
  runProcess(process.execPath, words, options);

function kept(stream: NodeJS.ReadableStream): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > KEPT * 2) text = text.slice(-KEPT);
  });
  return () => text.slice(-KEPT);
}

function send(child: ChildProcessWithoutNullStreams, name: NodeJS.Signals, group: boolean): void {
  if (child.pid === undefined) return;
  try {
    // What it started may outlive it, so a group is signalled also when its leader has gone.
    if (group) process.kill(-child.pid, name);
    else child.kill(name);
  } catch {
    // Nothing of it is left.
  }
}
