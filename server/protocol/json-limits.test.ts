/** Messages that are JSON and yet nothing to work with: over both transports and both eras they get an answer, and never a 500. */
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRouter, type Router, type Served } from '../router.ts';
import { createLogger } from '../telemetry/logger.ts';
import { startProcess } from '../test/support/running-process.ts';
import { type SampleInstallation, sampleInstallation } from '../test/support/sample-installation.ts';
import { jsonProblem, MAX_DEPTH } from './json-limits.ts';

const DEEP = 100_000;
const lists = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
const call = (name: string, args: string) =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${args}}}`;

/** Refused before the protocol sees them. */
const MESSAGES: [string, string][] = [
  ['lists as the message', lists(DEEP)],
  ['objects as the message', objects(DEEP)],
  ['deep parameters', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${objects(DEEP)}}`],
  ['deep metadata', `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":${lists(DEEP)}}}}`],
  ['half a pair in the method', '{"jsonrpc":"2.0","id":1,"method":"tools/\\ud800"}'],
  ['half a pair in the id', '{"jsonrpc":"2.0","id":"\\udfff","method":"ping"}'],
  ['half a pair in a key', '{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"\\ud83d":1}}}'],
  ['half a pair in the name of a tool', call('find\\ud800', '{}')],
];

/** Arguments that no tool gets. */
const ARGUMENTS: [string, string, string][] = [
  ['find_tool', '{"query":"sites \\ud800"}', '/query'],
  ['find_tool', '{"query":"\\udc00\\ud800"}', '/query'],
  ['find_tool', '{"\\udfff":"x"}', '/\ufffd'],
  ['invoke_read_tool', '{"name":"mgmt_get_site","arguments":{"id":"\\ud800"}}', '/arguments/id'],
  ['invoke_tool', '{"name":"mgmt_update_site","arguments":{"id":"1","body":{"a":["\\ude00"]}}}', '/arguments/body/a/0'],
];

let installation: SampleInstallation;
let router: Router;
let served: Served;
beforeAll(async () => {
  installation = sampleInstallation();
  router = await openRouter(
    installation.config({ MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0' }),
    createLogger('silent'),
  );
  served = await router.serveHttp();
});
afterAll(async () => {
  await served.close();
  router.close();
  installation[Symbol.dispose]();
});

interface Answer {
  result?: { isError?: boolean; content?: { text: string }[] };
}

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(served.url, { method: 'POST', headers: { ...HEADERS, ...headers }, body });

const initialize = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

async function session(): Promise<Record<string, string>> {
  const opened = await post(JSON.stringify(initialize(0)));
  await opened.text();
  return { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
}

describe('over HTTP', () => {
  test.each(MESSAGES)('%s are 400, in a session and without one', async (_, message) => {
    for (const headers of [{}, await session(), { 'mcp-protocol-version': '2026-07-28' }]) {
      const response = await post(message, headers);
      const body = (await response.json()) as { error: { code: number; message: string } };
      expect([response.status, body.error.code]).toEqual([400, -32600]);
      expect(body.error.message.length).toBeLessThan(400);
      expect(body.error.message.isWellFormed()).toBe(true);
    }
  });

  test(`${MAX_DEPTH} levels are refused, those of a real request are not`, async () => {
    const headers = await session();
    for (const name of ['find_tool', 'invoke_tool']) {
      const deep = await post(call(name, `{"query":${lists(DEEP)}}`), headers);
      expect([deep.status, (await deep.text()).includes('-32600')]).toEqual([400, true]);
    }
    const real = await post(call('find_tool', `{"query":${JSON.stringify(objects(30))}}`), headers);
    expect(real.status).toBe(200);
  });

  test.each(ARGUMENTS)('%s refuses %s with its place', async (name, args, pointer) => {
    const response = await post(call(name, args), await session());
    const text = await response.text();
    expect(response.status).toBe(200);
    const answer = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? '{}') as {
      result: { isError: boolean; content: { text: string }[] };
    };
    expect(answer.result.isError).toBe(true);
    expect(JSON.parse(answer.result.content[0]?.text ?? '')).toMatchObject({
      code: 'invalid_arguments',
      pointer,
      expected: 'text in Unicode',
      got: 'half of a surrogate pair',
    });
  });

  test('a whole pair is a letter like any other', async () => {
    const response = await post(call('find_tool', '{"query":"list sites \\ud83d\\ude00"}'), await session());
    expect(await response.text()).not.toContain('invalid_arguments');
  });
});

test('over stdio every one of them gets an answer, and the process lives on', async () => {
  const own = {
    SVC_MCP_STATE_DIR: join(installation.root, 'own-state'),
    SVC_MCP_CONFIG_DIR: join(installation.root, 'own-config'),
    TOKEN_CACHE_DIR: join(installation.root, 'own-cache'),
    SVC_MCP_TOOLSETS: 'mgmt',
  };
  const child = startProcess(process.execPath, [new URL('../cli/router.mjs', import.meta.url).pathname], {
    cwd: installation.root,
    env: { ...process.env, ...own },
    stdin: { open: true },
  });
  const answers = new Map<number, Answer>();
  createInterface({ input: child.process.stdout }).on('line', (line) => {
    const answer = JSON.parse(line) as Answer & { id: number };
    answers.set(answer.id, answer);
  });
  const ask = async (message: string, id: number) => {
    child.process.stdin.write(`${message.replace('"id":1,', `"id":${id},`)}\n`);
    await expect.poll(() => answers.has(id)).toBe(true);
    return answers.get(id);
  };
  await ask(JSON.stringify(initialize(1)), 100);
  let id = 101;
  for (const [name, args, pointer] of [...ARGUMENTS, ['find_tool', `{"query":${lists(DEEP)}}`, '/query']] as const) {
    const answer = await ask(call(name, args), id++);
    expect(answer?.result?.isError).toBe(true);
    const refusal = JSON.parse(answer?.result?.content?.[0]?.text ?? '') as { code: string; pointer: string };
    expect(refusal.code).toBe('invalid_arguments');
    expect(refusal.pointer.startsWith(pointer)).toBe(true);
  }
  child.process.stdin.write(`${lists(DEEP)}\n`);
  expect((await ask('{"jsonrpc":"2.0","id":1,"method":"ping"}', id))?.result).toEqual({});
  expect(await child.stop()).toMatchObject({ code: 0 });
});

test.each([
  [{ a: ['\ud800'] }, '/a/0'],
  [{ 'a/b~c': { '\udc00': 1 } }, '/a~1b~0c/\ufffd'],
  ['\udfff', ''],
])('%j is told by its place', (value, pointer) => {
  expect(jsonProblem(value)?.pointer).toBe(pointer);
});

test.each([[null], [1], ['\ud83d\ude00'], [{ ключ: ['слово', '字', 'é'] }]])('%j is fine', (value) => {
  expect(jsonProblem(value)).toBeUndefined();
});
