/**
 * One command on the way to a subject that runs, such as an installation. It ends when it should, with everything it started,
 * and what it prints is kept for the message of its failure, without the credentials of the addresses in it.
 */
import { setTimeout as later } from 'node:timers/promises';
import { startProcess } from '../running-process.ts';
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
  const child = startProcess(file, args, { cwd, env, kept: LAST_WORDS });
  const patience = new AbortController();
  const ended = child.exited.then(({ code, signal, error }): Failure | undefined => {
    if (error) return { why: error.message, missing: error.code === 'ENOENT' };
    return code === 0 ? undefined : { why: signal === null ? `exit code ${code}` : signal };
  });
  const late = later(timeoutMs, undefined, { signal: patience.signal }).then(
    (): Failure => ({ why: `nothing after ${timeoutMs / 1000} s` }),
    () => undefined,
  );
  const failure = await Promise.race([ended, late]);
  patience.abort();
  if (child.isRunning()) {
    await endTree(await treeOf(child.process.pid));
    child.process.kill('SIGKILL');
  }
  await Promise.race([child.ended, later(DRAIN_MS, undefined, { ref: false })]);
  child.process.stdout.destroy();
  child.process.stderr.destroy();
  if (failure === undefined) return;
  const words = withoutCredentials((child.stderr().trim() === '' ? child.stdout() : child.stderr()).trim());
  throw new StepFailed(words === '' ? failure.why : `${words} (${failure.why})`, failure.missing === true);
}

/** Log lines must not contain the credentials of a proxy or a registry. */
const withoutCredentials = (text: string): string => text.replaceAll(/\/\/[^\s/@]+@/g, '//…@');
