/** The nightly command with jobs that take no time. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { ROOT } from '../../support/child-process.ts';
import { startProcess } from '../../support/running-process.ts';
import type { NightlyRun } from './nightly-history.ts';
import { brokenCopy } from './nightly-run.ts';

describe('npm run nightly', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-mcp-nightly-'));
    mkdirSync(join(folder, 'jobs'));
    return () => rmSync(folder, { recursive: true, force: true });
  });

  /** The list of one line, as a process that takes no time. */
  const line = (goal: string, more = '') =>
    `title: One job for a test\nrun: { script: nightly, arguments: [--list, --json, --only, R4] }\nminutes: 1\n${more}` +
    `figures: [{ name: lines, at: lines.length, goal: { ${goal} } }]\nsabotage: { arguments: [--no-such-option], minutes: 1 }\n`;
  const nightly = (...words: string[]) => {
    const own = ['--jobs', join(folder, 'jobs'), '--folder', join(folder, 'out'), '--history', join(folder, 'h.json')];
    const file = join(ROOT, 'server/test/bench/nightly.ts');
    const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...own, ...words], { encoding: 'utf8' });
    return { status, stdout, stderr };
  };

  test('plays a line, keeps its figures, and plays it again only where it did not hold', () => {
    writeFileSync(join(folder, 'jobs', 'good.yaml'), line('is: 1'));
    writeFileSync(join(folder, 'jobs', 'bad.yaml'), line('is: 2'));
    const first = nightly('--record');
    expect(first.stdout).toMatch(/bad One job for a test: FAILS \([\d.]+ s\) - lines is 1/);
    expect(first.stdout).toMatch(/good One job for a test: holds \([\d.]+ s\)/);
    expect(first.status).toBe(1);
    const { nights } = JSON.parse(readFileSync(join(folder, 'h.json'), 'utf8')) as { nights: NightlyRun[] };
    expect(nights[0]?.lines).toMatchObject({
      good: { state: 'passed', figures: { lines: 1 } },
      bad: { state: 'failed' },
    });
    const second = nightly('--resume', '--only', 'good');
    expect(second).toMatchObject({ status: 0, stdout: expect.stringContaining('holds (stored)') });
    expect(nightly('--page').stdout).toContain('1 of 2 passed');
  });

  test('a sabotage that the command does not end well with is a failure', () => {
    writeFileSync(join(folder, 'jobs', 'a.yaml'), line('is: 1'));
    expect(nightly('--sabotage')).toMatchObject({ status: 1, stdout: expect.stringContaining('it ended with 2') });
  });

  test('a line that needs what is absent is not run, does not pass, and is recorded as nothing', () => {
    writeFileSync(join(folder, 'jobs', 'a.yaml'), line('is: 1', 'needs: [no-such-program]\n'));
    const { status, stdout, stderr } = nightly('--record');
    expect(status).toBe(1);
    expect(stderr).toMatch(/^1 of 1: a, about 1 min, its output in .*logs$/m);
    expect(stdout).toMatch(/a One job for a test: NOT RUN .*needs no-such-program/);
    const { nights } = JSON.parse(readFileSync(join(folder, 'h.json'), 'utf8')) as { nights: NightlyRun[] };
    expect(nights.map(({ lines: seen }) => seen)).toEqual([{}]);
    expect(readFileSync(join(folder, 'out', 'index.html'), 'utf8')).toContain('Not run here');
  });

  test('who stops it stops all of it, and the line under way has neither held nor failed', async () => {
    const endless = line('is: 1')
      .replace('script: nightly', 'script: fake')
      .replace('--list, --json, --only, R4', '--port, "0", --control-port, "0"');
    for (const name of ['a', 'b']) writeFileSync(join(folder, 'jobs', `${name}.yaml`), endless);
    const words = ['--jobs', join(folder, 'jobs'), '--folder', join(folder, 'out')];
    const child = startProcess(process.execPath, [join(ROOT, 'server/test/bench/nightly.ts'), ...words]);
    const log = (name: string) => join(folder, 'out', 'logs', `${name}.job.out`);
    await expect.poll(() => readFileSync(log('a'), 'utf8')).toContain('http://');
    expect(await child.stop('SIGINT')).toMatchObject({ code: 130, signal: null });
    expect(readdirSync(join(folder, 'out', 'results'))).toEqual([]);
    expect(existsSync(log('b'))).toBe(false);
  });

  test('what it does not know is said', () => {
    writeFileSync(join(folder, 'jobs', 'a.yaml'), line('is: 1'));
    expect(nightly('--only', 'b')).toMatchObject({ status: 2, stderr: expect.stringContaining('there are a') });
    expect(nightly('--shard', '3/2')).toMatchObject({ status: 2, stderr: expect.stringContaining('--shard') });
    expect(nightly('--list')).toMatchObject({ status: 0, stdout: expect.stringContaining('1 jobs, 1 minutes') });
  });
});

test('a broken copy differs from the repository in one place', () => {
  const edit = { file: 'server/error-table.ts', search: 'export const ERRORS', replace: 'export const BROKEN' };
  using copy = brokenCopy(edit);
  const text = (root: string) => readFileSync(join(root, edit.file), 'utf8');
  expect(text(copy.root)).toBe(text(ROOT).replace(edit.search, edit.replace));
  expect(existsSync(join(copy.root, 'node_modules', 'vitest'))).toBe(true);
  expect(() => brokenCopy({ ...edit, search: 'no such text' })).toThrow(/exactly once/);
});
