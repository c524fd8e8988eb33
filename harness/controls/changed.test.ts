import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { loadMutants } from '../subject/mutant.ts';
import { mutantsForChange } from './changed.ts';

const mutants = await loadMutants();
const always = mutants.filter((mutant) => mutant.every_change === true).map(({ name }) => name);
const folder = await mkdtemp(join(tmpdir(), 'changed-'));
const git = (...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.net', ...args], { cwd: folder });
const write = async (file: string, text: string) => {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), text);
};
const chosen = async () => (await mutantsForChange(folder, mutants, 'main')).map(({ name }) => name);
const commit = (message: string) => {
  git('add', '-A');
  git('commit', '-qm', message);
};

beforeAll(async () => {
  git('init', '-q', '-b', 'main');
  await write('server/dispatch/shape.ts', 'one');
  await write('server/outbound/client.ts', 'one');
  commit('first');
});
afterAll(() => rm(folder, { recursive: true, force: true }));

test('a branch calls for the mutants of every change and of the files it changed, committed or not', async () => {
  git('checkout', '-q', '-b', 'work');
  expect(await chosen()).toEqual(always);
  await write('server/dispatch/shape.ts', 'two');
  commit('shape');
  await write('harness/controls/mutants/poll-lost.yaml', 'new');
  await write('harness/controls/scenarios/walls/forged-token.yaml', 'new');
  const ofShape = mutants.filter(({ edits }) => edits.some(({ file }) => file === 'server/dispatch/shape.ts'));
  expect(ofShape.length).toBeGreaterThan(2);
  const wanted = new Set([...always, ...ofShape.map(({ name }) => name), 'poll-lost', 'any-plan-token']);
  expect(await chosen()).toEqual(mutants.map(({ name }) => name).filter((name) => wanted.has(name)));
  await rm(join(folder, 'harness'), { recursive: true });
});

test('the trunk calls for those of its last commit', async () => {
  git('checkout', '-q', 'main');
  await write('server/outbound/client.ts', 'two');
  commit('client');
  expect(await chosen()).toContain('write-retried');
  expect(await chosen()).not.toContain('total-wrong');
});

test('without a history there are those of every change', async () => {
  const bare = await mkdtemp(join(tmpdir(), 'no-history-'));
  expect((await mutantsForChange(bare, mutants, 'main')).map(({ name }) => name)).toEqual(always);
  await rm(bare, { recursive: true });
});
