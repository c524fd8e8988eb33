/**
 * The bridge between one agent and one subject: a loopback MCP address for the agent, the harness's own client towards
 * the subject. Every message passes here and is written down; elicitations go to the person and never to the agent.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { Transport as McpTransport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Message, Task } from '../recording/recording.ts';
import { openLoopback } from './loopback.ts';
import { type CallResult, withStructuredText } from './protocol-client.ts';
import { answerElicitation } from './scenario-approver.ts';
import type { Upstream } from './upstream.ts';

/** A message with when it was sent, in milliseconds since the session began, and how long its answer took. */
export type TimedMessage = Message & { atMs: number; tookMs: number };

export interface BridgeSession {
  url: string;
  transcript: TimedMessage[];
  /** Passes no more messages and cancels the calls that wait. True when the subject may still be at work on a call. */
  end: () => Promise<boolean>;
}

export interface SessionOptions {
  upstream: Upstream;
  approvals: readonly string[];
  /** Write → the only body that is approved. */
  bodies?: Task['bodies'];
  /** The subject asks in its own words, which name no request. */
  ownWords?: boolean | undefined;
  maxCalls: number;
  /** Ledger sequence numbers since the last question, so that a message can be joined with its platform calls. */
  newCalls: () => Promise<number[]>;
}

export interface Bridge extends AsyncDisposable {
  open: (options: SessionOptions) => Promise<BridgeSession>;
  close: () => Promise<void>;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export async function openBridge(): Promise<Bridge> {
  const sessions = new Map<string, Handler>();
  const server = createServer((request, response) => {
    const handler = sessions.get(request.url ?? '');
    if (handler === undefined || request.method !== 'POST') {
      response.writeHead(handler === undefined ? 404 : 405).end();
      return;
    }
    handler(request, response).catch((error: unknown) => {
      if (!response.headersSent) response.writeHead(500).end(String(error));
    });
  });
  const loopback = await openLoopback(server);
  return {
    close: loopback.close,
    [Symbol.asyncDispose]: loopback.close,
    open: async (options) => {
      // Unguessable, so that an agent that outlives its run cannot speak into the next one.
      const path = `/${randomBytes(12).toString('hex')}/mcp`;
      const { transcript, handler, cancel } = await startSession(options);
      sessions.set(path, handler);
      const end = () => {
        sessions.delete(path);
        return cancel();
      };
      return { url: `${loopback.url}${path}`, transcript, end };
    },
  };
}

interface StartedSession extends Pick<BridgeSession, 'transcript'> {
  handler: Handler;
  cancel: BridgeSession['end'];
}

async function startSession(options: SessionOptions): Promise<StartedSession> {
  const { upstream, approvals, bodies, ownWords, maxCalls, newCalls } = options;
  const started = performance.now();
  const now = () => Math.round((performance.now() - started) * 10) / 10;
  const transcript: TimedMessage[] = [];
  const write = (message: Omit<TimedMessage, 'n'>) => {
    transcript.push({ n: transcript.length + 1, ...message });
  };
  const atList = now();
  const tools = await upstream.listTools();
  const instructions = upstream.instructions ?? null;
  write({ kind: 'initialize', atMs: atList, tookMs: 0, sent: null, received: instructions });
  write({ kind: 'list', atMs: atList, tookMs: now() - atList, sent: null, received: tools });
  upstream.askApprover((message) => {
    const answer = answerElicitation(message, approvals, bodies, ownWords);
    write({ kind: 'elicitation', atMs: now(), tookMs: 0, sent: message, received: answer });
    return answer;
  });
  const ended = new AbortController();
  const waiting = new Set<Promise<unknown>>();
  let unanswered = false;
  let calls = 0;
  const call = async (tool: string, args: Record<string, unknown>) => {
    ended.signal.throwIfAborted();
    if (++calls > maxCalls) throw new Error(`no more than ${maxCalls} calls`);
    const atMs = now();
    const { result, error } = await resultOf(upstream.callTool(tool, args, ended.signal));
    if (ended.signal.aborted || error?.code === ErrorCode.RequestTimeout) unanswered = true;
    // Without the harness's own question for the ledger.
    const tookMs = Math.round((now() - atMs) * 10) / 10;
    const received = receivedIn(result);
    const made = await newCalls();
    write({ kind: 'call', atMs, tookMs, tool, sent: args, received, isError: result.isError, calls: made });
    if (error !== undefined) upstream.assertOpen();
    return result;
  };
  const handler: Handler = async (request, response) => {
    const server = new Server(
      { name: 'bridge', version: '1' },
      { capabilities: { tools: {} }, ...(instructions === null ? {} : { instructions }) },
    );
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: tools as never[] }));
    server.setRequestHandler(
      CallToolRequestSchema,
      async ({ params }) => (await tracked(call(params.name, params.arguments ?? {}), waiting)) as never,
    );
    const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
    await server.connect(transport as McpTransport);
    response.on('close', () => void server.close());
    await transport.handleRequest(request, response);
  };
  const cancel = async () => {
    ended.abort();
    await Promise.allSettled(waiting);
    return unanswered;
  };
  return { transcript, handler, cancel };
}

function tracked<T>(promise: Promise<T>, open: Set<Promise<unknown>>): Promise<T> {
  open.add(promise);
  return promise.finally(() => open.delete(promise));
}

/**
 * An error of the protocol or of the transport, and a call that takes too long, are failed calls as a client hands them to
 * its model: a server may decline in this form. What it says may hold what it must not say, so it is written down too.
 */
async function resultOf(
  called: Promise<CallResult>,
): Promise<{ result: CallResult; error?: Error & { code?: unknown } }> {
  try {
    return { result: withStructuredText(await called) };
  } catch (cause) {
    const error = cause as Error;
    return { result: { isError: true, content: [{ type: 'text', text: error.message }] }, error };
  }
}

/** The text of each block, and blocks of another kind as they are. */
const receivedIn = ({ content }: CallResult): unknown[] =>
  content.map((block) => {
    const { type, text } = block as { type: string; text?: string };
    return type === 'text' ? text : block;
  });
