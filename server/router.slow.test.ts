/** The whole router against the fake platform: both transports, both protocol eras, judged by the fake's ledger. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startFakeApi } from '#fake-api';
import { loadConfig } from './config/config.ts';
import { openRouter } from './router.ts';
import { createLogger } from './telemetry/logger.ts';
import { messageIn, modernMessage } from './test/support/modern-client.ts';
import { startProcess } from './test/support/running-process.ts';
import { type ApproverAnswer, sessionClient } from './test/support/session-client.ts';
import { shippedCatalog } from './test/support/shipped-catalog.ts';

const SECRET = 'demo-secret';
const ROUTER = join(import.meta.dirname, 'cli', 'router.mjs');
const TEMPLATE = '/network-config/v1alpha1/auth-servers/{name}';

let fake: Awaited<ReturnType<typeof startFakeApi>>;
let folder: string;
beforeAll(async () => {
  fake = await startFakeApi({ platformIds: ['mgmt'] });
  folder = mkdtempSync(join(tmpdir(), 'svc-mcp-app-'));
  writeFileSync(
    join(folder, 'credentials.yaml'),
    `mgmt:\n  base_url: ${fake.platforms['mgmt']}\n  client_id: demo-client\n  client_secret: ${SECRET}\n  workspace_id: demo\n`,
    { mode: 0o600 },
  );
});
afterAll(async () => {
  await fake?.close();
  if (folder) rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  await fetch(`${fake.control}/namespaces/default/reset`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
});

interface LedgerLine {
  method: string;
  path: string;
  capability: string;
  status: number;
}

async function ledger(): Promise<LedgerLine[]> {
  const answer = (await (await fetch(`${fake.control}/namespaces/default/ledger`)).json()) as { entries: LedgerLine[] };
  return answer.entries.filter(({ capability }) => capability !== 'auth');
}
const writesOf = (lines: readonly LedgerLine[]) =>
  lines.filter(({ capability }) => capability === 'write' || capability === 'destructive');

function environment(variables: Record<string, string> = {}): Record<string, string> {
  return {
    SVC_MCP_DOTENV: '0',
    CREDS_PATH: join(folder, 'credentials.yaml'),
    TOKEN_CACHE_DIR: join(folder, 'tokens'),
    SVC_MCP_STATE_DIR: join(folder, 'state'),
    SVC_MCP_CATALOG_DIR: shippedCatalog(),
    SVC_MCP_RATE_PER_SECOND: '0',
    SVC_MCP_MGMT_WRITES: '1',
    ...variables,
  };
}

interface Served extends AsyncDisposable {
  url: string;
  log: string[];
}

async function serve(variables: Record<string, string> = {}): Promise<Served> {
  const log: string[] = [];
  const config = loadConfig({
    env: environment({ MCP_TRANSPORT: 'streamable-http', MCP_PORT: '0', ...variables }),
    cwd: folder,
  });
  const router = await openRouter(
    config,
    createLogger('debug', (line) => log.push(line)),
  );
  const { url, close } = await router.serveHttp();
  return {
    url,
    log,
    [Symbol.asyncDispose]: async () => {
      await close();
      router.close();
    },
  };
}

const YES: ApproverAnswer = { action: 'accept', content: { confirm: true } };

interface Answer {
  isError: boolean;
  texts: string[];
  value: Record<string, unknown>;
}

/** One client of either era, over either transport. */
interface Peer extends AsyncDisposable {
  tools: () => Promise<{ name: string; annotations?: object | undefined }[]>;
  call: (name: string, args: Record<string, unknown>) => Promise<Answer>;
  asked: string[];
}

function answerOf(result: { [field: string]: unknown }): Answer {
  const texts = (result['content'] as { text: string }[]).map(({ text }) => text);
  return {
    isError: result['isError'] === true,
    texts,
    value: JSON.parse(texts[0] ?? 'null') as Record<string, unknown>,
  };
}

