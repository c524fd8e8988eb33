/** Steps that go wrong in the ways installations do. */
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { expect, test } from 'vitest';
import { runStep } from './subject-step.ts';

const step = (code: string, timeoutMs = 60_000) =>
  runStep({ command: [process.execPath, '-e', code], cwd: tmpdir(), env: {}, timeoutMs });
/** Another process that keeps the pipes open, for longer than any of this takes. */
const lingering = (mark: string) => `
  const { spawn } = require('node:child_process');
  spawn(process.execPath, ['-e', 'setTimeout(() => {}, 60_000)', '${mark}'], { stdio: 'inherit' }).unref();
`;

async function runningWith(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const lines = await Promise.all(pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')));
  return pids.filter((_, i) => lines[i]?.endsWith(`\0${mark}\0`)).map(Number);
}

test('a step that ends with 0 says nothing', async () => {
  await expect(step('process.exit(0)')).resolves.toBeUndefined();
});

test.each([
  ['what it complained of', 'console.error("no such version"); process.exit(3)', 'no such version (exit code 3)'],
  [
    'what it said, where it complained of nothing',
    'console.log("error TS1"); process.exit(1)',
    'error TS1 (exit code 1)',
  ],
  ['how it ended, where it said nothing', 'process.kill(process.pid, "SIGKILL")', 'SIGKILL'],
  [
    'no credential of an address',
    'console.error("GET https://me:hunter2@registry.example/tiny failed"); process.exit(1)',
    'GET https://…@registry.example/tiny failed (exit code 1)',
  ],
])('a step that fails tells %s', async (_what, code, message) => {
  await expect(step(code)).rejects.toMatchObject({ name: 'StepFailed', message, missing: false });
});

test('a program that is not there is said to be missing', async () => {
  const missing = runStep({ command: ['no-such-program'], cwd: tmpdir(), env: {}, timeoutMs: 60_000 });
  await expect(missing).rejects.toMatchObject({ missing: true });
});

test('one that hangs is ended with what it started, though that holds its pipes', async () => {
  const mark = `hanging-${process.pid}`;
  await expect(step(`${lingering(mark)} setInterval(() => {}, 60_000)`, 500)).rejects.toThrow('nothing after 0.5 s');
  await expect.poll(() => runningWith(mark)).toEqual([]);
});

test('one that is done does not wait for what it left in the background', async () => {
  const mark = `left-${process.pid}`;
  await step(lingering(mark));
  for (const pid of await runningWith(mark)) process.kill(pid, 'SIGKILL');
});
