/** `npm run call` with what people get wrong: one line says what is wrong and one what to do, and the exit code is that of the table. */
import { join } from 'node:path';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProcess, runProcess, startProcess } from '../running-process.ts';
import { freePort } from '../test/free-port.ts';

const HERE = import.meta.dirname;
const LONGEST_MS = 60_000;
const HEADER = ['--header', 'authorization: Bearer open-sesame'];
let url: string;
let server: RunningProcess;

const isAnswered = () =>
  fetch(url).then(
    () => true,
    () => false,
  );

beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  server = startProcess(process.execPath, [join(HERE, '../test/plain-server.mjs'), '--http', String(port)], {
    env: { ...process.env, SVC_API_URL: 'http://127.0.0.1:9' },
  });
  while (server.isRunning() && !(await isAnswered())) await later(100);
}, LONGEST_MS);
afterAll(async () => {
  server.process.kill('SIGKILL');
  await server.exited;
});

const call = (...words: string[]) => runProcess(process.execPath, [join(HERE, 'call.ts'), ...words], {});

test.each<[string, () => string[], number, RegExp]>([
  [
    'a tool that the server has not',
    () => ['list_pet', '{}', '--url', url, ...HEADER],
    2,
    /^USAGE: .*got "list_pet" \(string\); did you mean "list_pets"\?\n {2}remedy: call one of /,
  ],
  [
    'arguments that are no JSON',
    () => ['list_pets', '{query:x}', '--url', url],
    2,
    /^USAGE: the arguments should be one JSON object, got "\{query:x\}" .*\n {2}remedy: put /,
  ],
  [
    'arguments that are a list',
    () => ['list_pets', '[1]', '--url', url],
    2,
    /^USAGE: the arguments should be one JSON object, got /,
  ],
  [
    'an address without a protocol',
    () => ['list_pets', '{}', '--url', '127.0.0.1:1'],
    2,
    /^USAGE: --url should be an http or https address, got /,
  ],
  [
    'an address that is none',
    () => ['list_pets', '{}', '--url', 'nowhere'],
    2,
    /^USAGE: --url should be an http or https address, got /,
  ],
  [
    'an address where nobody listens',
    () => ['list_pets', '{}', '--url', 'http://127.0.0.1:9/mcp'],
    2,
    /^SERVER_UNREACHABLE: .*\n {2}remedy: start the server, or name its address with --url; /,
  ],
  [
    'a server that wants a credential',
    () => ['list_pets', '{}', '--url', url],
    2,
    /^SERVER_AUTH: .*\n {2}remedy: give a credential with --header /,
  ],
])('%s', { timeout: LONGEST_MS }, async (_, words, code, said) => {
  const found = await call(...words());
  expect({ code: found.code, stdout: found.stdout, stderr: found.stderr }).toEqual({
    code,
    stdout: '',
    stderr: expect.stringMatching(said),
  });
  expect(found.stderr.trimEnd().split('\n')).toHaveLength(2);
});

test('an answer that is an error is exit 1, and is printed', { timeout: LONGEST_MS }, async () => {
  const { code, stdout } = await call('list_pets', '{}', '--url', url, ...HEADER);
  expect({ code, stdout }).toEqual({ code: 1, stdout: expect.stringMatching(/\S/) });
});
