/** Which commit the working tree stands on, with a mark and a digest of its changes when it has some; null without git. */
import { createHash } from 'node:crypto';
import { lstat, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type SimpleGit, simpleGit } from 'simple-git';

/** Where a file that git does not know can change a result; elsewhere it is a note, or the output of a run. */
const PLAYED = ['server', 'fake-api', 'harness', 'scenarios'];
/** Reports are written by what is measured. */
const TRACKED = ['.', ':(exclude)reports'];
/** The settings of a user must not change the digest. */
const PLAIN = ['--no-ext-diff', '--no-textconv', '--no-color', '--full-index', '--src-prefix=a/', '--dst-prefix=b/'];
/** A larger file is known by its size. */
const LARGEST_READ = 1_000_000;

export async function headCommit(root: string): Promise<string | null> {
  const git = simpleGit(root);
  try {
    const head = (await git.revparse(['HEAD'])).trim();
    const status = await git.status(['--untracked-files=no']);
    const listed = await git.raw(['ls-files', '--others', '--exclude-standard', '-z', '--', ...PLAYED]);
    const untracked = listed.split('\0').filter((file) => file !== '');
    if (status.isClean() && untracked.length === 0) return head;
    return `${head}+changes.${await digestOfChanges(root, git, untracked.sort())}`;
  } catch {
    return null;
  }
}

/** Two trees with one digest are the same code, so that their runs may be joined. */
async function digestOfChanges(root: string, git: SimpleGit, untracked: readonly string[]): Promise<string> {
  const hash = createHash('sha256').update(await git.diff([...PLAIN, 'HEAD', '--', ...TRACKED]));
  for (const file of untracked) {
    const found = await lstat(join(root, file));
    hash.update(`\0${file}\0${found.size}\0`);
    if (found.isFile() && found.size <= LARGEST_READ) hash.update(await readFile(join(root, file)));
  }
  return hash.digest('hex').slice(0, 12);
}

/** The difference between the commit and the working tree, as text; undefined if there is none, or without git. */
export async function uncommitted(root: string): Promise<string> {
  return simpleGit(root)
    .diff(['HEAD'])
    .catch(() => '');
}