async function olderPeer(to: string | StdioClientTransport, person: ApproverAnswer | null): Promise<Peer> {
  const { client, asked, [Symbol.asyncDispose]: close } = await sessionClient(to, { person });
  return {
    asked,
    tools: async () => (await client.listTools()).tools,
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    [Symbol.asyncDispose]: close,
  };
}

type Post = (method: string, params: Record<string, unknown>) => Promise<Record<string, unknown>>;

/** 2026-07-28: single requests, each of which says who asks. */
function newerPeer(url: string, person: ApproverAnswer | null): Peer & { post: Post } {
  return peerOverWire(
    person,
    async () => {},
    async (message) => messageIn(await (await fetch(url, { method: 'POST', ...message })).text()),
  );
}

/** The same messages, one per line, to a router process. */
function newerStdioPeer(person: ApproverAnswer | null): Peer & { post: Post } {
  const child = startProcess(process.execPath, [ROUTER], {
    cwd: folder,
    env: { ...environment(), PATH: process.env['PATH'] ?? '' },
    stdin: { open: true },
  });
  const waiting = new Map<number, (message: Record<string, unknown>) => void>();
  createInterface({ input: child.process.stdout }).on('line', (line) => {
    const message = JSON.parse(line) as Record<string, unknown>;
    waiting.get(message['id'] as number)?.(message);
  });
  const close = async () => {
    child.process.stdin.end();
    await child.ended;
  };
  return peerOverWire(person, close, ({ body }, id) => {
    child.process.stdin.write(`${body}\n`);
    return new Promise((resolve) => waiting.set(id, resolve));
  });
}

function peerOverWire(
  person: ApproverAnswer | null,
  close: () => Promise<void>,
  send: (message: ReturnType<typeof modernMessage>, id: number) => Promise<Record<string, unknown>>,
): Peer & { post: Post } {
  const asked: string[] = [];
  let id = 0;
  const post: Post = (method, params) => {
    id += 1;
    return send(modernMessage(method, params, { id, capabilities: person ? { elicitation: {} } : {} }), id);
  };
  const result = async (method: string, params: Record<string, unknown>) =>
    (await post(method, params))['result'] as Record<string, unknown>;
  return {
    asked,
    post,
    tools: async () => (await result('tools/list', {}))['tools'] as { name: string }[],
    call: async (name, args) => {
      let answer = await result('tools/call', { name, arguments: args });
      if (answer['resultType'] === 'input_required' && person) {
        const request = (answer['inputRequests'] as { confirm: { params: { message: string } } }).confirm;
        asked.push(request.params.message);
        answer = await result('tools/call', {
          name,
          arguments: args,
          inputResponses: { confirm: person },
          requestState: answer['requestState'],
        });
      }
      return answerOf(answer);
    },
    [Symbol.asyncDispose]: close,
  };
}

const stdioPeer = (person: ApproverAnswer | null, variables: Record<string, string> = {}) =>
  olderPeer(
    new StdioClientTransport({
      command: process.execPath,
      args: [ROUTER],
      env: { ...environment(variables), PATH: process.env['PATH'] ?? '' },
      cwd: folder,
      stderr: 'ignore',
    }),
    person,
  );

async function firstServer(peer: Peer): Promise<string> {
  const { value } = await peer.call('invoke_read_tool', { name: 'mgmt_list_auth_servers', arguments: { limit: 1 } });
  return (value['items'] as { name: string }[])[0]?.name ?? '';
}

async function changePort(peer: Peer, name: string, port: number): Promise<{ preview: Answer; applied: Answer }> {
  const args = { name, body: { 'auth-port': port } };
  const preview = await peer.call('invoke_tool', { name: 'mgmt_update_auth_server', arguments: args });
  const applied = await peer.call('invoke_tool', {
    name: 'mgmt_update_auth_server',
    arguments: { ...args, dry_run: false, confirm: true, plan_token: preview.value['plan_token'] },
  });
  return { preview, applied };
}

