/** Which commit the working tree stands on, with a mark when it has changes; null without git. */
import { simpleGit } from 'simple-git';

export async function headCommit(root: string): Promise<string | null> {
  const git = simpleGit(root);
  try {
    const head = (await git.revparse(['HEAD'])).trim();
    const status = await git.status(['--untracked-files=no']);
    return status.isClean() ? head : `${head}+changes`;
  } catch {
    return null;
  }
}

/** The difference between the commit and the working tree, as text; undefined if there is none, or without git. */
export async function uncommitted(root: string): Promise<string> {
  return simpleGit(root)
    .diff(['HEAD'])
    .catch(() => '');
}
