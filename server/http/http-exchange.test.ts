/**
 * Messages between a client and an in-flight call: progress, the log level, and cancellation that reaches the
 * platform.
 */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { LoggingMessageNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, describe, expect, test } from 'vitest';
import { legacyRequest, modernRequest } from '../test/support/modern-client.ts';
import { type Serving, serving } from '../test/support/serving.ts';
import { sessionClient } from '../test/support/session-client.ts';

const closers: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(router: Serving): Promise<Client> {
  const { client } = await sessionClient(router.url);
  closers.push(() => client.close());
  return client;
}

async function routed(variables: Record<string, string> = {}): Promise<Serving> {
  const router = await serving(variables);
  closers.push(() => router[Symbol.asyncDispose]());
  return router;
}

test('a batch reports progress to a caller that asked for it', async () => {
  const client = await connected(await routed());
  const calls = ['id', 'name', 'path'].map((query) => ({ name: 'lookup_api', arguments: { query } }));
  const told: string[] = [];
  await client.callTool(
    { name: 'invoke_read_tool', arguments: { name: 'invoke_read_tool_batch', arguments: { calls } } },
    undefined,
    { onprogress: ({ progress, total, message }) => told.push(`${progress}/${total} ${message}`) },
  );
  expect(told).toEqual(['1/3 lookup_api', '2/3 lookup_api', '3/3 lookup_api']);
});

test('a client may set the level of the messages it wants', async () => {
  const client = await connected(await routed());
  expect(client.getServerCapabilities()?.logging).toEqual({});
  await expect(client.setLoggingLevel('warning')).resolves.toEqual({});
  await expect(client.setLoggingLevel('loud' as never)).rejects.toThrow();
});

test('a cancelled call ends its request to the platform', async () => {
  const { platform, arrived, ended } = await silentPlatform();
  const { port } = platform.address() as AddressInfo;
  const client = await connected(await routed({ SOURCE_BASE_URL: `http://127.0.0.1:${port}` }));
  const { signal, abort } = abortable();
  const call = client.callTool({ name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers' } }, undefined, {
    signal,
  });
  call.catch(() => {});
  await arrived;
  abort();
  await ended;
  await expect(call).rejects.toThrow();
});

test('in 2026-07-28 a client that goes away has cancelled, and its request to the platform ends', async () => {
  const { platform, arrived, ended } = await silentPlatform();
  const { port } = platform.address() as AddressInfo;
  const router = await routed({ SOURCE_BASE_URL: `http://127.0.0.1:${port}` });
  const { signal, abort } = abortable();
  const { headers, body } = modernRequest(READ.name, READ.arguments);
  const call = fetch(router.url, { method: 'POST', headers, body, signal });
  call.catch(() => {});
  await arrived;
  abort();
  await ended;
  await expect(call).rejects.toThrow();
});

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
}

const READ = { name: 'invoke_read_tool', arguments: { name: 'mgmt_list_auth_servers' } };

