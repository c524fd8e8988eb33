/** What goes between a client and a call under way: progress, the log level, cancellation that reaches the platform. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterEach, expect, test } from 'vitest';
import { type Serving, serving } from '../testing/serving.ts';

const closers: (() => Promise<unknown> | undefined)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});

async function connected(router: Serving): Promise<Client> {
  const client = new Client({ name: 'exchange', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(router.url)) as never);
  closers.push(() => client.close());
  return client;
}

async function routed(variables: Record<string, string> = {}): Promise<Serving> {
  const router = await serving(variables);
  closers.push(() => router[Symbol.asyncDispose]());
  return router;
}

test('a batch tells how far it is, to a caller who asked', async () => {
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

function abortable(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: () => controller.abort() };
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
