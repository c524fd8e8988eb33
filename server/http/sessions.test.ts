import { Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';
import { describe, expect, test, vi } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { modernMessage, modernRequest } from '../test/support/modern-client.ts';
import type { GuardedRaw } from './guard.ts';
import { addMcp } from './mcp.ts';
import type { SessionLimits } from './sessions.ts';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
});

/** `turn`: what a request waits for before anything is done with it. */
async function serving(limits: SessionLimits, turn: () => Promise<void> = async () => {}) {
  const app = Fastify({ forceCloseConnections: true });
  const calls: string[] = [];
  const left: string[] = [];
  // Whom the guard recognised by a bearer token; here each caller says it.
  app.addHook('onRequest', async (request) => {
    const clientId = String(request.headers['x-principal'] ?? '');
    (request.raw as GuardedRaw).auth = { token: '', clientId, scopes: [], extra: { access: { maxSessions: 4 } } };
  });
  app.addHook('preHandler', async (request, reply) => {
    reply.raw.once('close', () => left.push(request.id));
    await turn();
  });
  const sessions = addMcp(app, {
    factory: () => {
      const server = new Server({ name: 's', version: '1' }, { capabilities: { tools: { listChanged: true } } });
      server.setRequestHandler('tools/call', async ({ params }) => {
        calls.push(params.name);
        // One that waits for its platform for ever.
        return params.name === 'slow' ? new Promise(() => undefined) : { content: [] };
      });
      return server;
    },
    stateless: false,
    limits,
    logger: createLogger('silent'),
  });
  const address = await app.listen({ port: 0, host: '127.0.0.1' });
  const post = (headers: Record<string, string>, body: string) =>
    fetch(`${address}/mcp`, { method: 'POST', headers: { ...HEADERS, ...headers }, body });
  return {
    address,
    sessions,
    calls,
    left,
    post,
    get: (headers: Record<string, string>) =>
      fetch(`${address}/mcp`, { headers: { accept: 'text/event-stream', ...headers } }),
    open: async (headers: Record<string, string> = {}) => {
      const response = await post(headers, INITIALIZE);
      await response.text();
      return {
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        id: response.headers.get('mcp-session-id') ?? '',
      };
    },
    remove: (id: string, headers: Record<string, string> = {}) =>
      fetch(`${address}/mcp`, { method: 'DELETE', headers: { 'mcp-session-id': id, ...headers } }),
    [Symbol.asyncDispose]: () => app.close(),
  };
}

const PING = JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'ping' });

test('at the cap a new client is asked to come back later, and a closed session makes room', async () => {
  await using server = await serving({ ttlMs: 60_000, max: 2 });
  const first = await server.open();
  await server.open();
  expect(await server.open()).toMatchObject({ status: 503, retryAfter: '5' });
  expect((await server.remove(first.id)).status).toBe(200);
  expect((await server.open()).status).toBe(200);
  expect(server.sessions.size).toBe(2);
});

test('an idle session ends after its time, and its client gets 404', async () => {
  await using server = await serving({ ttlMs: 1_000, max: 8 });
  const { id } = await server.open();
  expect((await server.post({ 'mcp-session-id': id }, PING)).status).toBe(200);
  await expect.poll(() => server.sessions.size).toBe(0);
  expect((await server.post({ 'mcp-session-id': id }, PING)).status).toBe(404);
});

test('a clock that jumps ahead ends no session that is in use', async () => {
  await using server = await serving({ ttlMs: 1_000, max: 8 });
  const session = { 'mcp-session-id': (await server.open()).id };
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  try {
    for (let n = 0; n < 8; n++) {
      expect((await server.post(session, PING)).status).toBe(200);
      vi.setSystemTime(Date.now() + 3_600_000);
      await new Promise((done) => setTimeout(done, 200));
    }
  } finally {
    vi.useRealTimers();
  }
});

describe('a client that leaves while its request waits for its turn', () => {
  async function leaving(send: (server: Awaited<ReturnType<typeof serving>>) => Promise<RequestInit>) {
    let turn = Promise.resolve();
    const server = await serving({ ttlMs: 1_000, max: 8 }, () => turn);
    const init = await send(server);
    const { promise, resolve } = Promise.withResolvers<void>();
    turn = promise;
    const { length } = server.left;
    const client = new AbortController();
    const asked = fetch(`${server.address}/mcp`, { method: 'POST', ...init, signal: client.signal });
    asked.catch(() => undefined);
    // The request is there before its client goes.
    await new Promise((done) => setTimeout(done, 100));
    client.abort();
    await expect.poll(() => server.left.length).toBe(length + 1);
    resolve();
    await new Promise((done) => setTimeout(done, 100));
    return server;
  }

  test('has nothing called', async () => {
    await using server = await leaving(async () => modernRequest('write', {}));
    expect(server.calls).toEqual([]);
    await (await fetch(`${server.address}/mcp`, { method: 'POST', ...modernRequest('read', {}) })).text();
    expect(server.calls).toEqual(['read']);
  });

  test('does not keep its session for ever', async () => {
    await using server = await leaving(async ({ open }) => {
      const { id } = await open();
      return { headers: { ...HEADERS, 'mcp-session-id': id }, body: PING };
    });
    expect(server.sessions.size).toBe(1);
    await expect.poll(() => server.sessions.size, { timeout: 5_000 }).toBe(0);
  });
});

