/**
 * A chat completions endpoint on this machine for tests: it checks what real ones check, answers from a script, streams
 * when asked to, and fails as planned: with a status, without an answer, or in the middle of one.
 */
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Completion } from '../../agents/llm/chat-completion.ts';
import { writeCompletion } from '../wire.ts';

export const STUB_KEY = 'stub-key-0123456789';

export interface ChatRequest {
  model: string;
  temperature?: number;
  seed?: number;
  stream?: boolean;
  messages: { role: string; content?: string | null; tool_calls?: { id: string }[]; tool_call_id?: string }[];
  tools?: { function: { name: string } }[];
}

export type Fault =
  | { status: number; retryAfter?: string }
  /** The connection ends before an answer. */
  | { reset: true }
  /** The answer ends after the first piece: its connection too, or as if it were whole. */
  | { cut: 'connection' | 'quietly' };

export interface StubOptions {
  answer: (request: ChatRequest) => Completion;
  /** Request, counted from 1 → what goes wrong with it. */
  faults?: Record<number, Fault>;
  /** The one that it takes, if not `STUB_KEY`: an agent has none. */
  key?: string;
}

export interface StubEndpoint extends AsyncDisposable {
  baseUrl: string;
  requests: ChatRequest[];
}

export async function startStubEndpoint({ answer, faults = {}, key = STUB_KEY }: StubOptions): Promise<StubEndpoint> {
  const requests: ChatRequest[] = [];
  const server = createServer(async (incoming, outgoing) => {
    const body = await text(incoming);
    if (incoming.url !== '/v1/chat/completions') return refuse(outgoing, 404, 'no such path');
    if (incoming.headers.authorization !== `Bearer ${key}`) {
      return refuse(outgoing, 401, `Incorrect API key provided: ${incoming.headers.authorization}`);
    }
    const request = JSON.parse(body) as ChatRequest;
    requests.push(request);
    const wrong = faultOf(request);
    if (wrong !== undefined) return refuse(outgoing, 400, wrong);
    answerAs(faults[requests.length], outgoing, () => writeCompletion(answer(request), request.stream === true));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    requests,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** Answers as planned; with a fault, with less than the whole or not at all. */
function answerAs(
  fault: Fault | undefined,
  outgoing: ServerResponse,
  complete: () => ReturnType<typeof writeCompletion>,
): void {
  if (fault !== undefined && 'status' in fault) {
    refuse(outgoing, fault.status, 'planned', fault.retryAfter);
    return;
  }
  if (fault !== undefined && 'reset' in fault) {
    outgoing.destroy();
    return;
  }
  const { contentType, pieces } = complete();
  outgoing.writeHead(200, { 'content-type': contentType });
  if (fault === undefined) {
    outgoing.end(pieces.join(''));
    return;
  }
  const [first = ''] = pieces;
  // A completion in one piece is cut inside it.
  outgoing.write(pieces.length > 1 ? first : first.slice(0, 20), () => {
    if (fault.cut === 'quietly') outgoing.end();
    else outgoing.destroy();
  });
}

/** What an endpoint would say to a request that breaks its rules. */
function faultOf({ model, messages, tools }: ChatRequest): string | undefined {
  if (typeof model !== 'string' || model === '') return 'you must provide a model parameter';
  if (!Array.isArray(messages) || messages.length === 0) return "'messages' is too short";
  if (tools?.length === 0) return "'tools' is too short";
  const odd = tools?.find((tool) => !/^[\w-]{1,64}$/.test(tool.function.name));
  if (odd !== undefined) return `'${odd.function.name}' does not match the pattern of a function name`;
  return callFault(messages);
}

/** Each tool call has one tool message, before anything else is said. */
function callFault(messages: ChatRequest['messages']): string | undefined {
  const unanswered = 'each tool call must be followed by its tool message';
  const open = new Set<string>();
  for (const { role, tool_call_id, tool_calls = [] } of messages) {
    if (role !== 'tool' && open.size > 0) return unanswered;
    if (role === 'tool' && !open.delete(tool_call_id ?? '')) {
      return 'a tool message must follow the tool call it answers';
    }
    for (const call of tool_calls) open.add(call.id);
  }
  return open.size > 0 ? unanswered : undefined;
}

function refuse(outgoing: ServerResponse, status: number, message: string, retryAfter?: string): void {
  outgoing.writeHead(status, {
    'content-type': 'application/json',
    ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
  });
  outgoing.end(JSON.stringify({ error: { message, type: 'stub_error' } }));
}
