/**
 * Puts a subject from its repository into `var/subjects/<name>`: exactly the commit of its file, then the commands that make
 * it runnable. No credential of this machine is offered to the host, and no hook of the repository runs.
 */
import { execFile } from 'node:child_process';
import { access, mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { simpleGit } from 'simple-git';
import { baseEnvironment } from './child.ts';
import { got, HarnessError } from './errors.ts';
import type { Subject } from './subject.ts';

const run = promisify(execFile);
const LONGEST_MS = 600_000;
const LAST_WORDS = 1_000;
/** There once everything was built; its name holds the commit. */
const builtMark = (commit: string): string => `.built-${commit}`;

type GitSource = Extract<Subject['source'], { git: string }>;

export async function cloneSubject(name: string, source: GitSource, folder: string): Promise<string> {
  const { git: address, commit, build = [] } = source;
  if (await exists(join(folder, builtMark(commit)))) return folder;
  const partial = `${folder}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(partial, { recursive: true });
  await checkOut(name, address, commit, partial);
  for (const command of build) await buildStep(name, command, partial);
  await writeFile(join(partial, builtMark(commit)), '');
  await rm(folder, { recursive: true, force: true });
  await rename(partial, folder);
  return folder;
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
      `subject ${name}: ${address} should give ${commit}, got: ${(cause as Error).message.trim().slice(-LAST_WORDS)}`,
      { cause, remedy: 'without its host only subjects run that are installed already' },
    );
  }
  const head = (await git.revparse(['HEAD'])).trim();
  if (head !== commit) {
    throw new HarnessError('SUBJECT_INVALID', `subject ${name}: its HEAD should be ${commit}, got ${got(head)}`);
  }
}

async function buildStep(name: string, [file = '', ...args]: readonly string[], cwd: string): Promise<void> {
  const env = baseEnvironment();
  env['PATH'] = [dirname(process.execPath), env['PATH'] ?? ''].join(delimiter);
  try {
    await run(file, args, { cwd, env, timeout: LONGEST_MS, maxBuffer: 16 << 20 });
  } catch (error) {
    const { stderr = '', message } = error as { stderr?: string; message: string };
    throw new HarnessError(
      'SUBJECT_UNREACHABLE',
      `subject ${name}: \`${[file, ...args].join(' ')}\` should end with 0, got: ${(stderr || message).slice(-LAST_WORDS)}`,
    );
  }
}

const exists = (file: string): Promise<boolean> =>
  access(file).then(
    () => true,
    () => false,
  );
