/** The bridge that desktop hosts use: stdio on their side, HTTP with a bearer token on ours. */
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { answerOf, walk } from './steps.ts';

const BRIDGE = join(import.meta.dirname, 'node_modules', '.bin', 'mcp-remote');

await walk(async (url, token) => {
  const client = new Client({ name: 'bridge', version: '1' }, { capabilities: { elicitation: { form: {} } } });
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  const words = [url, '--allow-http', '--transport', 'http-only', '--header', `Authorization:Bearer ${token}`];
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [BRIDGE, ...words], stderr: 'ignore' }),
  );
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
});
