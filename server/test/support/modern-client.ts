/** Single requests of both revisions: no connection to keep, whichever router they reach. */
import { typedYes } from './approvers.ts';

export const ERA = '2026-07-28';
const META = 'io.modelcontextprotocol';

export interface ModernMore {
  /** Answers of the person, and the state that came with the question. */
  inputResponses?: Record<string, unknown>;
  requestState?: string;
  bearer?: string;
  id?: number | string;
  /** Capabilities of the client; by default it can show a form. */
  capabilities?: object;
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
  { bearer, id, capabilities, ...more }: ModernMore = {},
): { headers: Record<string, string>; body: string } {
  return modernMessage('tools/call', { name, arguments: args, ...more }, { bearer, id, capabilities });
}

/** What every request of 2026-07-28 says about its client. */
export const metaOf = (capabilities: object): Record<string, unknown> => ({
  [`${META}/protocolVersion`]: ERA,
  [`${META}/clientInfo`]: { name: 'test', version: '1' },
  [`${META}/clientCapabilities`]: capabilities,
});

export function modernMessage(
  method: string,
  params: Record<string, unknown>,
  {
    bearer,
    id = 1,
    capabilities = { elicitation: { form: {} } },
  }: { [K in 'bearer' | 'id' | 'capabilities']?: ModernMore[K] | undefined } = {},
): { headers: Record<string, string>; body: string } {
  return {
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      'mcp-protocol-version': ERA,
      'mcp-method': method,
      ...(typeof params['name'] === 'string' ? { 'mcp-name': params['name'] } : {}),
      ...(bearer === undefined ? {} : { authorization: `Bearer ${bearer}` }),
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id,
      method,
      params: {
        ...params,
        _meta: metaOf(capabilities),
      },
    }),
  };
}

/** The message of an answer, which may come as an event stream of one. */
export function messageIn(text: string): { result?: Record<string, unknown> } {
  return JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}'));
}

/** What the person answers: nothing at all when the client cannot ask. */
export type Action = 'accept' | 'decline' | 'cancel' | 'accept-without-yes' | 'accept-without-object';

export interface CallAnswer {
  isError: boolean;
  texts: string[];
  /** Messages put to the person. */
  asked: string[];
}

export interface ModernClient {
  list: () => Promise<Record<string, unknown>[]>;
  call: (name: string, args: object, action?: Action | null) => Promise<CallAnswer>;
}

const ANSWERS: Record<Action, (message: string) => object> = {
  accept: (message) => ({ action: 'accept', content: typedYes(message) }),
  'accept-without-yes': () => ({ action: 'accept', content: { confirm: false } }),
  'accept-without-object': () => ({ action: 'accept', content: { confirm: true } }),
  decline: () => ({ action: 'decline' }),
  cancel: () => ({ action: 'cancel' }),
};

/** Asks, and where the answer is a question, gives the person's answer with the state that came with it. */
export function modernClient(url: string, bearer?: string): ModernClient {
  let id = 0;
  const post = async (method: string, params: Record<string, unknown>, elicits: boolean) => {
    id += 1;
    const capabilities = elicits ? { elicitation: {} } : {};
    const response = await fetch(url, {
      method: 'POST',
      ...modernMessage(method, params, { bearer, id, capabilities }),
    });
    const text = await response.text();
    const { result } = messageIn(text);
    if (result === undefined) throw new Error(`${method} answered ${text.slice(0, 300)}`);
    return result;
  };
  return {
    list: async () => (await post('tools/list', {}, false))['tools'] as Record<string, unknown>[],
    call: async (name, args, person = null) => {
      let result = await post('tools/call', { name, arguments: args }, person !== null);
      const asked: string[] = [];
      if (result['resultType'] === 'input_required' && person !== null) {
        const requests = result['inputRequests'] as Record<string, { params: { message: string } }>;
        asked.push(...Object.values(requests).map(({ params }) => params.message));
        const inputResponses = Object.fromEntries(
          Object.entries(requests).map(([key, { params }]) => [key, ANSWERS[person](params.message)]),
        );
        const { requestState } = result;
        result = await post('tools/call', { name, arguments: args, inputResponses, requestState }, true);
      }
      const texts = ((result['content'] ?? []) as { text: string }[]).map(({ text }) => text);
      return { isError: result['isError'] === true, texts, asked };
    },
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

/** The first message of a 2025-11-25 session. */
export const initializeBody = (capabilities: object = {}): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities, clientInfo: { name: 'test', version: '1' } },
  });
