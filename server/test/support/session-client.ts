/** The protocol of 2025-11-25 through its own client library, which nobody here wrote: over HTTP or stdio, with or without a person. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';

/** What the person does with a form. */
export type ApproverAnswer = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' | 'cancel' };

export interface SessionClient extends AsyncDisposable {
  client: Client;
  /** Messages put to the person. */
  asked: string[];
}

/** `to` is the URL of a router, or a router to be started. Without a person the client cannot be asked. */
export async function sessionClient(
  to: string | StdioClientTransport,
  { person = null, headers = {} }: { person?: ApproverAnswer | null; headers?: Record<string, string> } = {},
): Promise<SessionClient> {
  const client = new Client({ name: 'test', version: '1' }, { capabilities: person ? { elicitation: {} } : {} });
  const asked: string[] = [];
  if (person)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      asked.push(params.message);
      return person;
    });
  const transport =
    typeof to === 'string' ? new StreamableHTTPClientTransport(new URL(to), { requestInit: { headers } }) : to;
  // The library's own types disagree under exactOptionalPropertyTypes.
  await client.connect(transport as Parameters<Client['connect']>[0]);
  return { client, asked, [Symbol.asyncDispose]: () => client.close() };
}
