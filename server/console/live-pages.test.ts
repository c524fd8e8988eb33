import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { expect, test } from 'vitest';
import { LivePages } from './live-pages.ts';

test('a page that closed while its session was looked up takes no place of the others', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.write('GET /live HTTP/1.1\r\nhost: 127.0.0.1\r\n\r\n');
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse];
  socket.destroy();
  await once(response, 'close');
  const pages = new LivePages(async () => '');
  expect(pages.add({ session: 'one', response, counts: async () => true })).toBe(false);
  expect(pages.size).toBe(0);
  pages.close();
  server.close();
});
