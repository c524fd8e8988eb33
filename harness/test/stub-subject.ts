/**
 * A small MCP server over stdio for tests: it echoes, and it asks before it "writes". Four tools that it does not list break
 * a call: `fail` answers with an error of the protocol, `hang` never answers, `late` writes after a while even if nobody
 * waits any more, `exit` ends the process. `structured` answers with the result that it is given.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

if (process.argv.includes('--crash')) {
  process.stderr.write('cannot open the catalog: CATALOG_MISSING\n');
  process.exit(3);
}

const server = new Server(
  { name: 'stub', version: '1' },
  { capabilities: { tools: {} }, instructions: 'Echo, or write.' },
);
interface Structured {
  content: string[];
  structuredContent: Record<string, unknown>;
}
const structured = ({ content, structuredContent }: Structured) => ({
  content: content.map((text) => ({ type: 'text' as const, text })),
  structuredContent,
});
const inputSchema = { type: 'object' as const };
server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [
    { name: 'echo', inputSchema },
    { name: 'write', inputSchema },
  ],
}));
server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
  const text = (value: unknown) => ({ content: [{ type: 'text' as const, text: JSON.stringify(value) }] });
  if (params.name === 'echo') return text(params.arguments);
  if (params.name === 'fail') throw new Error('declined by the person');
  if (params.name === 'structured') return structured(params.arguments?.['result'] as Structured);
  if (params.name === 'hang') await new Promise(() => {});
  if (params.name === 'exit') process.exit(1);
  if (params.name === 'late') await sleep(300);
  const path = String(params.arguments?.['path']);
  const answer = await server.elicitInput({
    message: `Write?\nobject: PATCH ${path}\noperation: PATCH /things/{id}`,
    requestedSchema: { type: 'object', properties: { confirm: { type: 'boolean' } }, required: ['confirm'] },
  });
  const confirmed = answer.action === 'accept' && answer.content?.['confirm'] === true;
  return { ...text({ ok: confirmed, code: confirmed ? 'done' : 'declined' }), isError: !confirmed };
});
await server.connect(new StdioServerTransport());
