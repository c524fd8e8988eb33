/**
 * Limits of one client: bytes, time, connections. Node checks for overdue connections at an interval, so a time limit
 * acts between its value and its value plus `checkEveryMs`.
 */
import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../telemetry/logger.ts';
import type { ConnectionLimits, Connections } from './connections.ts';
import { newRequestId, REQUEST_ID, requestId } from './request-id.ts';

export interface HttpLimits extends ConnectionLimits {
  bodyBytes: number;
  headerBytes: number;
  /** From the first byte of a request to the end of its headers. */
  headersMs: number;
  /** From the first byte of a request to the end of its body; an answer may take as long as it takes. */
  requestMs: number;
  /** A connection without a request. */
  keepAliveMs: number;
  checkEveryMs: number;
  /** Requests of one connection that have no answer yet; a client that waits for each answer has one. */
  pipelined: number;
}

export const HTTP_LIMITS: HttpLimits = {
  bodyBytes: 1 << 20,
  headerBytes: 16 << 10,
  headersMs: 7_000,
  requestMs: 30_000,
  keepAliveMs: 10_000,
  checkEveryMs: 1_000,
  connections: 5_120,
  unproven: 4_096,
  pipelined: 16,
};

const NEWCOMERS = 64;
const UNKNOWN_EXPECTATION = '{"error":"expectation_failed","message":"Expect should be 100-continue"}';

/** Every server of the surface is made here: the framework makes a second one where `localhost` has two addresses. */
export function limitedServer(
  limits: HttpLimits,
  handler: RequestListener,
  logger: Logger,
  connections: Connections,
): Server {
  const server = createServer(
    {
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: limits.requestMs,
      keepAliveTimeout: limits.keepAliveMs,
      connectionsCheckingInterval: limits.checkEveryMs,
    },
    handler,
  );
  // Above what `Connections` lets stay, because it decides who gives way once a newcomer is there.
  server.maxConnections = limits.connections + NEWCOMERS;
  // A connection on which nothing ever comes is no request to Node, so its own limits do not count for it.
  server.on('connection', (socket: Socket) => {
    silent(socket, limits.headersMs);
    connections.add(socket);
  });
  server.on('checkExpectation', (request: IncomingMessage, response: ServerResponse) => {
    const id = requestId(request);
    logger.debug('http.refused', { request: id, status: 417, code: 'EXPECTATION' });
    response.writeHead(417, { 'content-type': 'application/json', [REQUEST_ID]: id }).end(UNKNOWN_EXPECTATION);
  });
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Socket) => refuse(error, socket, logger));
  return server;
}

function silent(socket: Socket, most: number): void {
  const timer = setTimeout(() => socket.destroy(), most).unref();
  socket.once('data', () => clearTimeout(timer)).once('close', () => clearTimeout(timer));
}

/** Node takes as many requests of one connection as arrive, whether or not anything was answered. */
export function addPipelineLimit(app: FastifyInstance, most: number): void {
  const open = new WeakMap<Socket, number>();
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    const before = open.get(socket) ?? 0;
    if (before >= most) {
      const message = `at most ${most} requests of one connection at a time`;
      return void reply.code(503).header('retry-after', '1').send({ error: 'too_many_requests', message });
    }
    open.set(socket, before + 1);
    reply.raw.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    next();
  });
}

const STATUS: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Input that is no HTTP, or too late: answered once if the socket is still writable, then closed. */
function refuse(error: NodeJS.ErrnoException, socket: Socket, logger: Logger): void {
  if (error.code === 'ECONNRESET' || socket.destroyed) return;
  const id = newRequestId();
  const status = STATUS[error.code ?? ''] ?? '400 Bad Request';
  logger.debug('http.refused', { request: id, status: Number(status.slice(0, 3)), code: error.code ?? 'unknown' });
  // Bytes after those of an answer that has begun would be read as part of it.
  const begun = (socket as Socket & { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent === true;
  if (!socket.writable || begun) return void socket.destroy();
  const body = '{"error":"bad_request","message":"the request could not be read"}';
  const head = [
    `HTTP/1.1 ${status}`,
    'content-type: application/json',
    `content-length: ${body.length}`,
    `${REQUEST_ID}: ${id}`,
  ];
  socket.end(`${head.join('\r\n')}\r\nconnection: close\r\n\r\n${body}`, () => socket.destroy());
}