describe('what a client sees', () => {
  test('exactly three tools, honest hints, in at most 3,000 bytes', async () => {
    await using router = await serve();
    await using peer = await olderPeer(router.url, null);
    const tools = await peer.tools();
    expect(tools.map(({ name, annotations }) => [name, annotations])).toEqual([
      ['find_tool', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false }],
      ['invoke_read_tool', { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true }],
      ['invoke_tool', { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: true }],
    ]);
    expect(Buffer.byteLength(JSON.stringify({ tools }))).toBeLessThanOrEqual(3_000);
  });

  test('the list and the instructions together stay under 3,800 bytes', async () => {
    const router = await openRouter(loadConfig({ env: environment(), cwd: folder }), createLogger('silent'));
    const list = JSON.stringify({ tools: router.tools.map(({ definition }) => definition) });
    expect(Buffer.byteLength(list) + Buffer.byteLength(router.instructions)).toBeLessThanOrEqual(3_800);
    router.close();
  });

  test('an unknown public tool is a protocol error that says where backend tools are called', async () => {
    await using router = await serve();
    const peer = newerPeer(router.url, null);
    expect(await peer.post('tools/call', { name: 'mgmt_list_auth_servers', arguments: {} })).toMatchObject({
      error: { code: -32602, message: expect.stringContaining('through invoke_read_tool or invoke_tool') },
    });
  });

  test('find_tool answers an array in one block, a note in a second, and a schema only when asked', async () => {
    await using router = await serve();
    const peer = newerPeer(router.url, null);
    const plain = await peer.call('find_tool', { query: `PATCH ${TEMPLATE}`, top_k: 2 });
    expect(plain.texts).toHaveLength(1);
    const [first] = plain.value as unknown as Record<string, unknown>[];
    expect(first).toMatchObject({
      name: 'mgmt_update_auth_server',
      server: 'mgmt-config',
      read_only: false,
      destructive: false,
      capability: 'write',
    });
    expect(first).not.toHaveProperty('schema');
    const full = (await peer.call('find_tool', { query: `PATCH ${TEMPLATE}`, top_k: 2, include_schema: true }))
      .value as unknown as Record<string, unknown>[];
    expect(full[0]).toMatchObject({ schema: { type: 'object', required: expect.arrayContaining(['name', 'body']) } });
    expect(full[1]).not.toHaveProperty('schema');
    const nothing = await peer.call('find_tool', { query: 'x', platform: 'sdwan' });
    expect(nothing).toMatchObject({
      isError: false,
      texts: ['[]', 'Note: the sdwan platform is not enabled on this router; enabled: mgmt, workspace.'],
    });
    expect(await peer.call('find_tool', { query: 'x', top_k: 11 })).toMatchObject({
      isError: true,
      value: { code: 'invalid_arguments', pointer: '/top_k', got: '11 (number)' },
    });
    expect(await ledger(), 'finding calls nobody').toEqual([]);
  });
});

describe.each([
  ['2025-11-25 over HTTP', async (url: string, person: ApproverAnswer | null) => olderPeer(url, person)],
  ['2025-11-25 over stdio', async (_: string, person: ApproverAnswer | null) => stdioPeer(person)],
  ['2026-07-28 over HTTP', async (url: string, person: ApproverAnswer | null) => newerPeer(url, person)],
  ['2026-07-28 over stdio', async (_: string, person: ApproverAnswer | null) => newerStdioPeer(person)],
] as const)('%s', (_, connect) => {
  test('a confirmed write is previewed, asked about and carried out once', async () => {
    await using router = await serve();
    await using peer = await connect(router.url, YES);
    const name = await firstServer(peer);
    const { preview, applied } = await changePort(peer, name, 1999);
    expect(preview).toMatchObject({
      isError: false,
      value: { status: 'dry_run', object: name, impact: { would_change: [{ field: 'auth-port', to: 1999 }] } },
    });
    expect(peer.asked).toHaveLength(1);
    expect(peer.asked[0]?.split('\n').slice(-2)).toEqual([
      `object: PATCH ${TEMPLATE.replace('{name}', name)}`,
      `operation: PATCH ${TEMPLATE}`,
    ]);
    expect(applied).toMatchObject({
      isError: false,
      value: { object: { 'auth-port': 1999 }, contract: { capability: 'write' } },
    });
    expect((await ledger()).map(({ method, capability, status }) => [method, capability, status])).toEqual([
      ['GET', 'read', 200],
      ['GET', 'read', 200],
      ['GET', 'read', 200],
      ['PATCH', 'write', 200],
    ]);
  });

  test.each([
    ['declines', { action: 'decline' }, 'declined'],
    ['cancels', { action: 'cancel' }, 'cancelled'],
    ['accepts without saying yes', { action: 'accept', content: { confirm: false } }, 'declined'],
  ] as const)('a person who %s stops it', async (_name, action, code) => {
    await using router = await serve();
    await using peer = await connect(router.url, action);
    const { applied } = await changePort(peer, await firstServer(peer), 1999);
    expect(applied).toMatchObject({ isError: true, value: { ok: false, code, status: 409 } });
    expect(writesOf(await ledger())).toEqual([]);
  });

  test('a client that cannot ask is refused, nothing sent', async () => {
    await using router = await serve();
    await using peer = await connect(router.url, null);
    const { applied } = await changePort(peer, await firstServer(peer), 1999);
    expect(applied).toMatchObject({ isError: true, value: { code: 'confirmation_unavailable', status: 409 } });
    expect(writesOf(await ledger())).toEqual([]);
  });
});

