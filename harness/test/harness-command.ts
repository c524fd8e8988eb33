/** The harness's command for tests: as a process, or called in this one, with what it prints. */
import { join } from 'node:path';
import { expect } from 'vitest';
import { main } from '../cli/harness.ts';
import { startProcess } from '../running-process.ts';

export const root = join(import.meta.dirname, '..', '..');

interface Ended {
  exit: number | null;
  stdout: string;
  stderr: string;
}

/** Starts a script of `harness/`. `until` waits for a text on either stream. */
export function start(script: string, argv: string[]) {
  const child = startProcess(process.execPath, [join(root, 'harness', script), ...argv], { cwd: root });
  const ended = child.ended.then(({ code, stdout, stderr }): Ended => ({ exit: code, stdout, stderr }));
  const said = () => child.stdout() + child.stderr();
  const until = (pattern: RegExp) => expect.poll(said).toMatch(pattern);
  return { child: child.process, ended, until, output: child.stdout };
}

export const harness = (...argv: string[]): Promise<Ended> => start('cli/harness.ts', argv).ended;

/** The same without a process of its own. */
export async function called(...argv: string[]): Promise<Ended> {
  let [stdout, stderr] = ['', ''];
  const exit = await main(argv, {
    stdout: { write: (text) => (stdout += text) },
    stderr: {
      write: (text: string) => {
        stderr += text;
        return true;
      },
    },
    color: false,
  });
  return { exit, stdout, stderr };
}

/** The same as somebody types it in `folder`; both streams as one text. */
export async function typedIn(folder: string, ...words: string[]): Promise<{ exit: number; said: string }> {
  let said = '';
  const write = (text: string) => {
    said += text;
  };
  const context = { stdout: { write }, stderr: { write, isTTY: false } as never, env: { INIT_CWD: folder } };
  return { exit: await main(words, context), said };
}
