/** `npm run call` with what people get wrong: one line says what is wrong and one what to do, and the exit code is that of the table. */
import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { setTimeout as later } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningProcess, runProcess, startProcess } from '../running-process.ts';
import { freePort } from '../test/free-port.ts';
import { askAtTerminal } from './call.ts';

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

type OnCall = (server: Server, response: ServerResponse, id: unknown) => void;

/** Ends with all its connections while a tool is called. */
const ends: OnCall = (server, response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': wait\n\n');
  setTimeout(() => server.close().closeAllConnections(), 200);
};

/** Answers like a server, but for the call of a tool. */
function serverWith(onCall: OnCall): Server {
  const results: Record<string, object> = {
    initialize: {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {} },
      serverInfo: { name: 'ending', version: '1' },
    },
    'tools/list': { tools: [{ name: 'wait', inputSchema: { type: 'object' } }] },
  };
  const ending = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      const { id, method = '' } = body === '' ? {} : JSON.parse(body);
      if (method === 'tools/call') onCall(ending, response, id);
      else if (results[method] === undefined) response.writeHead(id === undefined ? 202 : 405).end();
      else
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] }));
    });
  });
  return ending.listen(0, '127.0.0.1');
}

test('a server that ends during the call is noticed', { timeout: LONGEST_MS }, async () => {
  const ending = serverWith(ends);
  await once(ending, 'listening');
  const { port } = ending.address() as { port: number };
  const { code, stderr } = await call('wait', '{}', '--url', `http://127.0.0.1:${port}/mcp`);
  expect({ code, stderr }).toEqual({
    code: 3,
    stderr: expect.stringMatching(/^SERVER_DIED: .*\n {2}remedy: start the server again/),
  });
});

test('a server that breaks one connection off during the call is still there', { timeout: LONGEST_MS }, async () => {
  const slow = serverWith((_, response, id) => {
    setTimeout(() => {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, result: { content: [{ type: 'text', text: 'here' }] } }));
    }, 5_000);
  });
  let looks = 0;
  slow.prependListener('request', ({ method, socket }) => {
    if (method === 'HEAD' && ++looks === 1) socket.destroy();
  });
  await once(slow, 'listening');
  const { port } = slow.address() as { port: number };
  const { code, stdout } = await call('wait', '{}', '--url', `http://127.0.0.1:${port}/mcp`);
  expect([code, stdout, looks > 1]).toEqual([0, 'here\n', true]);
  slow.close().closeAllConnections();
});

test.each([
  ['Ctrl-C', '\x03', { action: 'decline' }, true],
  ['no', 'no\r', { action: 'decline' }, false],
  ['yes', 'yes\r', { action: 'accept', content: { confirm: true } }, false],
] as const)('%s at the question', async (_, typed, answer, isInterrupted) => {
  const [input, output] = [new PassThrough(), new PassThrough()].map((end) => Object.assign(end, { isTTY: true }));
  const interrupt = new AbortController();
  const form = { properties: { confirm: { type: 'boolean', title: 'Send it' } } };
  const asked = askAtTerminal('Send?', form as never, interrupt, { input, output } as never);
  input?.write(typed);
  expect(await asked).toEqual(answer);
  expect(interrupt.signal.aborted).toBe(isInterrupted);
});
