import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import { afterAll, expect, test } from 'vitest';
import { headCommit } from './commit.ts';

const root = await mkdtemp(join(tmpdir(), 'commit-'));
afterAll(() => rm(root, { recursive: true, force: true }));

test('the working tree is its commit, or the commit with a digest of what is changed', async () => {
  const git = simpleGit(root);
  await git.init();
  await git.addConfig('user.email', 'a@example.com').addConfig('user.name', 'a');
  const write = async (file: string, text: string) => {
    await mkdir(join(root, file, '..'), { recursive: true });
    await writeFile(join(root, file), text);
    return headCommit(root);
  };
  expect(await write('server/a.ts', 'one')).toBe(null);
  await write('reports/a.md', 'one');
  await git.add('.').commit('first');
  const head = (await git.revparse(['HEAD'])).trim();
  expect(await headCommit(root)).toBe(head);
  expect(await write('mine/recordings.jsonl', 'the output of a run'), 'of no code').toBe(head);

  const two = await write('server/a.ts', 'two');
  expect(two).toMatch(new RegExp(`^${head}\\+changes\\.[0-9a-f]{12}$`));
  expect(await write('server/a.ts', 'three')).not.toBe(two);
  expect(await write('server/a.ts', 'two')).toBe(two);
  expect(await write('reports/a.md', 'two'), 'reports are written by runs').toBe(two);

  const untracked = await write('harness/b.ts', 'one');
  expect(untracked).not.toBe(two);
  expect(await write('harness/b.ts', 'two')).not.toBe(untracked);
  await git.checkout('.');
  expect(await headCommit(root), 'a new file alone').toMatch(/\+changes\./);
  await rm(join(root, 'harness/b.ts'));
  expect(await headCommit(root)).toBe(head);
});

test('there is none without git', async () => {
  expect(await headCommit('/')).toBe(null);
});
