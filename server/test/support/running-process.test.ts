import { expect, test } from 'vitest';
import { runNode, runProcess, startProcess } from './running-process.ts';

const started = (script: string, options = {}) => startProcess(process.execPath, ['-e', script], options);

test('what it printed, its exit code, and what it read', async () => {
  const script = `process.stdin.on('data', (text) => console.log(String(text).toUpperCase())); console.error('no'); process.exitCode = 3;`;
  expect(await runNode(['-e', script], { stdin: 'yes' })).toEqual({
    code: 3,
    signal: null,
    stdout: 'YES\n',
    stderr: 'no\n',
  });
});

test('a line that is there already, and one that is still to come', async () => {
  await using child = started(
    `console.log('{"n":1}'); setTimeout(() => console.log('two'), 50); setInterval(() => {}, 1e3)`,
  );
  expect([await child.line(), await child.line(/^two/), await child.line()]).toEqual(['{"n":1}', 'two', '{"n":1}']);
  expect(child.isRunning()).toBe(true);
  expect(await child.stop()).toMatchObject({ code: null, signal: 'SIGTERM' });
  expect(child.isRunning()).toBe(false);
});

test('one that ends before it is ready, or is never, says why', async () => {
  const dead = started(`console.error('the reason'); process.exit(1)`);
  await expect(dead.line()).rejects.toThrow(/ended before it was ready: the reason/);
  await using mute = started('setInterval(() => {}, 1e3)');
  await expect(mute.line(/./, 20)).rejects.toThrow(/within 20 ms/);
});

test('one that takes too long is killed', async () => {
  await expect(runNode(['-e', 'setInterval(() => {}, 1e3)'], { timeoutMs: 100 })).rejects.toThrow(/100 ms/);
});

test('a program that is not there is an error', async () => {
  await expect(runProcess('no-such-program', [])).rejects.toThrow(/ENOENT/);
});

test('a group ends as a whole', async () => {
  const inner = `process.on('SIGTERM', () => {}); setInterval(() => {}, 1e3); console.log(process.pid)`;
  const outer = `require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(inner)}], { stdio: 'inherit' })`;
  const child = started(outer, { group: true });
  await child.line(/^\d+$/);
  // The inner one holds the output open: this settles only when it has ended as well.
  expect(await child.stop('SIGKILL')).toMatchObject({ signal: 'SIGKILL' });
});
