/** Servers that are broken in every usual way: each try ends within its limits, with a code and nothing left running. */
import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from '../cli/harness.ts';
import { freePort } from '../test/free-port.ts';
import { PETS } from '../test/pets-document.ts';

const SERVER = join(import.meta.dirname, '..', 'test', 'broken-server.mjs');
const LONGEST_MS = 45_000;
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'broken-servers-'));
  await writeFile(join(folder, 'pets.json'), JSON.stringify(PETS));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function tried(...options: string[]): Promise<{ exit: number; stdout: string; stderr: string; tookMs: number }> {
  const said = { stdout: '', stderr: '' };
  const write = (stream: 'stdout' | 'stderr', text: string) => {
    said[stream] += text;
  };
  const begun = performance.now();
  const exit = await main(
    [
      'try',
      '--start-seconds',
      '4',
      '--call-seconds',
      '1',
      '--malformed',
      '40',
      '--out',
      join(folder, 'out'),
      ...options,
    ],
    {
      stdout: { write: (text: string) => write('stdout', text) },
      stderr: { write: (text: string) => write('stderr', text), isTTY: false } as never,
      env: { INIT_CWD: folder },
    },
  );
  return { exit, ...said, tookMs: performance.now() - begun };
}

/** Command lines of processes that still run and name the broken server. */
function leftRunning(): string[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const line = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const isZombie = /^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
        return line.includes(SERVER) && !isZombie ? [line] : [];
      } catch {
        return [];
      }
    });
}

test.each([
  ['never-ready', 3, 'SERVER_NOT_READY'],
  ['dies-at-start', 3, 'SERVER_DIED'],
  ['dies-at-initialize', 3, 'SERVER_DIED'],
  ['dies-at-list', 3, 'SERVER_DIED'],
  ['endless-stream', 3, 'SERVER_'],
  ['endless-notifications', 3, 'SERVER_NOT_READY'],
  ['wrong-json', 3, 'SERVER_NOT_READY'],
  ['wrong-version', 3, 'SERVER_PROTOCOL'],
  ['wrong-initialize', 3, 'SERVER_PROTOCOL'],
  ['refuses-initialize', 3, 'SERVER_PROTOCOL'],
  ['other-ids', 3, 'SERVER_NOT_READY'],
  ['closes-stdout', 3, 'SERVER_NOT_READY'],
  ['pages-for-ever', 3, 'SERVER_LIST_ENDLESS'],
  ['wrong-list', 3, 'SERVER_PROTOCOL'],
  ['never-lists', 3, 'SERVER_NOT_READY'],
  ['too-slow-start', 3, 'SERVER_NOT_READY'],
  ['huge-message', 3, 'SERVER_'],
  ['ignores-signals', 3, 'SERVER_NOT_READY'],
])('over stdio: %s', { timeout: LONGEST_MS }, async (kind, exit, code) => {
  const found = await tried('--command', `node ${SERVER} ${kind}`);
  expect({ exit: found.exit, stderr: found.stderr }).toEqual({ exit, stderr: expect.stringContaining(code) });
  expect(found.stderr).toMatch(/\n {2}remedy: /);
  expect(found.tookMs).toBeLessThan(15_000);
  expect(leftRunning()).toEqual([]);
});

test('of a file that is not there, what Node said is told down to its first line', {
  timeout: LONGEST_MS,
}, async () => {
  const found = await tried('--command', 'node /nowhere/server.js');
  expect(found).toMatchObject({ exit: 3, stderr: expect.stringContaining("Cannot find module '/nowhere/server.js'") });
});

test.each([
  ['ten-thousand-tools', 0, /tools +10000 /],
  ['floods-stderr', 0, /tools +4 /],
  ['slow-start', 0, /start +(1[5-9]|[2-9]\d)\d\d ms/],
  ['dies-on-bad-json', 1, /deaths: expected a server that goes on/],
])('over stdio, and still measured: %s', { timeout: LONGEST_MS }, async (kind, exit, line) => {
  const found = await tried('--command', `node ${SERVER} ${kind}`);
  expect({ exit: found.exit, stderr: found.stderr }).toMatchObject({ exit });
  expect(found.stdout).toMatch(line);
  expect(leftRunning()).toEqual([]);
});

test.each([
  ['dies-at-call', 3, 'SERVER_DIED'],
  ['never-answers-calls', 3, 'SERVER_STALLED'],
  ['wrong-call', 0, 'reachable'],
])('over stdio, asked to play: %s', async (kind, exit, said) => {
  // On a busy machine a server may take a second to die.
  const patience = kind === 'dies-at-call' ? ['--call-seconds', '10'] : [];
  const found = await tried(
    '--command',
    `node ${SERVER} ${kind}`,
    '--openapi',
    'pets.json',
    '--most',
    '40',
    ...patience,
  );
  expect({ exit: found.exit, stdout: found.stdout }).toEqual({ exit, stdout: expect.stringContaining(said) });
  expect(leftRunning()).toEqual([]);
});

test.each([
  ['needs-auth', 2, 'SERVER_AUTH', 'Bearer realm="mcp"'],
  ['redirects', 2, 'SERVER_REDIRECTS', 'http://127.0.0.1:9/mcp'],
  ['not-there', 2, 'SERVER_UNREACHABLE', '404'],
  ['hangs', 3, 'SERVER_NOT_READY', ''],
  ['hangs-up', 2, 'SERVER_UNREACHABLE', ''],
  ['dies-when-asked-again', 3, 'SERVER_DIED', 'Error: the stream is locked'],
  ['answers-html', 3, 'SERVER_PROTOCOL', ''],
  ['endless-events', 3, 'SERVER_NOT_READY', ''],
  ['server-error', 3, 'SERVER_PROTOCOL', ''],
])('over HTTP: %s', { timeout: LONGEST_MS }, async (kind, exit, code, words) => {
  const port = await freePort();
  const command = `node ${SERVER} ${kind} ${port}`;
  const found = await tried('--command', command, '--url', `http://127.0.0.1:${port}/mcp`);
  expect({ exit: found.exit, stderr: found.stderr }).toEqual({ exit, stderr: expect.stringContaining(code) });
  expect(found.stderr).toContain(words);
  expect(found.tookMs).toBeLessThan(15_000);
  expect(leftRunning()).toEqual([]);
});
