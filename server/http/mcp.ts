/** The MCP route. One path serves both protocol eras; what a request is decides its leg, not the session id it carries. */
import type { ServerResponse } from 'node:http';
import type { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import {
  classifyInboundRequest,
  createMcpHandler,
  isInitializeRequest,
  type McpServerFactory,
  type RequestId,
} from '@modelcontextprotocol/server';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PrincipalAccess } from '../access/access-policy.ts';
import type { ListedTools } from '../protocol/listed-tools.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { GuardedRaw } from './guard.ts';
import { exchange } from './http-exchange.ts';
import { type Session, type SessionLimits, Sessions } from './sessions.ts';
import { isSubscription, Subscriptions } from './subscriptions.ts';

export interface McpRouteOptions {
  factory: McpServerFactory;
  /** What `tools/list` answers, where it can change: each change is told to the clients that listen. */
  listed?: Pick<ListedTools, 'onChanged'>;
  /** No sessions: 2025-11-25 clients are served one request at a time and cannot be asked anything. */
  stateless: boolean;
  limits: SessionLimits;
  logger: Logger;
}

const JSON_TYPE = 'application/json';
const STREAM_TYPE = 'text/event-stream';
const LATER_REVISION = '2026-07-28';
const INITIALIZE_INVALID =
  'Invalid initialize request: params should be protocolVersion (text), capabilities (an object of objects, none of them null) and clientInfo (name and version, both text)';

export function addMcp(app: FastifyInstance, options: McpRouteOptions): Sessions {
  const onError = (error: unknown) => options.logger.debug('mcp.error', errorFields(error));
  const subscriptions = new Subscriptions();
  const sessions = new Sessions(options.factory, options.limits, onError);
  const handler = createMcpHandler(options.factory, {
    legacy: options.stateless ? 'stateless' : 'reject',
    onerror: onError,
  });

  app.route({
    method: ['GET', 'POST', 'DELETE'],
    url: '/mcp',
    handler: async (request, reply) => {
      // First of all, because the 2026-07-28 leg never looks at Accept.
      if (request.method === 'POST' && !accepts(request, JSON_TYPE, STREAM_TYPE)) {
        return reply
          .code(406)
          .send(rpcError(-32600, `Not Acceptable: Client must accept both ${JSON_TYPE} and ${STREAM_TYPE}`));
      }
      const initialize = legacyInitialize(request);
      // A rejected request goes there too: that leg owns the protocol's own error codes.
      if (options.stateless || initialize === undefined) {
        const { caller, access } = callerOf(request);
        if (isSubscription(request.body) && !subscriptions.enter(caller, reply.raw, access?.maxSessions))
          return reply.code(503).header('retry-after', '5').send(rpcError(-32000, 'Too many subscriptions'));
        reply.hijack();
        return exchange(handler, request.raw, reply.raw, request.body);
      }
      const transport = await sessionTransport(sessions, request, reply, initialize);
      if (transport === undefined) return reply;
      reply.hijack();
      await transport.handleRequest(request.raw, reply.raw, request.body);
    },
  });
  const forget = options.listed?.onChanged(() => {
    sessions.tellToolsChanged();
    handler.notify.toolsChanged();
  });
  app.addHook('preClose', async () => {
    forget?.();
    await handler.close();
    await sessions.close();
  });
  return sessions;
}

/**
 * Whether a 2025-11-25 request opens a session; undefined for a request of the later revision or of none. A lone message
 * under a header that names the later revision is never an earlier one, so it is not read twice: the library, which
 * decides in the end, reads it anyway.
 */
function legacyInitialize({ method, body, headers }: FastifyRequest): boolean | undefined {
  const version = one(headers['mcp-protocol-version']);
  if (
    method === 'POST' &&
    version === LATER_REVISION &&
    typeof (body as { method?: unknown } | null)?.method === 'string'
  )
    return undefined;
  const route = classifyInboundRequest({
    httpMethod: method,
    body,
    ...header('protocolVersionHeader', version),
    ...header('mcpMethodHeader', one(headers['mcp-method'])),
    ...header('mcpNameHeader', one(headers['mcp-name'])),
  });
  return route.kind === 'legacy' ? route.reason === 'initialize' : undefined;
}

