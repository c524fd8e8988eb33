/** Single requests of both revisions: no connection to keep, whichever router they reach. */

export const ERA = '2026-07-28';
const META = 'io.modelcontextprotocol';

export interface ModernMore {
  /** Answers of the person, and the state that came with the question. */
  inputResponses?: Record<string, unknown>;
  requestState?: string;
  bearer?: string;
  id?: number | string;
}

export interface ModernResult {
  content?: { type: string; text: string }[];
  isError?: boolean;
  resultType?: string;
  inputRequests?: Record<string, unknown>;
  requestState?: string;
}

export function modernRequest(
  name: string,
  args: Record<string, unknown>,
  { bearer, id = 1, ...more }: ModernMore = {},
): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': ERA,
      'mcp-method': 'tools/call',
      'mcp-name': name,
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: {
        name,
        arguments: args,
        ...more,
        _meta: {
          [`${META}/protocolVersion`]: ERA,
          [`${META}/clientInfo`]: { name: 'test', version: '1' },
          [`${META}/clientCapabilities`]: { elicitation: { form: {} } },
        },
      },
    }),
  };
}

/** The same call as a 2025-11-25 client makes it of a router without sessions. */
export function legacyRequest(
  name: string,
  args: Record<string, unknown>,
): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': '2025-11-25',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  };
}
