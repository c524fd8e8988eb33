/**
 * The client of revision 2026-07-28: no session, each request says who sends it, and a question to the person is an answer
 * (`input_required`) after which the call is sent again.
 */
import {
  Client,
  SdkError,
  SdkErrorCode,
  StreamableHTTPClientTransport,
  type Transport,
} from '@modelcontextprotocol/client';
import { HarnessError } from '../harness-errors.ts';
import { CLIENT_INFO, type ClientEvents, MOST_PAGES, type ProtocolClient } from './protocol-client.ts';

const REVISION = '2026-07-28';

interface Address {
  url: string;
  headers: Record<string, string>;
  /** Gets a token where the server asks for one. */
  oauth?: object | undefined;
}

/** Of this library's own: it writes the headers that the revision wants on each request. */
export const statelessTransport = ({ url, headers, oauth }: Address): Transport =>
  new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    ...(oauth === undefined ? {} : { authProvider: oauth as never }),
  });

export function statelessClient(transport: Transport, { onQuestion, onEnd, onFault }: ClientEvents): ProtocolClient {
  const client = new Client(CLIENT_INFO, {
    capabilities: onQuestion === undefined ? {} : { elicitation: { form: {} } },
    versionNegotiation: { mode: { pin: REVISION } },
    listMaxPages: MOST_PAGES,
  });
  if (onQuestion !== undefined) {
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { requestedSchema = {} } = params as { requestedSchema?: object };
      return { ...(await onQuestion(params.message, requestedSchema)) } as never;
    });
  }
  client.onclose = onEnd;
  client.onerror = ({ message }) => onFault(message);
  return {
    hello: 'server/discover',
    connect: (timeout) => client.connect(transport, { timeout }),
    serverInfo: () => client.getServerVersion(),
    // Pinned: no other one is spoken.
    revision: () => REVISION,
    instructions: () => client.getInstructions(),
    capabilities: () => client.getServerCapabilities(),
    listTools: async (timeout) => (await client.listTools({}, { timeout }).catch(refuseEndless)).tools,
    callTool: async (name, args, { timeout, signal }) => {
      const request = { name, arguments: args };
      const result = await client.callTool(request, { timeout, ...(signal && { signal }) });
      const { isError, content, structuredContent } = result;
      return { isError: isError === true, content, structuredContent };
    },
    close: () => client.close(),
  };
}

function refuseEndless(cause: unknown): never {
  if (!(cause instanceof SdkError) || cause.code !== SdkErrorCode.ListPaginationExceeded) throw cause;
  throw new HarnessError(
    'SERVER_LIST_ENDLESS',
    `tools/list should end within ${MOST_PAGES} pages, got one more cursor`,
    {
      cause,
    },
  );
}
