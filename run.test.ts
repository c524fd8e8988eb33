/** run.mjs is what a newcomer's first command meets, so its promises are tested as they would see them: as a process. */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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

/** Programs that npm scripts start and that read options without a help of their own. */
const scripts = JSON.parse(readFileSync(join(import.meta.dirname, 'package.json'), 'utf8')).scripts as Record<
  string,
  string
>;
const filesWithOptions = Object.values(scripts)
  .flatMap((line) => /run\.mjs ([\w./-]+\.ts)/.exec(line)?.[1] ?? [])
  .filter((file) => {
    const text = readFileSync(join(import.meta.dirname, file), 'utf8');
    return text.includes('parseArgs(');
  });

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

test('a folder with a lockfile of its own is installed once, whoever asks at the same time, and says what for', async () => {
  const apart = join(folder, 'apart');
  const asked = { name: 'apart', version: '1.0.0', dependencies: { tiny: 'file:tiny' } };
  const tiny = { name: 'tiny', version: '1.0.0' };
  const packages = { '': asked, tiny, 'node_modules/tiny': { resolved: 'tiny', link: true } };
  mkdirSync(join(apart, 'tiny'), { recursive: true });
  writeFileSync(join(apart, 'package.json'), JSON.stringify({ ...asked, description: 'For weighing bread.' }));
  writeFileSync(join(apart, 'tiny', 'package.json'), JSON.stringify(tiny));
  writeFileSync(join(apart, 'package-lock.json'), JSON.stringify({ ...asked, lockfileVersion: 3, packages }));
  const install = async () => {
    const child = spawn(process.execPath, [join(import.meta.dirname, 'run.mjs'), '--install', apart]);
    let said = '';
    child.stderr.on('data', (chunk) => {
      said += chunk;
    });
    const code = await new Promise((done) => child.on('close', done));
    return { code, times: said.split('For weighing bread.').length - 1 };
  };
  const both = await Promise.all([install(), install()]);
  expect(both.map(({ code }) => code)).toEqual([0, 0]);
  expect(both.reduce((sum, { times }) => sum + times, 0)).toBe(1);
  expect(JSON.parse(readFileSync(join(apart, 'node_modules/tiny/package.json'), 'utf8'))).toEqual(tiny);
  expect(await install()).toEqual({ code: 0, times: 0 });
});

/** Does as npm does on the host's Node (`ci` leaves optional packages out) and on the pinned one (`install` brings them). */
const NPM_ON_AN_OLD_NODE = `
  const fs = require('node:fs');
  const { basename, resolve } = require('node:path');
  fs.appendFileSync('calls', process.argv[2] + ' ' + basename(resolve(process.execPath, '../..')) + '\\n');
  const put = (name) => {
    fs.mkdirSync('node_modules/' + name, { recursive: true });
    fs.writeFileSync('node_modules/' + name + '/package.json', JSON.stringify({ name, version: '1.0.0' }));
  };
  if (process.argv[2] === 'ci') {
    put('always');
    fs.writeFileSync('node_modules/.package-lock.json', '{}');
  } else if (!process.env.REGISTRY_DOWN) put('extra');
`;

test.each([
  { case: 'the pinned Node brings what npm left out on an older one', down: '', calls: 2, said: undefined },
  {
    case: 'what cannot be had is named, and asked for once',
    down: '1',
    calls: 2,
    said: 'could not be installed: extra.',
  },
])('$case', ({ down, calls, said }) => {
  const apart = mkdtempSync(join(folder, 'skipped-'));
  const asked = { name: 'skipped', version: '1.0.0', description: 'For a test.' };
  const packages = {
    '': asked,
    'node_modules/always': { version: '1.0.0' },
    'node_modules/extra': { version: '1.0.0', optional: true, engines: { node: '>=22.15.0' } },
    'node_modules/elsewhere': { version: '1.0.0', optional: true, os: ['aix'] },
    'node_modules/nobody-asks': { version: '1.0.0', optional: true, peer: true },
  };
  writeFileSync(join(apart, 'package.json'), JSON.stringify(asked));
  writeFileSync(join(apart, 'package-lock.json'), JSON.stringify({ ...asked, lockfileVersion: 3, packages }));
  writeFileSync(join(apart, 'npm-cli.js'), NPM_ON_AN_OLD_NODE);
  const install = () =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'run.mjs'), '--install', apart], {
      encoding: 'utf8',
      env: { ...process.env, npm_execpath: join(apart, 'npm-cli.js'), npm_config_omit: '', REGISTRY_DOWN: down },
    });
  const first = install();
  expect(first.status).toBe(0);
  if (said === undefined) expect(first.stderr).not.toContain('could not');
  else expect(first.stderr).toContain(said);
  expect(install()).toMatchObject({ status: 0, stderr: '' });
  const lines = readFileSync(join(apart, 'calls'), 'utf8').trim().split('\n');
  expect(lines).toHaveLength(calls);
  expect(lines[1]).toBe(`install node-${process.platform}-${process.arch}`);
});

test('answers a missing or surplus word with usage and exit code 2', () => {
  expect(run()).toMatchObject({ status: 2, stdout: '' });
  expect(run('--install', 'x').stderr).toContain('got x');
  expect(run('--install', 'server/test/e2e/clients', 'x').stderr).toContain('got server/test/e2e/clients x');
});

test('--help of a file with options and no help of its own is what its head says', () => {
  const path = script(
    'bench.ts',
    `/**\n * What it measures. \`--json\` prints one object.\n */\nimport { parseArgs } from 'node:util';\nparseArgs({});\n`,
  );
  expect(run(path, '--help')).toMatchObject({ status: 0, stdout: 'What it measures. `--json` prints one object.\n' });
  expect(run(path, '--other').status).not.toBe(0);
});

test.each(filesWithOptions)('%s says in its head what it takes', (file) => {
  const text = readFileSync(join(import.meta.dirname, file), 'utf8');
  const options = [...text.matchAll(/^ {4,6}'?([\w-]+)'?: \{ type: /gm)].map(([, name]) => `--${name}`);
  const { status, stdout } = run(file, '--help');
  expect(status).toBe(0);
  expect(options.filter((name) => !stdout.includes(name))).toEqual([]);
});

test.each(filesWithOptions)('%s refuses an option that it does not have, in one line', (file) => {
  const { status, stdout, stderr } = run(file, '--no-such-option=1');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(/^\S+ takes (no option|--.*), got --no-such-option\nSee it with --help\.\n$/);
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

test.each(['tool-router', 'run-pipeline', 'run-ssid', 'doctor'])('%s runs through a link as well', (name) => {
  const link = join(folder, `linked-${name}`);
  symlinkSync(join(import.meta.dirname, name), link);
  const { status, stdout } = spawnSync(link, ['--version'], { encoding: 'utf8' });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
});
