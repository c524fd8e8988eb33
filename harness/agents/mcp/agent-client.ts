/**
 * A small MCP client for agents: streamable HTTP, protocol 2025-11-25. Agents start once per run, so they do not load
 * a client library; the connection to the subject itself is the SDK's client, on the harness's side of the bridge.
 */

/** Not imported: an import statement reads every export of the module, and one of them loads the whole of `fetch`. */
const { request } = process.getBuiltinModule('node:http');

export interface ToolAnswer {
  isError: boolean;
  /** Text of each content block that has one. */
  texts: string[];
  /** The first block as JSON, or undefined when it is none. */
  json: unknown;
}

export interface McpTool {
  name: string;
  description?: string;
  inputSchema?: unknown;
}

export interface McpClient {
  listTools: () => Promise<McpTool[]>;
  callTool: (name: string, args: Record<string, unknown>) => Promise<ToolAnswer>;
  /** Calls made so far. */
  readonly calls: number;
  /** What the subject says to whoever connects. */
  readonly instructions?: string | undefined;
}

export class CallLimitReached extends Error {
  constructor(limit: number) {
    super(`no more than ${limit} calls`);
    this.name = 'CallLimitReached';
  }
}

export async function connectMcp(url: string, maxCalls: number): Promise<McpClient> {
  let id = 0;
  let calls = 0;
  let session: string | undefined;
  const send = async (method: string, params: object, notification = false): Promise<unknown> => {
    const headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-11-25',
      ...(session === undefined ? {} : { 'mcp-session-id': session }),
    };
    const body = JSON.stringify({ jsonrpc: '2.0', method, params, ...(notification ? {} : { id: ++id }) });
    const response = await post(url, headers, body);
    session = response.session ?? session;
    const { text } = response;
    if (notification) return undefined;
    const answer = JSON.parse(text) as { result?: unknown; error?: { message: string } };
    if (answer.error) throw new Error(`${method}: ${answer.error.message}`);
    return answer.result;
  };
  const clientInfo = { name: 'harness-agent', version: '1' };
  const hello = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const { instructions } = (await send('initialize', hello)) as { instructions?: string };
  await send('notifications/initialized', {}, true);
  return {
    instructions,
    get calls() {
      return calls;
    },
    listTools: async () => ((await send('tools/list', {})) as { tools: McpTool[] }).tools,
    callTool: async (name, args) => {
      if (calls >= maxCalls) throw new CallLimitReached(maxCalls);
      calls++;
      const result = (await send('tools/call', { name, arguments: args })) as {
        isError?: boolean;
        content?: unknown[];
      };
      const texts = textsOf(result.content ?? []);
      return { isError: result.isError === true, texts, json: parsed(texts[0]) };
    },
  };
}

/** Text of blocks, and of resources that are embedded as text: a client shows its model both. */
export const textsOf = (content: readonly unknown[]): string[] =>
  content.flatMap((block) => {
    const { type, text, resource } = block as { type?: string; text?: string; resource?: { text?: unknown } };
    if (type === 'text') return [text ?? ''];
    return type === 'resource' && typeof resource?.text === 'string' ? [resource.text] : [];
  });

/** Plain `node:http`: loading `fetch` would cost more than everything else a short agent does. */
function post(
  url: string,
  headers: Record<string, string>,
  body: string,
): Promise<{ text: string; session: string | undefined }> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      url,
      { method: 'POST', headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (incoming) => {
        const chunks: Buffer[] = [];
        incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
        incoming.on('error', reject);
        incoming.on('end', () => {
          const given = incoming.headers['mcp-session-id'];
          resolve({ text: Buffer.concat(chunks).toString('utf8'), session: Array.isArray(given) ? given[0] : given });
        });
      },
    );
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

function parsed(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
