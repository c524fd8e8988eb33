/** A process that the harness starts: the end of its output kept, and how it ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';

export interface ProcessOptions {
  cwd?: string;
  /** All the variables it gets; those of this process when left out. */
  env?: NodeJS.ProcessEnv;
  /** Written to its standard input, which then ends. Without it there is none. */
  stdin?: string;
  /** Opens descriptor 3, by which `parent-watchdog.mjs` notices that this process has gone. */
  watched?: boolean;
  /** Ends it with `killSignal`. */
  signal?: AbortSignal | undefined;
  killSignal?: NodeJS.Signals;
  /** So many characters of each output are kept, the last ones. */
  kept?: number;
}

export interface Ended {
  /** Null when a signal ended it, or it could not be started. */
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Why it could not be started, or was aborted. */
  error?: NodeJS.ErrnoException;
  stdout: string;
  stderr: string;
}

export interface RunningProcess {
  process: ChildProcess & { stdout: Readable; stderr: Readable };
  stdout: () => string;
  stderr: () => string;
  isRunning: () => boolean;
  /** Settles when the process has ended; what it started may still hold its output open. */
  exited: Promise<Ended>;
  /** Settles when its output has ended as well. Neither of them rejects. */
  ended: Promise<Ended>;
}

const KEPT = 1 << 26;

export function startProcess(
  command: string,
  words: readonly string[],
  { stdin, watched = false, kept = KEPT, signal, ...options }: ProcessOptions = {},
): RunningProcess {
  const child = spawn(command, words, {
    ...options,
    ...(signal === undefined ? {} : { signal }),
    stdio: [stdin === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(watched ? (['pipe'] as const) : [])],
  }) as RunningProcess['process'];
  const [stdout, stderr] = [endOf(child.stdout, kept), endOf(child.stderr, kept)];
  // A process may end before it has read its input.
  child.stdin?.on('error', () => undefined).end(stdin);
  const until = (event: 'exit' | 'close') =>
    new Promise<Ended>((resolve) => {
      const settle = (how: Pick<Ended, 'code' | 'signal' | 'error'>) =>
        resolve({ ...how, stdout: stdout(), stderr: stderr() });
      child.on('error', (error) => settle({ code: null, signal: null, error }));
      child.once(event, (code, name) => settle({ code, signal: name }));
    });
  return {
    process: child,
    stdout,
    stderr,
    isRunning: () => child.pid !== undefined && child.exitCode === null && child.signalCode === null,
    exited: until('exit'),
    ended: until('close'),
  };
}

/** Runs it to its end. */
export const runProcess = (command: string, words: readonly string[], options?: ProcessOptions): Promise<Ended> =>
  startProcess(command, words, options).ended;

function endOf(stream: Readable, kept: number): () => string {
  let text = '';
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    if (text.length > kept * 2) text = text.slice(-kept);
  });
  return () => text.slice(-kept);
}
