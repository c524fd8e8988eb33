/**
 * The trivial server that `npm run bench:http` compares the router with: same SDK, same HTTP framework, no guard, no
 * metrics, no catalog. `echo` returns its argument; `pass` forwards one call to a platform and returns the answer.
 */
import type { AddressInfo } from 'node:net';
import { type NodeIncomingMessageLike, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import Fastify from 'fastify';

const [base = '', token = ''] = process.argv.slice(2);
const handler = createMcpHandler(() => {
  const server = new Server({ name: 'echo', version: '1' }, { capabilities: { tools: {} } });
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' as const } });
  server.setRequestHandler('tools/list', () => ({ tools: [tool('echo'), tool('pass')] }));
  server.setRequestHandler('tools/call', async ({ params }) => {
    const args = params.arguments as { text?: string; path?: string };
    const text = params.name === 'echo' ? String(args.text) : await passOn(String(args.path));
    return server.projectCallToolResult({ content: [{ type: 'text' as const, text }] }, undefined);
  });
  return server;
});

async function passOn(path: string): Promise<string> {
  const headers = { accept: 'application/json', authorization: `Bearer ${token}` };
  return (await fetch(`${base}/${path}`, { headers })).text();
}

const serve = toNodeHandler(handler);
const app = Fastify();
app.post('/mcp', async (request, reply) => {
  reply.hijack();
  return serve(request.raw as NodeIncomingMessageLike, reply.raw, request.body);
});
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
process.stdout.write(`${JSON.stringify({ ready: true, port })}\n`);
process.once('SIGTERM', () => process.exit(0));