const callOf = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } });
const cancelOf = (requestId: number) =>
  JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

test('the answer of a cancelled call ends, and its session is idle again', async () => {
  await using server = await serving({ ttlMs: 1_000, max: 8 });
  const session = { 'mcp-session-id': (await server.open()).id };
  const call = await server.post(session, JSON.stringify(callOf(2, 'slow')));
  await expect.poll(() => server.calls).toEqual(['slow']);
  expect((await server.post(session, cancelOf(3))).status).toBe(202);
  expect((await server.post(session, cancelOf(2))).status).toBe(202);
  expect(await call.text()).toBe('');
  await expect.poll(() => server.sessions.size, { timeout: 5_000 }).toBe(0);
});

test('of a batch the answers of the calls that were not cancelled come', async () => {
  await using server = await serving({ ttlMs: 60_000, max: 8 });
  const session = { 'mcp-session-id': (await server.open()).id };
  const batch = await server.post(session, JSON.stringify([callOf(2, 'slow'), callOf(3, 'quick')]));
  await expect.poll(() => server.calls).toEqual(['slow', 'quick']);
  expect((await server.post(session, cancelOf(2))).status).toBe(202);
  const reader = batch.body!.getReader();
  expect(String(Buffer.from((await reader.read()).value!))).toContain('"id":3');
  const ended = reader.read().then(() => 'ended');
  expect(await Promise.race([ended, new Promise((done) => setTimeout(done, 200, 'open'))])).toBe('open');
});

test('a client that lost its stream of notifications opens it anew, while the router still holds the earlier one', async () => {
  await using server = await serving({ ttlMs: 60_000, max: 8 });
  const session = { 'mcp-session-id': (await server.open()).id };
  const lost = await server.get(session);
  const ended = lost.text();
  const again = await server.get(session);
  expect(again.status).toBe(200);
  expect(await ended).toBe('');
  server.sessions.tellToolsChanged();
  expect(String(Buffer.from((await again.body!.getReader().read()).value!))).toContain('tools/list_changed');
});

test('a principal has as many subscriptions as sessions; others get theirs, and one that ends makes room', async () => {
  await using server = await serving({ ttlMs: 60_000, max: 64 });
  const listen = async (principal: string) => {
    const leave = new AbortController();
    const { headers, body } = modernMessage('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const response = await fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'x-principal': principal },
      body,
      signal: leave.signal,
    });
    return { status: response.status, retryAfter: response.headers.get('retry-after'), leave };
  };
  const held = await Promise.all(Array.from({ length: 4 }, () => listen('heavy')));
  expect(held.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await listen('heavy')).toMatchObject({ status: 503, retryAfter: '5' });
  expect((await listen('light')).status).toBe(200);
  held[0]?.leave.abort();
  await expect.poll(async () => (await listen('heavy')).status).toBe(200);
});

test('a session does not exist for another principal: it reads nothing of it, cannot use it, and cannot end it', async () => {
  await using server = await serving({ ttlMs: 60_000, max: 8 });
  const owner = { 'x-principal': 'first' };
  const { id } = await server.open(owner);
  const session = { 'mcp-session-id': id };
  for (const other of [{ 'x-principal': 'second' }, { 'x-principal': 'firs' }, {} as Record<string, string>]) {
    const refused = await server.post({ ...session, ...other }, PING);
    expect(refused.status).toBe(404);
    const unknown = await server.post({ 'mcp-session-id': crypto.randomUUID(), ...other }, PING);
    // The answer does not reveal whether the session exists.
    expect(await refused.json()).toEqual(await unknown.json());
    expect((await server.get({ ...session, ...other })).status).toBe(404);
    expect((await server.remove(id, other)).status).toBe(404);
  }
  expect((await server.post({ ...session, ...owner }, PING)).status).toBe(200);
  expect((await server.remove(id, owner)).status).toBe(200);
  expect(server.sessions.size).toBe(0);
});

test.each([
  ['null in its capabilities', { capabilities: { elicitation: null }, clientInfo: { name: 't', version: '1' } }],
  ['no version of its client', { capabilities: {}, clientInfo: { name: 't' } }],
])('an initialize with %s is told what it should have, and opens no session', async (_, params) => {
  await using router = await serving({ ttlMs: 60_000, max: 4 });
  const message = { ...JSON.parse(INITIALIZE), params: { protocolVersion: '2025-06-18', ...params } };
  const response = await router.post({}, JSON.stringify(message));
  const { error } = (await response.json()) as { error: { code: number; message: string } };
  expect([response.status, error.code]).toEqual([400, -32602]);
  expect(error.message).toContain('clientInfo (name and version');
  expect(router.sessions.size).toBe(0);
});
