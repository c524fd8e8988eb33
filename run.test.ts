/** run.mjs is what a newcomer's first command meets, so its promises are tested as they would see them: as a process. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';

const folder = mkdtempSync(join(tmpdir(), 'run-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function script(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, text);
  return path;
}

const run = (...words: string[]) =>
  spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), ...words], { encoding: 'utf8' });

test('runs a TypeScript file as the main module on Node 24 and passes arguments and exit code', () => {
  const path = script(
    'echo.ts',
    `const words: string[] = process.argv.slice(2);
     console.log(JSON.stringify({ words, main: import.meta.main, major: process.versions.node.split('.')[0] }));
     process.exit(7);`,
  );
  const outcome = run(path, '--json', 'two words');
  expect(outcome.status).toBe(7);
  expect(JSON.parse(outcome.stdout)).toEqual({ words: ['--json', 'two words'], main: true, major: '24' });
});

test('writes nothing of its own to stdout', () => {
  expect(run('--install')).toMatchObject({ status: 0, stdout: '' });
});

test('answers a missing or surplus word with usage and exit code 2', () => {
  expect(run()).toMatchObject({ status: 2, stdout: '' });
  expect(run('--install', 'x').stderr).toContain('got x');
});

test('a signal reaches the program, which may still clean up', async () => {
  const path = script(
    'wait.ts',
    `process.on('SIGTERM', () => { console.log('cleaned up'); process.exit(0); });
     setInterval(() => {}, 1000); console.log('ready');`,
  );
  const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), path]);
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
    if (output === 'ready\n') child.kill('SIGTERM');
  });
  const code = await new Promise((done) => child.on('exit', done));
  expect({ code, output }).toEqual({ code: 0, output: 'ready\ncleaned up\n' });
});