describe('2026-07-28: what a client carries back', () => {
  const apply = async (peer: ReturnType<typeof newerPeer>, name: string) => {
    const args = { name, body: { 'auth-port': 1999 } };
    const preview = await peer.call('invoke_tool', { name: 'mgmt_update_auth_server', arguments: args });
    return {
      name: 'invoke_tool',
      arguments: {
        name: 'mgmt_update_auth_server',
        arguments: { ...args, dry_run: false, confirm: true, plan_token: preview.value['plan_token'] },
      },
    };
  };

  test('an answer without our state is asked again, and an altered state is refused', async () => {
    await using router = await serve();
    const peer = newerPeer(router.url, YES);
    const call = await apply(peer, await firstServer(peer));
    expect(await peer.post('tools/call', { ...call, inputResponses: { confirm: YES } })).toMatchObject({
      result: { resultType: 'input_required' },
    });
    const asked = (await peer.post('tools/call', call))['result'] as { requestState: string };
    const altered = `${asked.requestState.slice(0, -2)}${asked.requestState.endsWith('AA') ? 'BB' : 'AA'}`;
    expect(
      await peer.post('tools/call', { ...call, inputResponses: { confirm: YES }, requestState: altered }),
    ).toMatchObject({ error: { code: -32602 } });
    expect(writesOf(await ledger())).toEqual([]);
  });

  test('a state does not confirm other arguments, and confirms once', async () => {
    await using router = await serve();
    const peer = newerPeer(router.url, YES);
    const name = await firstServer(peer);
    const call = await apply(peer, name);
    const asked = (await peer.post('tools/call', call))['result'] as { requestState: string };
    const other = await apply(peer, name);
    const crossed = await peer.post('tools/call', {
      ...other,
      inputResponses: { confirm: YES },
      requestState: asked.requestState,
    });
    expect(answerOf(crossed['result'] as Record<string, unknown>)).toMatchObject({
      isError: true,
      value: { code: 'declined' },
    });
    expect(writesOf(await ledger())).toEqual([]);
    const confirmed = { ...call, inputResponses: { confirm: YES }, requestState: asked.requestState };
    expect(answerOf((await peer.post('tools/call', confirmed))['result'] as Record<string, unknown>).isError).toBe(
      false,
    );
    expect(answerOf((await peer.post('tools/call', confirmed))['result'] as Record<string, unknown>)).toMatchObject({
      isError: true,
      value: { code: 'confirmation_required' },
    });
    expect(writesOf(await ledger())).toHaveLength(1);
  });

  test('a state of this era does not confirm on a 2025-11-25 connection', async () => {
    await using router = await serve();
    const peer = newerPeer(router.url, YES);
    const call = await apply(peer, await firstServer(peer));
    const asked = (await peer.post('tools/call', call))['result'] as { requestState: string };
    const { client } = await sessionClient(router.url, { person: { action: 'decline' } });
    await client
      .callTool({ ...call, inputResponses: { confirm: YES }, requestState: asked.requestState } as Parameters<
        Client['callTool']
      >[0])
      .catch(() => {});
    await client.close();
    expect(writesOf(await ledger())).toEqual([]);
  });
});

