/**
 * Puts a subject from its repository into `var/subjects/<name>`: exactly the commit of its file, then the commands that make
 * it runnable. No credential of this machine is offered to the host, and no hook of the repository runs.
 */
import { delimiter, dirname } from 'node:path';
import { simpleGit } from 'simple-git';
import { got, HarnessError } from '../harness-errors.ts';
import type { Subject } from './subject.ts';
import { fillFolder } from './subject-folder.ts';
import { baseEnvironment } from './subject-process.ts';
import { runStep } from './subject-step.ts';

const LONGEST_MS = 600_000;
const LAST_OUTPUT = 1_000;

type GitSource = Extract<Subject['source'], { git: string }>;

export function cloneSubject(name: string, source: GitSource, folder: string): Promise<string> {
  const { git: address, commit, build = [] } = source;
  return fillFolder(folder, source, async (partial) => {
    await checkOut(name, address, commit, partial);
    for (const command of build) await buildStep(name, command, partial);
  });
}

async function checkOut(name: string, address: string, commit: string, folder: string): Promise<void> {
  const git = simpleGit(folder, { timeout: { block: LONGEST_MS }, allowEnvironment: ['GIT_TERMINAL_PROMPT'] }).env({
    ...baseEnvironment(),
    // Neither a prompt nor anybody's settings: a repository that needs a credential is one that cannot be read.
    GIT_TERMINAL_PROMPT: '0',
    HOME: folder,
  });
  try {
    await git.init();
    await git.raw(['fetch', '--quiet', '--depth', '1', address, commit]);
    await git.raw(['checkout', '--quiet', '--detach', 'FETCH_HEAD']);
  } catch (cause) {
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `subject ${name}: ${address} should give ${commit}, got: ${(cause as Error).message.trim().slice(-LAST_OUTPUT)}`,
      { cause, remedy: 'without its host only subjects run that are installed already' },
    );
  }
  const head = (await git.revparse(['HEAD'])).trim();
  if (head !== commit) {
    throw new HarnessError('SUBJECT_INVALID', `subject ${name}: its HEAD should be ${commit}, got ${got(head)}`);
  }
}

async function buildStep(name: string, command: readonly string[], cwd: string): Promise<void> {
  const env = baseEnvironment();
  env['PATH'] = [dirname(process.execPath), env['PATH'] ?? ''].join(delimiter);
  await runStep({ command, cwd, env, timeoutMs: LONGEST_MS }).catch((cause: Error) => {
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `subject ${name}: \`${command.join(' ')}\` should end with 0, got: ${cause.message}`,
      { cause },
    );
  });
}
