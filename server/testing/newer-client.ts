/** A client of protocol revision 2026-07-28 by hand, for tests and benches: one request, one answer, over HTTP. */

const ERA = '2026-07-28';

/** What the person answers: nothing at all when the client cannot ask. */
export type Action = 'accept' | 'decline' | 'cancel' | 'accept-without-yes';

export interface CallAnswer {
  isError: boolean;
  texts: string[];
  /** Messages put to the person. */
  asked: string[];
}

export interface NewerClient {
  list: () => Promise<Record<string, unknown>[]>;
  call: (name: string, args: object, person?: Action | null) => Promise<CallAnswer>;
}

export function newerClient(url: string, bearer?: string): NewerClient {
  let id = 0;
  const post = async (method: string, params: Record<string, unknown>, elicits: boolean) => {
    const response = await fetch(url, {
      method: 'POST',
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
        id: ++id,
        method,
        params: {
          ...params,
          _meta: {
            'io.modelcontextprotocol/protocolVersion': ERA,
            'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
            'io.modelcontextprotocol/clientCapabilities': elicits ? { elicitation: {} } : {},
          },
        },
      }),
    });
    const text = await response.text();
    const message = JSON.parse(text.startsWith('{') ? text : (/^data: (.*)$/m.exec(text)?.[1] ?? '{}'));
    if (message.result === undefined) throw new Error(`${method} answered ${text.slice(0, 300)}`);
    return message.result as Record<string, unknown>;
  };
  return {
    list: async () => (await post('tools/list', {}, false))['tools'] as Record<string, unknown>[],
    call: async (name, args, person = null) => {
      let result = await post('tools/call', { name, arguments: args }, person !== null);
      const asked: string[] = [];
      if (result['resultType'] === 'input_required' && person !== null) {
        const requests = result['inputRequests'] as Record<string, { params: { message: string } }>;
        asked.push(...Object.values(requests).map(({ params }) => params.message));
        const answer = { ...ANSWERS[person] };
        const inputResponses = Object.fromEntries(Object.keys(requests).map((key) => [key, answer]));
        const { requestState } = result;
        result = await post('tools/call', { name, arguments: args, inputResponses, requestState }, true);
      }
      const texts = ((result['content'] ?? []) as { text: string }[]).map(({ text }) => text);
      return { isError: result['isError'] === true, texts, asked };
    },
  };
}

const ANSWERS: Record<Action, object> = {
  accept: { action: 'accept', content: { confirm: true } },
  'accept-without-yes': { action: 'accept', content: { confirm: false } },
  decline: { action: 'decline' },
  cancel: { action: 'cancel' },
};