describe('sessions', () => {
  test('without sessions a 2025-11-25 client reads, and cannot confirm', async () => {
    await using router = await serve({ SVC_MCP_STATELESS: '1' });
    await using peer = await olderPeer(router.url, YES);
    const { applied } = await changePort(peer, await firstServer(peer), 1999);
    expect(applied).toMatchObject({ isError: true, value: { code: 'confirmation_unavailable' } });
    expect(writesOf(await ledger())).toEqual([]);
  });

  test.each([
    ['an unknown session is 404', { 'mcp-session-id': 'none' }, 404],
    ['no session is 400', {}, 400],
  ])('%s', async (_, headers, status) => {
    await using router = await serve();
    const response = await fetch(router.url, {
      method: 'POST',
      headers: {
        accept: 'application/json, text/event-stream',
        'content-type': 'application/json',
        ...(headers as Record<string, string>),
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    });
    expect(response.status).toBe(status);
    expect(await response.json()).toMatchObject({
      jsonrpc: '2.0',
      error: { code: expect.any(Number), message: expect.any(String) },
    });
  });
});

test('a diagnostic starts, names its poll, and needs no gate and no approval', async () => {
  await using router = await serve({ SVC_MCP_MGMT_WRITES: '0' });
  const peer = newerPeer(router.url, null);
  const { value } = await peer.call('invoke_read_tool', { name: 'mgmt_list_aps', arguments: { limit: 1 } });
  const serialNumber = (value['items'] as { serialNumber: string }[])[0]?.serialNumber;
  const started = await peer.call('invoke_tool', {
    name: 'mgmt_start_ap_ping',
    arguments: { serialNumber, body: { destination: '10.0.0.1' } },
  });
  const poll = started.value['poll'] as { tool: string; arguments: Record<string, unknown> };
  expect(poll).toMatchObject({ tool: 'mgmt_get_ap_ping_result', arguments: { serialNumber } });
  expect(await peer.call('invoke_read_tool', { name: poll.tool, arguments: poll.arguments })).toMatchObject({
    isError: false,
    value: { status: expect.any(String) },
  });
  expect((await ledger()).map(({ capability }) => capability)).toEqual(['read', 'diagnostic', 'poll']);
});

test('an unreachable platform is named by host and port, and no secret is in any answer or log line', async () => {
  await using router = await serve({
    SOURCE_BASE_URL: 'http://127.0.0.1:9/mgmt',
    TOKEN_CACHE_DIR: join(folder, 'other-tokens'),
    SVC_MCP_CALL_TIMEOUT_SECONDS: '5',
  });
  const peer = newerPeer(router.url, null);
  const answer = await peer.call('invoke_read_tool', { name: 'mgmt_list_aps' });
  expect(answer).toMatchObject({
    isError: true,
    value: { code: 'upstream_error', status: 502, message: expect.stringContaining('127.0.0.1:9') },
  });
  expect(JSON.stringify(answer) + router.log.join('')).not.toContain(SECRET);
});

test('under a read-only profile no call of any kind writes', async () => {
  await using router = await serve({ SVC_MCP_MGMT_WRITES: '0', SVC_MCP_ACCESS_PROFILE: 'safe-read-only' });
  const peer = newerPeer(router.url, YES);
  const name = await firstServer(peer);
  const { applied } = await changePort(peer, name, 1999);
  expect(applied).toMatchObject({ isError: true, value: { code: 'blocked', gate: { source: 'ACCESS_PROFILE' } } });
  const found = (await peer.call('find_tool', { query: 'change the port of an authentication server', top_k: 10 }))
    .value as unknown as { capability: string }[];
  expect(found.filter(({ capability }) => capability === 'write' || capability === 'destructive')).toEqual([]);
  expect(writesOf(await ledger())).toEqual([]);
});
