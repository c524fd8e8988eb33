/** Calls let on a few at a time, so that whatever else there is to do comes in between. */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { expect, test } from 'vitest';
import { modernRequest } from '../test/support/modern-client.ts';
import { serving } from '../test/support/serving.ts';
import { RequestQueue } from './fair-scheduling.ts';

test('a request without others before it starts at once, and order is kept', async () => {
  const queue = new RequestQueue();
  const went: number[] = [];
  for (let n = 0; n < 50; n++) queue.take(() => went.push(n));
  expect(went.length).toBeGreaterThan(0);
  expect(went.length).toBeLessThan(50);
  while (went.length < 50) await new Promise(setImmediate);
  expect(went).toEqual(Array.from({ length: 50 }, (_, n) => n));
});

test('other work has many turns of the event loop before a crowd of calls is done', async () => {
  const turns = new RequestQueue();
  let through = 0;
  let seen = 0;
  for (let n = 0; n < 1_000; n++)
    turns.take(() => {
      through += 1;
    });
  while (through < 1_000) {
    await new Promise(setImmediate);
    seen += 1;
  }
  expect(seen).toBeGreaterThan(100);
});

test('the work of a call may take a further turn', async () => {
  const turns = new RequestQueue();
  let depth = 0;
  const again = () => {
    depth += 1;
    if (depth < 100) turns.take(again);
  };
  turns.take(again);
  while (depth < 100) await new Promise(setImmediate);
});

const LIVEZ = 'GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n';

async function answered(socket: Socket, request: string): Promise<void> {
  socket.write(request);
  await once(socket, 'data');
}

/** Each was answered once, or the crowd would still be coming in one by one. */
async function connections(port: number, count: number): Promise<Socket[]> {
  const sockets = Array.from({ length: count }, () => connect(port, '127.0.0.1'));
  await Promise.all(sockets.map((socket) => answered(socket, LIVEZ)));
  return sockets;
}

test('/livez is answered in the middle of a crowd that asked first', async () => {
  await using router = await serving();
  const { headers, body } = modernRequest('find_tool', { query: 'list the authentication servers' });
  const lines = Object.entries({ host: 'localhost', ...headers, 'content-length': Buffer.byteLength(body) });
  const call = `POST /mcp HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}`).join('\r\n')}\r\n\r\n${body}`;
  const order: string[] = [];
  const sockets = await connections(router.port, 201);
  const [health, ...crowd] = sockets as [Socket, ...Socket[]];
  const asked = async (socket: Socket, request: string, name: string) => {
    await answered(socket, request);
    order.push(name);
  };
  const calls = crowd.map((socket) => asked(socket, call, 'call'));
  await calls[0];
  await Promise.all([...calls, asked(health, LIVEZ, 'livez')]);
  for (const socket of sockets) socket.destroy();
  expect(order.indexOf('livez')).toBeLessThan(150);
});