describe('a call that has to wait', () => {
  test.each([
    ['debug', ['rate_limit_wait info', 'retry_wait warning']],
    ['info', ['rate_limit_wait info', 'retry_wait warning']],
    ['warning', ['retry_wait warning']],
    ['error', []],
  ] as const)('says so in the log of a client that asked for %s', async (level, wanted) => {
    const client = await connected(await routed({ ...(await busyPlatform()), SVC_MCP_RATE_PER_SECOND: '4' }));
    const heard: string[] = [];
    client.setNotificationHandler(LoggingMessageNotificationSchema, ({ params }) => {
      const { event, platform, tool, message, wait_ms } = params.data as Record<string, unknown>;
      expect([platform, tool, params.logger]).toEqual(['mgmt', 'mgmt_list_auth_servers', 'svc-mcp-router']);
      expect(message).toMatch(/mgmt/);
      expect(wait_ms).toBeTypeOf('number');
      heard.push(`${event} ${params.level}`);
    });
    await client.setLoggingLevel(level);
    for (let n = 0; n < 3; n++) expect((await client.callTool(READ)).isError).toBeUndefined();
    expect([...new Set(heard)].sort()).toEqual(wanted);
  });

  test('sends increasing progress to a caller that asked for it', async () => {
    const client = await connected(await routed({ ...(await busyPlatform()), SVC_MCP_RATE_PER_SECOND: '4' }));
    const told: [number, string][] = [];
    const onprogress = ({ progress, message }: { progress: number; message?: string | undefined }) =>
      told.push([progress, message ?? '']);
    for (let n = 0; n < 3; n++) await client.callTool(READ, undefined, { onprogress });
    expect(told[0]).toEqual([1, 'mgmt did not answer (status 503): attempt 2 in 0.0 s']);
    const last = told.slice(told.findLastIndex(([progress]) => progress === 1));
    expect(last.map(([progress]) => progress)).toEqual(last.map((_, n) => n + 1));
    expect(last.map(([, message]) => message).join()).toContain('for the rate budget of mgmt');
  });

  test.each([
    [undefined, []],
    ['info', ['warning']],
    ['error', []],
  ])('in 2026-07-28 the request itself says from which level on: %s', async (level, wanted) => {
    const router = await routed(await busyPlatform());
    const { headers, body } = modernRequest(READ.name, READ.arguments);
    const message = JSON.parse(body) as { params: { _meta: Record<string, unknown> } };
    if (level !== undefined) message.params._meta['io.modelcontextprotocol/logLevel'] = level;
    const answer = await fetch(router.url, { method: 'POST', headers, body: JSON.stringify(message) });
    const messages = [...(await answer.text()).matchAll(/^(?:data: )?(\{.*)$/gm)].map(([, json]) =>
      JSON.parse(json as string),
    );
    expect(messages.at(-1)).toHaveProperty('result.content');
    expect(messages.slice(0, -1).map(({ params }) => params.level)).toEqual(wanted);
  });

  test('a router without sessions knows no log level, so it sends no log message', async () => {
    const router = await routed({ ...(await busyPlatform()), SVC_MCP_STATELESS: '1' });
    const { headers, body } = legacyRequest(READ.name, READ.arguments);
    const answer = await fetch(router.url, { method: 'POST', headers, body });
    const text = await answer.text();
    expect(text).toContain('"content"');
    expect(text).not.toContain('notifications/message');
  });
});

test('a settled call is logged with the request that brought it', async () => {
  const router = await routed(await busyPlatform());
  const { headers, body } = modernRequest(READ.name, READ.arguments);
  await (
    await fetch(router.url, { method: 'POST', headers: { ...headers, 'x-request-id': 'edge-77-abc' }, body })
  ).text();
  const client = await connected(router);
  await client.callTool(READ);
  const lines = router.log.map((line) => JSON.parse(line) as Record<string, unknown>);
  const settled = lines.filter(({ event }) => event === 'dispatch.settled');
  const answered = lines.filter(({ event }) => event === 'http.answered').map(({ request }) => request);
  expect(settled).toHaveLength(2);
  expect(settled[0]).toMatchObject({ request: 'edge-77-abc', tool: 'mgmt_list_auth_servers', outcome: 'success' });
  expect(answered).toEqual(expect.arrayContaining(settled.map(({ request }) => request)));
  for (const { call } of settled) expect(call).toMatch(/^[0-9a-f-]{36}$/);
});

/** Is always busy at first: every read gets 503, and an answer when it is tried again. */
async function busyPlatform(): Promise<Record<string, string>> {
  let reads = 0;
  const platform = createServer((request, response) => {
    response.setHeader('content-type', 'application/json');
    if (request.url?.endsWith('/as/token')) return void response.end('{"access_token":"t","expires_in":7200}');
    reads += 1;
    if (reads % 2 === 1) return void response.writeHead(503, { 'retry-after': '0' }).end('{}');
    response.end('{"auth-server":[{"name":"one"}],"total":1}');
  }).listen(0, '127.0.0.1');
  await once(platform, 'listening');
  closers.push(async () => {
    platform.closeAllConnections();
    platform.close();
  });
  return { SOURCE_BASE_URL: `http://127.0.0.1:${(platform.address() as AddressInfo).port}` };
}

/** Hands out a token and then never answers; says when the read came, and when its connection went. */
async function silentPlatform(): Promise<{ platform: Server; arrived: Promise<void>; ended: Promise<void> }> {
  const came = Promise.withResolvers<void>();
  const went = Promise.withResolvers<void>();
  const platform = createServer((request, response) => {
    if (request.url?.endsWith('/as/token')) {
      response.setHeader('content-type', 'application/json').end('{"access_token":"t","expires_in":7200}');
      return;
    }
    came.resolve();
    response.once('close', () => went.resolve());
  }).listen(0, '127.0.0.1');
  await once(platform, 'listening');
  closers.push(async () => {
    platform.closeAllConnections();
    platform.close();
  });
  return { platform, arrived: came.promise, ended: went.promise };
}
