/** Every limit is shortened here and met for real: what is cut is cut by the limit plus the checking interval. */
import { connect, Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import { Server } from '@modelcontextprotocol/server';
import { describe, expect, test } from 'vitest';
import { createLogger } from '../telemetry/logger.ts';
import { Connections } from './connections.ts';
import { HTTP_LIMITS, type HttpLimits } from './limits.ts';
import { buildHttp } from './server.ts';

const CHECK_MS = 50;
/** A busy machine may be late; nothing may be early. */
const LATE_MS = 1_500;

async function serving(limits: Partial<HttpLimits>) {
  const app = buildHttp({
    binding: {
      host: '127.0.0.1',
      port: 0,
      checkNames: true,
      allowedHosts: ['localhost', '127.0.0.1:*'],
      allowedOrigins: [],
      open: false,
    },
    credentials: () => ({ path: 'none', exists: false, loadable: false }),
    mcp: {
      factory: () => new Server({ name: 's', version: '1' }, { capabilities: {} }),
      stateless: false,
      limits: { ttlMs: 60_000, max: 8 },
      logger: createLogger('silent'),
    },
    logger: createLogger('silent'),
    limits: { checkEveryMs: CHECK_MS, ...limits },
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const { port } = app.server.address() as { port: number };
  return { port, [Symbol.asyncDispose]: () => app.close() };
}

interface Ending {
  status: number;
  ms: number;
}

/** What becomes of a connection that says this, and then one more byte every so often. */
function ending(port: number, first: string, drip?: { every: number; text: string }): Promise<Ending> {
  return new Promise((resolve) => {
    const began = performance.now();
    const socket: Socket = connect(port, '127.0.0.1');
    let answer = '';
    const timer = drip && setInterval(() => socket.write(drip.text), drip.every);
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      clearInterval(timer);
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1] ?? 0), ms: performance.now() - began });
    });
    if (first !== '') socket.write(first);
  });
}

const HEAD =
  'POST /mcp HTTP/1.1\r\nhost: localhost\r\naccept: application/json, text/event-stream\r\ncontent-type: application/json\r\n';

function between({ ms }: Ending, from: number): void {
  expect(ms).toBeGreaterThan(from - 5);
  expect(ms).toBeLessThan(from + CHECK_MS + LATE_MS);
}

test('headers that come too slowly are cut with 408', async () => {
  await using server = await serving({ headersMs: 300, requestMs: 5_000 });
  const cut = await ending(server.port, HEAD, { every: 20, text: 'x-more: 1\r\n' });
  expect(cut.status).toBe(408);
  between(cut, 300);
});

test('a body that comes too slowly is cut with 408, although bytes keep coming', async () => {
  await using server = await serving({ headersMs: 200, requestMs: 400 });
  const cut = await ending(server.port, `${HEAD}content-length: 5000\r\n\r\n{`, { every: 20, text: ' ' });
  expect(cut.status).toBe(408);
  between(cut, 400);
});

test('a silent connection is closed', async () => {
  await using server = await serving({ headersMs: 250, requestMs: 400, keepAliveMs: 400 });
  between(await ending(server.port, ''), 250);
});

test('a connection that rests after its answer is closed', async () => {
  await using server = await serving({ keepAliveMs: 300, headersMs: 5_000 });
  const closed = await ending(server.port, 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
  expect(closed.status).toBe(200);
  // Node waits a second longer than it announces, so that a client that is just asking again does not lose.
  expect(closed.ms).toBeGreaterThan(295);
  expect(closed.ms).toBeLessThan(300 + 1_000 + LATE_MS);
});

test('headers over their size are 431, a body over its size 413, whether it says so or not', async () => {
  await using server = await serving({ headerBytes: 4_096, bodyBytes: 10_000 });
  const long = `x-long: ${'x'.repeat(5_000)}\r\n`;
  expect((await ending(server.port, `${HEAD}${long}\r\n`)).status).toBe(431);
  expect((await ending(server.port, `${HEAD}connection: close\r\ncontent-length: 10001\r\n\r\n{`)).status).toBe(413);
  const chunk = `1000\r\n${' '.repeat(0x1000)}\r\n`;
  const chunked = `${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n${chunk.repeat(4)}0\r\n\r\n`;
  expect((await ending(server.port, chunked)).status).toBe(413);
});

test('a packed body is not unpacked', async () => {
  await using server = await serving({});
  const bomb = gzipSync(Buffer.alloc(50_000_000, ' ')).toString('latin1');
  const head = `${HEAD}connection: close\r\ncontent-encoding: gzip\r\ncontent-length: ${bomb.length}\r\n\r\n`;
  const { status } = await ending(server.port, head + bomb);
  expect([400, 415]).toContain(status);
});

const PING = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n';
const LIST = `${HEAD}content-length: 2\r\n\r\n{}`;

interface Held {
  socket: Socket;
  /** Status of the answer, or `cut`. */
  ask: (text: string) => Promise<string>;
  cut: () => boolean;
}

async function held(port: number): Promise<Held> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  await new Promise((resolve) => socket.once('connect', resolve));
  const ask = (text: string) =>
    new Promise<string>((resolve) => {
      socket.once('data', (data) => resolve(String(data).slice(9, 12)));
      socket.once('close', () => resolve('cut'));
      socket.write(text);
    });
  return { socket, ask, cut: () => socket.destroyed };
}

