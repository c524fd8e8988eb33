/** Subjects from a repository, here local bare ones. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { simpleGit } from 'simple-git';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneSubject } from './subject-clone.ts';

const home = await mkdtemp(join(tmpdir(), 'harness-clone-'));
const bare = join(home, 'bare.git');
let [first, second] = ['', ''];

beforeAll(async () => {
  const work = join(home, 'work');
  await mkdir(work);
  const git = simpleGit(work);
  await git.init();
  await git.addConfig('user.name', 'a').addConfig('user.email', 'a@example.com');
  const commit = async (text: string) => {
    await writeFile(join(work, 'server.mjs'), text);
    await git.add('.').commit(text);
    return (await git.revparse(['HEAD'])).trim();
  };
  [first, second] = [await commit('one'), await commit('two')];
  await simpleGit(home).clone(work, bare, ['--bare']);
  await simpleGit(bare).addConfig('uploadpack.allowAnySHA1InWant', 'true');
});
afterAll(() => rm(home, { recursive: true, force: true }));

const node = (code: string) => [process.execPath, '-e', code];

test('the commit of the file is checked out and built, not the newest one, and only once', async () => {
  const folder = join(home, 'subjects', 'x');
  const build = [node("require('fs').appendFileSync('built', require('fs').readFileSync('server.mjs', 'utf8'))")];
  const source = { git: bare, commit: first, build };
  expect(await cloneSubject('x', source, folder)).toBe(folder);
  await cloneSubject('x', source, folder);
  expect(await readFile(join(folder, 'built'), 'utf8')).toBe('one');
  await cloneSubject('x', { ...source, commit: second }, folder);
  expect(await readFile(join(folder, 'built'), 'utf8')).toBe('two');
});

test.each<[string, () => Parameters<typeof cloneSubject>[1], RegExp]>([
  ['a repository that is not there', () => ({ git: join(home, 'none.git'), commit: first }), /should give/],
  ['a commit that is not there', () => ({ git: bare, commit: 'a'.repeat(40) }), /should give a{40}/],
  ['a build that fails', () => ({ git: bare, commit: first, build: [node('process.exit(3)')] }), /should end with 0/],
])('%s is said, and nothing is left to be taken for a subject', async (_what, source, message) => {
  const folder = join(home, 'subjects', 'y');
  await expect(cloneSubject('y', source(), folder)).rejects.toMatchObject({
    code: 'SUBJECT_UNREACHABLE',
    message: expect.stringMatching(message),
  });
  await expect(readFile(join(folder, 'server.mjs'))).rejects.toThrow('ENOENT');
});
