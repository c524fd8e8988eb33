/** The fake as a shell starts it. */
import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const MAIN = fileURLToPath(new URL('../main.ts', import.meta.url));
const running: ChildProcess[] = [];

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface FakeProcess {
  child: ChildProcess;
  firstLine: Promise<string>;
  /** So far. */
  stderr: () => string;
  ended: Promise<Ended>;
}

export const startFakeProcess = (...args: string[]): FakeProcess => startFakeAt(MAIN, ...args);

/** The fake whose `main.ts` lies there, such as in a copy. */
export function startFakeAt(main: string, ...args: string[]): FakeProcess {
  const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  running.push(child);
  let [stdout, stderr] = ['', ''];
  child.stderr.setEncoding('utf8').on('data', (part: string) => {
    stderr += part;
  });
  const firstLine = new Promise<string>((resolve) => {
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      stdout += part;
      if (stdout.includes('\n')) resolve(stdout.slice(0, stdout.indexOf('\n')));
    });
  });
  return {
    child,
    firstLine,
    stderr: () => stderr,
    ended: new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr }))),
  };
}

/** After each test. */
export function killFakeProcesses(): void {
  for (const child of running.splice(0)) child.kill('SIGKILL');
}
