/**
 * One command on the way to a subject that runs, such as an installation. It ends when it should, with everything it started,
 * and what it prints is kept for the message of its failure, without the credentials of the addresses in it.
 */
import { spawn } from 'node:child_process';
import { setTimeout as later } from 'node:timers/promises';
import { endTree, treeOf } from './process-tree.ts';

export interface Step {
  command: readonly string[];
  cwd: string;
  env: Record<string, string>;
  timeoutMs: number;
}

export class StepFailed extends Error {
  /** The program is not there. */
  readonly missing: boolean;

  constructor(message: string, missing: boolean) {
    super(message);
    this.name = 'StepFailed';
    this.missing = missing;
  }
}

const LAST_WORDS = 2_000;
/** A background process of the command may hold the pipes open. */
const DRAIN_MS = 300;

interface Failure {
  why: string;
  missing?: boolean;
}

/** Settles when the command ended with 0; throws `StepFailed` with its last words otherwise. */
export async function runStep({ command, cwd, env, timeoutMs }: Step): Promise<void> {
  const [file = '', ...args] = command;
  const child = spawn(file, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [said, complained] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (said = `${said}${chunk.toString('utf8')}`.slice(-LAST_WORDS)));
  child.stderr.on(
    'data',
    (chunk: Buffer) => (complained = `${complained}${chunk.toString('utf8')}`.slice(-LAST_WORDS)),
  );
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const patience = new AbortController();
  const ended = new Promise<Failure | undefined>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      resolve({ why: error.message, missing: error.code === 'ENOENT' }),
    );
    child.once('exit', (code, signal) =>
      resolve(code === 0 ? undefined : { why: signal === null ? `exit code ${code}` : signal }),
    );
  });
  const late = later(timeoutMs, undefined, { signal: patience.signal }).then(
    (): Failure => ({ why: `nothing after ${timeoutMs / 1000} s` }),
    () => undefined,
  );
  const failure = await Promise.race([ended, late]);
  patience.abort();
  if (child.exitCode === null && child.signalCode === null) {
    await endTree(await treeOf(child.pid));
    child.kill('SIGKILL');
  }
  await Promise.race([closed, later(DRAIN_MS, undefined, { ref: false })]);
  child.stdout.destroy();
  child.stderr.destroy();
  if (failure === undefined) return;
  const words = withoutCredentials((complained.trim() === '' ? said : complained).trim());
  throw new StepFailed(words === '' ? failure.why : `${words} (${failure.why})`, failure.missing === true);
}

/** Log lines must not contain the credentials of a proxy or a registry. */
const withoutCredentials = (text: string): string => text.replaceAll(/\/\/[^\s/@]+@/g, '//…@');
