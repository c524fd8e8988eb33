/** The protocol's own client library of 2026, which negotiates the newest revision by itself. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { answerOf, walk } from './steps.ts';

await walk(async (url, token) => {
  const client = new Client(
    { name: 'protocol-library', version: '1' },
    { capabilities: { elicitation: { form: {} } } },
  );
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { confirm: true } }));
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, args) => answerOf(await client.callTool({ name, arguments: args })),
    close: () => client.close(),
  };
});
