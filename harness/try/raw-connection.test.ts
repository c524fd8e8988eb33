/** A server that answers on the stream of a GET is heard as any client hears it, and not taken for one that is gone. */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { malformedMessages, sendMalformed } from './malformed-messages.ts';
import { openRaw } from './raw-connection.ts';
import { DEFAULT_LIMITS } from './tried-server.ts';

test('answers on the stream of a GET are heard', async () => {
  let stream: ServerResponse | undefined;
  const server = createServer(async (request, response) => {
    if (request.method === 'GET') {
      stream = response.writeHead(200, { 'content-type': 'text/event-stream', 'mcp-session-id': 's' });
      stream.flushHeaders();
      return;
    }
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method } = text.startsWith('{"jsonrpc":"2.0"') && text.endsWith('}') ? JSON.parse(text) : {};
    if (method === 'initialize') {
      response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': 's' });
      response.end(JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
      return;
    }
    response.writeHead(202).end();
    const answer = method === 'ping' ? { result: {} } : { error: { code: -32600, message: 'no' } };
    if (id !== undefined)
      stream?.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n\n`);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  try {
    await using raw = await openRaw({ name: 'it', url, headers: {}, env: {}, cwd: '.', limits: DEFAULT_LIMITS });
    expect(await sendMalformed(raw, malformedMessages(10, 1).slice(5, 6), 2_000)).toMatchObject({
      sent: 1,
      wrong: {},
      diedAfter: null,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

test('a server that answers in an earlier revision is not refused its messages for that of the first one', async () => {
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    const { id, method } = JSON.parse(text || '{}');
    const isGreeting = method === 'initialize';
    // As the specification wants it (Streamable HTTP, protocol version header).
    if (!isGreeting && request.headers['mcp-protocol-version'] !== '2025-06-18') return response.writeHead(400).end();
    if (id === undefined) return response.writeHead(202).end();
    // Wrong: an unknown tool is answered as if it were there.
    const result = isGreeting ? { protocolVersion: '2025-06-18' } : { content: [] };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', id, result }));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  const unknownTool = malformedMessages(10, 1).filter(({ kind }) => kind === 'unknown tool');
  try {
    await using raw = await openRaw({ name: 'it', url, headers: {}, env: {}, cwd: '.', limits: DEFAULT_LIMITS });
    expect(await sendMalformed(raw, unknownTool, 2_000)).toEqual({
      sent: 1,
      wrong: { 'unknown tool': { results: 1, silent: 0, of: 1 } },
      diedAfter: null,
    });
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
