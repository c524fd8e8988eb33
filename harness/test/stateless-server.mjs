// The pets server with the library of revision 2026-07-28, which serves earlier clients too; with --only-2026 it refuses them.
// With --ask it asks the person before each change. With --http PORT it speaks streamable HTTP.
import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { acceptedContent, createMcpHandler, inputRequired, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { listed, questionAbout, send, toolsOf } from './pets-tools.mjs';

const asks = process.argv.includes('--ask');
const isAlone = process.argv.includes('--only-2026');
const tools = toolsOf();

function newServer() {
  const server = new Server({ name: 'pets', version: '2' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new Error(`unknown tool ${params.name}`);
    const { id: at, ...rest } = params.arguments ?? {};
    if (asks && tool.verb !== 'GET') {
      if (mcpReq.inputResponses === undefined)
        return inputRequired({ inputRequests: { yes: inputRequired.elicit(questionAbout(tool, at)) } });
      if (acceptedContent(mcpReq.inputResponses, 'yes')?.yes !== true)
        return { isError: true, content: [{ type: 'text', text: 'The user declined, nothing was changed.' }] };
    }
    return send(tool, at, rest);
  });
  return server;
}

const at = process.argv.indexOf('--http');
if (at < 0) serveStdio(newServer, { legacy: isAlone ? 'reject' : 'serve' });
else {
  const serve = toNodeHandler(createMcpHandler(newServer, { legacy: isAlone ? 'reject' : 'stateless' }));
  createServer(serve).listen(Number(process.argv[at + 1]), '127.0.0.1');
}
