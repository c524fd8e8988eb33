/** Preparation of a subject before its first process starts. */
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { HarnessError } from '../harness-errors.ts';
import type { Subject } from './subject.ts';
import { baseEnvironment } from './subject-process.ts';
import { runStep } from './subject-step.ts';

const LONGEST_MS = 300_000;

export async function prepareSubject({ name, prepare, env }: Subject, cwd: string): Promise<void> {
  if (prepare !== undefined) await runToItsEnd(name, prepare, cwd, env);
}

/** The command line with its placeholders filled in, after what must be run before each process. */
export async function prepareLane(
  { name, command, lane_prepare, env }: Pick<Subject, 'name' | 'command' | 'lane_prepare' | 'env'>,
  cwd: string,
  fill: (command: readonly string[]) => string[],
): Promise<{ command: string[]; close: () => Promise<void> }> {
  if (lane_prepare === undefined) return { command: fill(command), close: async () => {} };
  // Below the subject's folder, so that what is made there finds the subject's packages.
  const folder = await mkdtemp(join(cwd, 'lane-'));
  const filled = (parts: readonly string[]) => fill(parts).map((part) => part.replace('{folder}', folder));
  await runToItsEnd(name, filled(lane_prepare), cwd, env);
  return { command: filled(command), close: () => rm(folder, { recursive: true, force: true }) };
}

export async function runToItsEnd(
  name: string,
  prepare: readonly string[],
  cwd: string,
  env: Readonly<Record<string, string>>,
): Promise<void> {
  const [command = '', ...args] = prepare;
  const file = command === 'node' ? process.execPath : command;
  try {
    await runStep({
      command: [file, ...args],
      cwd,
      env: { ...baseEnvironment(), ...env },
      timeoutMs: LONGEST_MS,
    });
  } catch (error) {
    throw new HarnessError(
      'PROCESS_START_FAILED',
      `\`${prepare.join(' ')}\` before subject ${name} should end with 0, got ${(error as Error).message}`,
    );
  }
}
