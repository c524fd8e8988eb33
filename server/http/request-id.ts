/** One id per request: on its answer, in the log, and taken over from a proxy in front where it is fit to be logged. */
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../telemetry/logger.ts';

export const REQUEST_ID = 'x-request-id';

const FIT = /^[A-Za-z0-9._-]{8,64}$/;
const PROCESS = randomBytes(6).toString('hex');
let count = 0;

export function newRequestId(): string {
  count += 1;
  return `${PROCESS}-${count.toString(36)}`;
}

export function requestId({ headers }: IncomingMessage): string {
  const given = headers[REQUEST_ID];
  return typeof given === 'string' && FIT.test(given) ? given : newRequestId();
}

/** First of all hooks, so that a refusal carries it too. */
export function addRequestLog(app: FastifyInstance, logger: Logger): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.raw.setHeader(REQUEST_ID, request.id);
    done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const path = request.url.split('?', 1)[0] ?? '';
    const { statusCode } = reply.raw;
    logger.debug('http.answered', {
      request: request.id,
      method: request.method,
      path: path.slice(0, 100),
      status: statusCode,
      ms: Math.round(reply.elapsedTime),
    });
    done();
  });
}
