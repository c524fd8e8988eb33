// A server as somebody writes it in an afternoon with the SDK: a tool for each operation of the pets API, no confirmation.
// With --ask it asks the person before each change. With --ask-once it asks before the first change of a kind alone.
// With --confirm a change is only shown until the argument `confirm` is true; with --prose it answers in sentences.
// With --only KIND it has the tools of that kind alone. With --http PORT it speaks streamable HTTP and wants a bearer token;
// with --issuer ADDRESS one of that OAuth authorization server.
import { createServer } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { listed, questionAbout, send, toolsOf } from './pets-tools.mjs';

const asksOnce = process.argv.includes('--ask-once');
const asks = asksOnce || process.argv.includes('--ask');
const confirms = process.argv.includes('--confirm');
const inProse = process.argv.includes('--prose');
const approved = new Set();
const only = process.argv.includes('--only') ? process.argv[process.argv.indexOf('--only') + 1] : undefined;
const tools = toolsOf(only);

function newServer() {
  const server = new Server({ name: 'pets', version: '1' }, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: tools.map(listed).map(withConfirm),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }) => {
    const tool = tools.find(({ name }) => name === params.name);
    if (tool === undefined) throw new Error(`unknown tool ${params.name}`);
    const { id: at, confirm, ...rest } = params.arguments ?? {};
    if (confirms && tool.verb !== 'GET' && confirm !== true)
      return { content: [{ type: 'text', text: 'This would change something. Confirm it.' }] };
    if (asks && tool.verb !== 'GET' && !(await isApproved(server, tool, at)))
      return { isError: true, content: [{ type: 'text', text: 'The user declined, nothing was changed.' }] };
    const answer = await send(tool, at, rest);
    return inProse ? { ...answer, content: [{ type: 'text', text: told(answer.content[0].text) }] } : answer;
  });
  return server;
}

function withConfirm(tool) {
  if (!confirms || tool.annotations.readOnlyHint) return tool;
  const properties = { ...tool.inputSchema.properties, confirm: { type: 'boolean' } };
  return { ...tool, inputSchema: { ...tool.inputSchema, properties } };
}

const told = (json) => `Found: ${json.replaceAll(/[[\]{}"]+/g, ' ')}.`;

async function isApproved(server, tool, at) {
  if (asksOnce && approved.has(tool.name)) return true;
  const answer = await server.elicitInput(questionAbout(tool, at));
  const isYes = answer.action === 'accept' && answer.content?.yes === true;
  if (isYes) approved.add(tool.name);
  return isYes;
}

const at = process.argv.indexOf('--http');
if (at < 0) await newServer().connect(new StdioServerTransport());
else {
  const port = Number(process.argv[at + 1]);
  const issuer = process.argv.includes('--issuer') ? process.argv[process.argv.indexOf('--issuer') + 1] : undefined;
  const guard = issuer === undefined ? fixedToken : await protectedBy(issuer, `http://127.0.0.1:${port}`);
  createServer(async (request, response) => {
    if (await guard(request, response)) return;
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await newServer().connect(transport);
    await transport.handleRequest(request, response);
  }).listen(port, '127.0.0.1');
}

/** Whether the request was answered here. */
function fixedToken({ headers }, response) {
  if (headers.authorization === 'Bearer open-sesame') return false;
  response.writeHead(401).end();
  return true;
}

/** As the MCP specification asks: metadata of the protected resource (RFC 9728), and JWTs of its authorization server for it alone. */
async function protectedBy(issuer, origin) {
  const { createRemoteJWKSet, jwtVerify } = await import('jose');
  const keys = createRemoteJWKSet(new URL(`${issuer}/jwks`));
  const metadata = `${origin}/.well-known/oauth-protected-resource/mcp`;
  const resource = `${origin}/mcp`;
  return async (request, response) => {
    if (request.url === new URL(metadata).pathname) {
      const answer = { resource, authorization_servers: [issuer], scopes_supported: ['pets'] };
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
      return true;
    }
    const bearer = (request.headers.authorization ?? '').replace('Bearer ', '');
    const isTaken = await jwtVerify(bearer, keys, { issuer, audience: resource }).then(
      () => true,
      () => false,
    );
    if (!isTaken) response.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end();
    return !isTaken;
  };
}
