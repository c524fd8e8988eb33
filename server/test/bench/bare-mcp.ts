/** One route, one tool, nothing behind it. */
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';

const handler = createMcpHandler(() => {
  const server = new Server({ name: 'bare', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: [{ name: 'nothing', inputSchema: { type: 'object' } }] }));
  return server;
});
const serve = toNodeHandler(handler);
const app = Fastify();
app.post('/mcp', async (request, reply) => {
  reply.hijack();
  return serve(request.raw as NodeIncomingMessageLike, reply.raw, request.body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ ready: true, url: `http://127.0.0.1:${port}/mcp` })}\n`);
process.once('SIGTERM', () => process.exit(0));
