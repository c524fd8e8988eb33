/** Runs the same command again whenever a file changes that could change its result, until it is told to stop. */
import { watch } from 'node:fs/promises';
import { join } from 'node:path';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { startProcess } from '../running-process.ts';
import type { CommandContext } from './commands/context.ts';

const WATCHED = ['server', 'fake-api', 'harness', 'scenarios'];
const IGNORED = /(^|\/)(node_modules|var|\.[^/]*)(\/|$)|\.test\.ts$|~$/;
/** Editors write a file in several steps. */
const QUIET_MS = 300;

export async function rerunOnChange(context: CommandContext): Promise<ExitCode> {
  const { root, signal, stderr } = context;
  const argv = context.argv.filter((word) => word !== '--watch');
  const changes = new Changes();
  for (const folder of WATCHED) void changes.follow(join(root, folder), signal);
  while (!signal.aborted) {
    const code = await runOnce(root, argv, context);
    if (signal.aborted) break;
    stderr.write(`exit ${code}; waiting for a change (Ctrl-C ends)\n`);
    const file = await changes.next(signal);
    if (file !== undefined) stderr.write(`changed: ${file}\n`);
  }
  return EXIT.interrupted;
}

/** A process of its own, so that changed code of the harness is read anew. */
async function runOnce(root: string, argv: readonly string[], context: CommandContext): Promise<number | null> {
  const child = startProcess(process.execPath, [join(root, 'harness', 'cli', 'harness.ts'), ...argv], { cwd: root });
  child.process.stdout.on('data', (text: string) => context.stdout.write(text));
  child.process.stderr.on('data', (text: string) => context.stderr.write(text));
  const end = () => child.process.kill('SIGINT');
  context.signal.addEventListener('abort', end, { once: true });
  const { code } = await child.ended;
  context.signal.removeEventListener('abort', end);
  return code;
}

class Changes {
  #last: string | undefined;
  #wake: (() => void) | undefined;

  async follow(folder: string, signal: AbortSignal): Promise<void> {
    try {
      for await (const { filename } of watch(folder, { recursive: true, signal })) {
        if (filename === null || IGNORED.test(filename)) continue;
        this.#last = filename;
        this.#wake?.();
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** The last file changed since the question before this one; waits for one when there is none. */
  async next(signal: AbortSignal): Promise<string | undefined> {
    if (this.#last === undefined) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
    }
    await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
    const file = this.#last;
    this.#last = undefined;
    return file;
  }
}
