/** The client of revision 2025-11-25: `initialize` opens a session, and the server asks the person by a request of its own. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { HarnessError } from '../harness-errors.ts';
import { CLIENT_INFO, type ClientEvents, MOST_PAGES, type ProtocolClient } from './protocol-client.ts';

export function sessionClient(transport: Transport, { onQuestion, onEnd, onFault }: ClientEvents): ProtocolClient {
  const capabilities = onQuestion === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client(CLIENT_INFO, { capabilities });
  if (onQuestion !== undefined) {
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      const { requestedSchema = {} } = params as { requestedSchema?: object };
      return { ...(await onQuestion(params.message, requestedSchema)) };
    });
  }
  let revision: string | undefined;
  const told = transport.setProtocolVersion?.bind(transport);
  transport.setProtocolVersion = (version) => {
    revision = version;
    told?.(version);
  };
  client.onclose = onEnd;
  client.onerror = ({ message }) => onFault(message);
  return {
    hello: 'initialize',
    connect: (timeout) => client.connect(transport, { timeout }),
    serverInfo: () => client.getServerVersion(),
    revision: () => revision,
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: (timeout) => allPages((cursor) => client.listTools(cursor === undefined ? {} : { cursor }, { timeout })),
    callTool: async (name, args, { timeout, signal }) => {
      const request = { method: 'tools/call' as const, params: { name, arguments: args } };
      const result = await client.request(request, CallToolResultSchema, { timeout, ...(signal && { signal }) });
      const { isError, content, structuredContent } = result;
      return { isError: isError === true, content, structuredContent };
    },
    close: () => client.close(),
  };
}

/** Every page of a list. */
async function allPages(
  page: (cursor: string | undefined) => Promise<{ tools: unknown[]; nextCursor?: string | undefined }>,
): Promise<unknown[]> {
  const tools: unknown[] = [];
  let cursor: string | undefined;
  for (let pages = 0; pages < MOST_PAGES; pages++) {
    const { tools: more, nextCursor } = await page(cursor);
    tools.push(...more);
    if (nextCursor === undefined) return tools;
    cursor = nextCursor;
  }
  throw new HarnessError(
    'SERVER_LIST_ENDLESS',
    `tools/list should end within ${MOST_PAGES} pages, got ${tools.length} tools and one more cursor`,
  );
}
