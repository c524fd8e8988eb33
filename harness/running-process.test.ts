import { expect, test } from 'vitest';
import { runProcess, startProcess } from './running-process.ts';

const node = process.execPath;

test('what it printed, its exit code, and what it read', async () => {
  const script = `process.stdin.on('data', (text) => console.log(String(text).toUpperCase())); console.error('no'); process.exitCode = 3;`;
  expect(await runProcess(node, ['-e', script], { stdin: 'yes' })).toEqual({
    code: 3,
    signal: null,
    stdout: 'YES\n',
    stderr: 'no\n',
  });
});

test('of much output the end is kept', async () => {
  const { stdout } = await runProcess(node, ['-e', `console.log('a'.repeat(100_000) + 'end')`], { kept: 10 });
  expect(stdout).toBe('aaaaaaend\n');
});

test('a program that is not there, and one that is aborted, say so', async () => {
  expect((await runProcess('no-such-program', [])).error?.code).toBe('ENOENT');
  const abort = new AbortController();
  const { ended, isRunning } = startProcess(node, ['-e', 'setInterval(() => {}, 1e3)'], { signal: abort.signal });
  expect(isRunning()).toBe(true);
  abort.abort();
  expect((await ended).error?.name).toBe('AbortError');
});

test('it has exited although what it started holds its output open', async () => {
  const script = `require('node:child_process').spawn(process.execPath, ['-e', 'setTimeout(() => {}, 2_000)'], { stdio: 'inherit' }).unref()`;
  const { exited, ended } = startProcess(node, ['-e', script]);
  const first = await Promise.race([exited.then(() => 'exited'), ended.then(() => 'ended')]);
  expect(first).toBe('exited');
});
