/** The setup writes into the folder that the harness starts its routers in: neither may disturb the other. */
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { packageRoot } from '../../config/config.ts';
import { startProcess } from '../support/running-process.ts';

let folder: string;
let home: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'setup-and-start-'));
  home = mkdtempSync(join(tmpdir(), 'setup-and-start-home-'));
  // The working folder of the routers, as a checkout is, with the programs of this one.
  for (const name of ['server', 'fake-api', 'node_modules', 'package.json'])
    symlinkSync(join(packageRoot, name), join(folder, name));
});
afterEach(() => {
  for (const path of [folder, home]) rmSync(path, { recursive: true, force: true });
});

const run = (file: string, ...words: string[]) =>
  startProcess(process.execPath, [join(packageRoot, file), ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'] ?? '', HOME: home },
  }).ended;

const setup = (...words: string[]) =>
  run(
    'server/cli/setup.mjs',
    ...['--directory', folder, '--yes', '--skip-install', '--skip-catalog', '--skip-doctor', ...words],
  );

const written = () =>
  ['config', 'secrets']
    .flatMap((name) =>
      readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((at) => join(name, at)),
    )
    .concat('.env')
    .filter((path) => statSync(join(folder, path)).isFile())
    .map((path) => [path, readFileSync(join(folder, path), 'utf8')]);

test('setup, a run of the harness, setup again', async () => {
  const secret = join(home, 'secret');
  mkdirSync(home, { recursive: true });
  writeFileSync(secret, 'a-secret-typed-by-a-person\n', { mode: 0o600 });
  const answers = [
    ...['--account', 'nac.base_url=https://api.nac.test', '--secret-file', `nac.client_secret=${secret}`],
    ...['--products', 'nac', '--access-profile', 'safe-read-only', '--router-mode', 'direct', '--port', '8123'],
  ];
  expect(await setup(...answers)).toMatchObject({ code: 0, stderr: '' });
  const before = written();
  expect(Object.fromEntries(before)['.env']).toMatch(/^SVC_MCP_ACCESS_PROFILE=safe-read-only$/m);

  const scenario = ['--filter', 'nac/access-device-on-file', '--agent', 'oracle', '--transport', 'http,stdio'];
  const played = await run(
    'harness/cli/harness.ts',
    ...['run', '--subject-root', folder, ...scenario, '--out', join(home, 'run')],
  );
  expect({ code: played.code, stderr: played.stderr }).toEqual({
    code: 0,
    stderr: expect.not.stringContaining('_FAILED'),
  });

  expect(written()).toEqual(before);
  expect(await setup()).toMatchObject({ code: 0, stdout: expect.not.stringContaining('[written]') });
});
