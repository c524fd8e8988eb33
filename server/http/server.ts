/** The HTTP surface: limits that really cut, the guard, the health routes and the MCP route. */
import { isUtf8 } from 'node:buffer';
import type { ServerResponse } from 'node:http';
import Fastify, { type FastifyInstance } from 'fastify';
import type { CredentialsState } from '../config/credentials.ts';
import type { HttpBinding } from '../config/listen-address.ts';
import { RouterError } from '../errors.ts';
import type { OAuthCallers } from '../oauth/oauth-callers.ts';
import type { ScopeDemand } from '../oauth/scope-demand.ts';
import type { Principals } from '../principals/principals.ts';
import { jsonProblem } from '../protocol/json-limits.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import type { MetricsSnapshot } from '../telemetry/metrics.ts';
import { Connections, countRequests, proveConnections } from './connections.ts';
import { Drain } from './drain.ts';
import { addFairScheduling } from './fair-scheduling.ts';
import { addGuard } from './guard.ts';
import { addHealth } from './health.ts';
import { addPipelineLimit, HTTP_LIMITS, type HttpLimits, limitedServer } from './limits.ts';
import { addMcp, type McpRouteOptions, rpcError } from './mcp.ts';
import { addMethods } from './methods.ts';
import { addMetrics } from './metrics-endpoint.ts';
import { addResourceMetadata, addStepUp } from './oauth-routes.ts';
import { addRequestLog, REQUEST_ID, requestId } from './request-id.ts';
import type { Sessions } from './sessions.ts';

export interface HttpOptions {
  binding: HttpBinding;
  credentials: () => CredentialsState;
  /** Absent = one bearer, or none. */
  principals?: Principals | undefined;
  /** Absent = no access tokens, and no metadata of a protected resource. */
  oauth?: OAuthCallers | undefined;
  /** Which scopes a message lacks; there wherever `oauth` is. */
  scopes?: ScopeDemand | undefined;
  /** Absent = no `/metrics` route. */
  metrics?: (sessions: Sessions) => MetricsSnapshot | Promise<MetricsSnapshot>;
  mcp: McpRouteOptions;
  logger: Logger;
  limits?: Partial<HttpLimits>;
  /** Begun by whoever stops the router. */
  drain?: Drain;
}

const UNREADABLE_TARGET = '{"error":"bad_request","message":"the target should be a path that can be decoded"}';

/** What the framework refuses before any hook runs, such as `/%zz`. */
function refuseTarget(logger: Logger) {
  return ({ code }: { code: string }, { id }: { id: string }, { raw }: { raw: ServerResponse }): void => {
    logger.debug('http.refused', { request: id, status: 400, code });
    raw.writeHead(400, { 'content-type': 'application/json', [REQUEST_ID]: id }).end(UNREADABLE_TARGET);
  };
}

export function buildHttp(options: HttpOptions): FastifyInstance {
  const limits = { ...HTTP_LIMITS, ...options.limits };
  const connections = new Connections(limits, options.logger);
  const app = Fastify({
    bodyLimit: limits.bodyBytes,
    forceCloseConnections: true,
    return503OnClosing: true,
    exposeHeadRoutes: false,
    genReqId: requestId,
    frameworkErrors: refuseTarget(options.logger),
    serverFactory: (handler) => limitedServer(limits, handler, options.logger, connections),
  });
  acceptJsonOnly(app);
  app.setErrorHandler((error: Error & { statusCode?: number; code?: string; rpcCode?: number }, request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) options.logger.error('http.failed', { request: request.id, ...errorFields(error) });
    const parse = /JSON_BODY|JSON_EMPTY/.test(error.code ?? '') || error instanceof SyntaxError;
    const code = error.rpcCode ?? (parse ? -32700 : -32000);
    return reply.code(status).send(rpcError(code, status >= 500 ? 'Internal error' : error.message));
  });
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'not_found', message: 'no such route' }));
  addRequestLog(app, options.logger);
  countRequests(app, connections);
  addPipelineLimit(app, limits.pipelined);
  const drain = options.drain ?? new Drain();
  drain.watch(app);
  addGuard(app, options.binding, options.principals, options.oauth);
  proveConnections(app, connections);
  addMethods(app, { metrics: options.metrics !== undefined, oauth: options.oauth !== undefined });
  addHealth(app, { credentials: options.credentials, stopping: () => drain.begun, principals: options.principals });
  if (options.oauth) addResourceMetadata(app, options.oauth);
  addFairScheduling(app);
  if (options.oauth && options.scopes) addStepUp(app, options.oauth, options.scopes);
  const sessions = addMcp(app, options.mcp);
  const { metrics } = options;
  if (metrics) addMetrics(app, () => metrics(sessions));
  return app;
}

/** Binds, and says in our own words why it could not. */
export async function listen(
  app: FastifyInstance,
  { host, port }: HttpBinding,
): Promise<{ host: string; port: number }> {
  try {
    await app.listen({ host, port });
  } catch (cause) {
    const code = (cause as NodeJS.ErrnoException).code;
    await app.close();
    if (code === 'EADDRINUSE')
      throw new RouterError('PORT_IN_USE', `MCP_PORT=${port} on ${host} is in use by another process`, { cause });
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EACCES')
      throw new RouterError('ADDRESS_UNAVAILABLE', `${host}:${port} cannot be bound (${code})`, { cause });
    throw cause;
  }
  const address = app.server.address();
  return { host, port: typeof address === 'object' && address !== null ? address.port : port };
}

/**
 * text/plain is not JSON, and a DELETE with a JSON type and no body is not an error. JSON is UTF-8, whatever charset is named (RFC
 * 8259, section 8.1): other bytes would be read as U+FFFD, which differs from what the client wrote.
 */
function acceptJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeContentTypeParser(['text/plain', 'application/json']);
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    if (bytes.length === 0 && request.method !== 'POST') done(null, undefined);
    else if (!isUtf8(bytes)) done(refusedBody(-32700, 'Parse error: the body should be UTF-8, got other bytes'));
    else
      parse(request, bytes.toString('utf8'), (error, parsed) => {
        const wrong = error ?? invalidRequest(parsed);
        if (wrong) done(wrong);
        else done(null, parsed);
      });
  });
}

/** Refuses a message of too many levels, and one that holds text that is no Unicode text outside of a tool's arguments: those are the tool's to refuse. */
function invalidRequest(body: unknown): Error | undefined {
  const { method, params } = (body ?? {}) as { method?: unknown; params?: { arguments?: unknown } | null };
  const isCall = method === 'tools/call' && typeof params === 'object' && params !== null;
  const beside = isCall ? { ...(body as object), params: { ...params, arguments: undefined } } : body;
  const problem = jsonProblem(body, { text: false }) ?? jsonProblem(beside, { depth: false });
  if (problem === undefined) return undefined;
  const message = `Invalid Request: \`${problem.pointer || '/'}\` should be ${problem.expected}, got ${problem.got}`;
  return refusedBody(-32600, message);
}

const refusedBody = (rpcCode: number, message: string): Error =>
  Object.assign(new Error(message), { statusCode: 400, rpcCode });
