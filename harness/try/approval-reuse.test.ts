/** Whether a yes is good for two changes, of a server that runs already: its writes arrive where the page tells its author to point it. */
import { randomUUID } from 'node:crypto';
import { createServer, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, expect, test } from 'vitest';
import { FREE_TEXT } from '../generator/found-change.ts';
import type { LedgerEntry } from '../recording/recording.ts';
import type { Scenario } from '../scenario/scenario.ts';
import { approvalReuse } from './approval-reuse.ts';
import type { MatchedTools } from './matched-tools.ts';
import type { TryTestbed } from './try-testbed.ts';

interface Behaviour {
  asks: 'always' | 'once' | 'never';
  /** Namespace that its writes go to. */
  writesTo: string;
  /** Before each change, which the person may decline. */
  logsIn?: boolean;
  /** It does nothing without that argument. */
  confirms?: boolean;
}

let ledgers: Record<string, Pick<LedgerEntry, 'method' | 'status' | 'capability'>[]> = {};
let http: HttpServer | undefined;
afterEach(() => {
  http?.closeAllConnections();
  http?.close();
  ledgers = {};
});

const testbed = {
  targetFor: async (namespace: string) => ({ api: `http://127.0.0.1:9/ns/${namespace}/api`, document: '', token: '' }),
  control: {
    reset: async (namespace: string) => {
      ledgers[namespace] = [];
    },
    ledger: async (namespace: string) => ledgers[namespace] ?? [],
  },
} as unknown as TryTestbed;

const form = { type: 'object' as const, properties: { yes: { type: 'boolean' as const } }, required: ['yes'] };

function petServer({ asks, writesTo, logsIn, confirms }: Behaviour): Server {
  const server = new Server({ name: 'pets', version: '1' }, { capabilities: { tools: {} } });
  const properties = { petId: { type: 'integer' }, name: { type: 'string' }, confirm: { type: 'boolean' } };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: [{ name: 'edit_pet', inputSchema: { type: 'object', properties } }],
  }));
  let isApproved = asks === 'never';
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { requestId }) => {
    if (confirms && params.arguments?.['confirm'] !== true)
      return { content: [{ type: 'text', text: 'Set confirm.' }] };
    if (logsIn) ledgers[writesTo]?.push({ method: 'POST', status: 200, capability: 'auth' });
    if (!isApproved) {
      const question = { message: 'Change pet 7?', requestedSchema: form };
      const { action } = await server.elicitInput(question, { relatedRequestId: requestId });
      if (action !== 'accept') return { isError: true, content: [{ type: 'text', text: 'declined' }] };
      isApproved = asks === 'once';
    }
    ledgers[writesTo]?.push({ method: 'PATCH', status: 200, capability: 'write' });
    return { content: [{ type: 'text', text: 'done' }] };
  });
  return server;
}

/** The address of a server that runs already. */
async function running(behaviour: Behaviour): Promise<string> {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  const listening = createServer(async (request, response) => {
    let transport = sessions.get(String(request.headers['mcp-session-id']));
    if (transport === undefined) {
      const opened = new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        onsessioninitialized: (id) => void sessions.set(id, opened),
      });
      await petServer(behaviour).connect(opened as Transport);
      transport = opened;
    }
    await transport.handleRequest(request, response);
  });
  http = listening;
  await new Promise<void>((done) => listening.listen(0, '127.0.0.1', done));
  return `http://127.0.0.1:${(listening.address() as AddressInfo).port}/mcp`;
}

const CHANGE = {
  suite: 'change',
  steps: [
    { call: 'PATCH /pets/{petId}', arguments: { petId: 7, body: { name: FREE_TEXT } }, apply: true },
    { call: 'GET /pets/{petId}', arguments: { petId: 7 }, facts: { name: 'name' } },
  ],
} as unknown as Scenario;
const tools = { toolOf: () => 'edit_pet', argumentsFor: (_: string, args: object) => args } as unknown as MatchedTools;

test.each<[string, Behaviour, unknown]>([
  ['asks once', { asks: 'once', writesTo: 'try-1' }, { reused: 1, of: 1, tools: ['edit_pet'] }],
  ['asks each time', { asks: 'always', writesTo: 'try-1' }, { reused: 0, of: 1, tools: [] }],
  [
    'asks once, and wants an argument `confirm`',
    { asks: 'once', writesTo: 'try-1', confirms: true },
    { reused: 1, of: 1, tools: ['edit_pet'] },
  ],
  [
    'asks each time, and logs in before',
    { asks: 'always', writesTo: 'try-1', logsIn: true },
    { reused: 0, of: 1, tools: [] },
  ],
  ['never asks', { asks: 'never', writesTo: 'try-1' }, 'the server asked nobody before these changes'],
  [
    'asks, and writes to another API',
    { asks: 'always', writesTo: 'elsewhere' },
    'the server asked, but no change that was approved reached the API',
  ],
])('a server that runs already and %s is told of as such', async (_what, behaviour, found) => {
  const url = await running(behaviour);
  const server = { name: 's', url, headers: {}, env: {}, cwd: '/', limits: { startMs: 20_000, callMs: 20_000 } };
  expect(await approvalReuse({ server, testbed, tools, scenarios: [CHANGE], isFixed: true })).toEqual(found);
});

test('a change that the API shows in an envelope is sent twice too', async () => {
  const [write, read] = CHANGE.steps as unknown as [object, object];
  const wrapped = { ...CHANGE, steps: [write, { ...read, facts: { name: 'data.name' } }] } as unknown as Scenario;
  const url = await running({ asks: 'once', writesTo: 'try-1' });
  const server = { name: 's', url, headers: {}, env: {}, cwd: '/', limits: { startMs: 20_000, callMs: 20_000 } };
  expect(await approvalReuse({ server, testbed, tools, scenarios: [wrapped], isFixed: true })).toEqual({
    reused: 1,
    of: 1,
    tools: ['edit_pet'],
  });
});