/** The transport of this request's session, or undefined after an error was answered. */
async function sessionTransport(
  sessions: Sessions,
  request: FastifyRequest,
  reply: FastifyReply,
  initialize: boolean,
): Promise<NodeStreamableHTTPServerTransport | undefined> {
  const fail = (status: number, code: number, message: string) => {
    void reply.code(status).send(rpcError(code, message));
    return undefined;
  };
  if (request.method === 'GET' && !accepts(request, STREAM_TYPE))
    return fail(406, -32600, `Not Acceptable: Client must accept ${STREAM_TYPE}`);
  const id = one(request.headers['mcp-session-id']);
  const { caller: owner, access } = callerOf(request);
  if (id !== undefined) {
    const session = sessions.find(id, owner);
    if (!session) return fail(404, -32001, 'Session not found');
    // The stream before it may be of a connection that the client lost: for minutes nothing tells the router so.
    if (request.method === 'GET') session.transport.closeStandaloneSSEStream();
    countIn(session, request.body, reply.raw);
    return session.transport;
  }
  if (!initialize)
    return fail(
      400,
      -32000,
      'Bad Request: Mcp-Session-Id header is required (send initialize first, or use protocol revision 2026-07-28)',
    );
  // The library would answer that the server is not initialized.
  if (!Array.isArray(request.body) && !isInitializeRequest(request.body)) return fail(400, -32602, INITIALIZE_INVALID);
  if (sessions.full || sessions.fullFor(owner, access?.maxSessions)) {
    void reply.header('retry-after', '5');
    return fail(503, -32000, 'Too many sessions');
  }
  return sessions.create(owner);
}

function callerOf({ raw }: FastifyRequest): { caller: string; access: PrincipalAccess | undefined } {
  const { clientId = '', extra } = (raw as GuardedRaw).auth ?? {};
  return { caller: clientId, access: extra?.['access'] as PrincipalAccess | undefined };
}

/** A session is in use until each of its requests has been answered. */
function countIn(session: Session, body: unknown, answer: ServerResponse): void {
  session.lastUsed = performance.now();
  // Of a client that left while its request waited for its turn no end is told any more.
  if (answer.destroyed) return;
  const {
    id: own,
    method,
    params,
  } = (body ?? {}) as { id?: RequestId; method?: string; params?: { requestId?: unknown } };
  // An answer of the client has an id of the router's.
  const id = method === undefined ? undefined : own;
  session.open += 1;
  if (id !== undefined) session.calls.add(id);
  answer.once('close', () => {
    session.open -= 1;
    session.lastUsed = performance.now();
    if (id !== undefined) session.calls.delete(id);
    if (method === 'notifications/cancelled') endCancelled(session, params?.requestId as RequestId);
  });
}

/**
 * A cancelled call gets no answer, so nothing ends the stream that waits for it: the session would be in use as long as its client
 * lives, and a stop would wait for it. The stream of a batch belongs to other calls as well, and goes on.
 */
function endCancelled({ transport, calls }: Session, id: RequestId): void {
  if (calls.has(id)) transport.closeSSEStream(id);
}

function accepts(request: FastifyRequest, ...types: string[]): boolean {
  const offered = (request.headers.accept ?? '')
    .toLowerCase()
    .split(',')
    .filter((entry) => !/;\s*q=0(\.0*)?\s*(;|$)/.test(entry))
    .map((entry) => entry.split(';', 1)[0]?.trim());
  return types.every((type) => offered.includes(type));
}

export function rpcError(code: number, message: string) {
  return { jsonrpc: '2.0', error: { code, message }, id: null };
}

function one(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value[0] : value;
}

function header<K extends string>(name: K, value: string | undefined): { [P in K]?: string } {
  return (value === undefined ? {} : { [name]: value }) as { [P in K]?: string };
}