describe('more connections than there may be', () => {
  test.each([
    ['that say nothing', ''],
    ['that begin a request', 'POST /mcp HT'],
    ['that asked whether it lives', PING],
    ['that were refused', 'GET /mcp HTTP/1.1\r\nhost: elsewhere.test\r\n\r\n'],
  ])('%s: the oldest gives way, whoever comes next is served', async (_, first) => {
    await using server = await serving({ connections: 8, unproven: 4 });
    const flood: Held[] = [];
    for (let n = 0; n < 12; n++) {
      const one = await held(server.port);
      flood.push(one);
      if (first.endsWith('\r\n\r\n')) await one.ask(first);
      else if (first !== '') one.socket.write(first);
    }
    const next = await held(server.port);
    expect(await next.ask(PING)).toBe('200');
    await expect.poll(() => flood.filter(({ cut }) => cut()).length).toBe(9);
    expect(flood.slice(9).some(({ cut }) => cut())).toBe(false);
    for (const { socket } of [...flood, next]) socket.destroy();
  });

  test('a client that may call keeps its connection, and its place', async () => {
    await using server = await serving({ connections: 6, unproven: 4 });
    const client = await held(server.port);
    expect(await client.ask(LIST)).toMatch(/^4\d\d$/);
    const flood: Held[] = [];
    for (let n = 0; n < 20; n++) flood.push(await held(server.port));
    expect(await client.ask(PING)).toBe('200');
    expect(client.cut()).toBe(false);
    const other = await held(server.port);
    expect(await other.ask(LIST)).toMatch(/^4\d\d$/);
    expect(await client.ask(PING)).toBe('200');
    for (const { socket } of [...flood, client, other]) socket.destroy();
  });

  test('connections of clients at work count as well: the others may be closed for new ones', async () => {
    await using server = await serving({ connections: 4, unproven: 2 });
    const clients: Held[] = [];
    for (let n = 0; n < 5; n++) {
      const client = await held(server.port);
      await client.ask(LIST);
      clients.push(client);
    }
    await expect.poll(() => clients.map(({ cut }) => cut())).toEqual([false, false, true, false, false]);
    clients[0]?.socket.destroy();
    await new Promise((resolve) => setTimeout(resolve, 50));
    const next = await held(server.port);
    await next.ask(LIST);
    expect(await next.ask(PING)).toBe('200');
    for (const { socket } of [...clients, next]) socket.destroy();
  });
});

test('a caller who has taken all places makes room for another one, and for no more than an equal share', () => {
  const connections = new Connections({ connections: 10, unproven: 6 }, createLogger('silent'));
  const opened = (count: number, caller?: string) =>
    Array.from({ length: count }, () => {
      const socket = new Socket();
      connections.add(socket);
      if (caller !== undefined) connections.prove(socket, caller);
      return socket;
    });
  const alive = (sockets: readonly Socket[]) => sockets.map(({ destroyed }) => !destroyed);
  const greedy = opened(4, 'greedy');
  const other = opened(3, 'other');
  const flood = opened(6);
  expect([alive(greedy), alive(other)]).toEqual([
    [false, false, true, true],
    [true, true, false],
  ]);
  for (const socket of [...greedy, ...other, ...flood]) socket.destroy();
});

test('of requests sent without waiting for answers only so many are taken at once, and then more', async () => {
  await using server = await serving({ pipelined: 4, bodyBytes: 1_000 });
  const ask = (count: number) =>
    statuses(server.port, 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n'.repeat(count), count);
  expect(await ask(4)).toEqual([200, 200, 200, 200]);
  const many = await ask(12);
  expect(many.slice(0, 4)).toEqual([200, 200, 200, 200]);
  expect(many).toContain(503);
  const socket = connect(server.port, '127.0.0.1');
  for (let n = 0; n < 12; n++) {
    const answered = new Promise<string>((resolve) => socket.once('data', (data) => resolve(String(data))));
    socket.write('GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n');
    expect(await answered).toMatch(/^HTTP\/1\.1 200/);
  }
  socket.destroy();
});

/** Of so many answers to one connection. */
function statuses(port: number, bytes: string, count: number): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes));
    let text = '';
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      text += chunk;
      const found = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
      if (found.length < count) return;
      socket.destroy();
      resolve(found);
    });
  });
}

test('an answer may take longer than any limit on its request', async () => {
  await using server = await serving({ headersMs: 100, requestMs: 150, keepAliveMs: 100 });
  const initialize = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } },
  });
  const opened = await fetch(`http://127.0.0.1:${server.port}/mcp`, {
    method: 'POST',
    headers: { accept: 'application/json, text/event-stream', 'content-type': 'application/json' },
    body: initialize,
  });
  await opened.text();
  const session = opened.headers.get('mcp-session-id');
  expect(session).not.toBeNull();
  const stream = connect(server.port, '127.0.0.1');
  let ended = false;
  stream.once('close', () => {
    ended = true;
  });
  stream.write(
    `GET /mcp HTTP/1.1\r\nhost: localhost\r\naccept: text/event-stream\r\nmcp-session-id: ${session}\r\n\r\n`,
  );
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(ended).toBe(false);
  stream.destroy();
});

test('by default a connection with slow headers is closed within ten seconds', () => {
  expect(HTTP_LIMITS.headersMs + HTTP_LIMITS.checkEveryMs).toBeLessThanOrEqual(10_000);
  expect(HTTP_LIMITS).toMatchObject({ bodyBytes: 1 << 20, headerBytes: 16 << 10, connections: 5_120, unproven: 4_096 });
});
