/** What a subject needs before its first process starts. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { baseEnvironment } from './child.ts';
import { HarnessError } from './errors.ts';
import type { Subject } from './subject.ts';

const run = promisify(execFile);
const LONGEST_MS = 300_000;
const LAST_WORDS = 2_000;

export async function prepareSubject({ name, prepare, env }: Subject, cwd: string): Promise<void> {
  if (prepare === undefined) return;
  const [command = '', ...args] = prepare;
  const file = command === 'node' ? process.execPath : command;
  try {
    await run(file, args, { cwd, env: { ...baseEnvironment(), ...env }, timeout: LONGEST_MS, maxBuffer: 16 << 20 });
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    throw new HarnessError(
      'PROCESS_START_FAILED',
      `\`${prepare.join(' ')}\` before subject ${name} should end with 0, got ${code}: ${stderr.slice(-LAST_WORDS)}`,
    );
  }
}
