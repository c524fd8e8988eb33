/**
 * Stops the router without losing a call. After the signal the port is closed, `/readyz` reports the stop, and every
 * answer closes its connection. A proxy may still send over a keep-alive connection, so the router accepts calls on
 * those until none came for a moment; later calls get 503. It closes no connection with an in-flight call.
 */
import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { isSubscription } from './subscriptions.ts';

/** These answer as they are, so that whoever asks can see why everything else is refused. */
const HEALTH = /^\/(livez|healthz|readyz)(\?|$)/;
/** So long without a request over a connection from before the signal, and no more is expected. */
const QUIET_MS = 300;
const LOOK_EVERY_MS = 20;
/** Event loop turns without a new connection, and the longest wait, before the port is closed. */
const IDLE_TURNS = 3;
const LET_IN_MS = 1_000;

export class Drain {
  readonly #open = new Set<ServerResponse>();
  #server: Server | undefined;
  #begun = false;
  #shut = false;
  #lastRequest = 0;
  #arrived = 0;
  readonly #portClosed = Promise.withResolvers<void>();

  get begun(): boolean {
    return this.#begun;
  }

  watch(app: FastifyInstance): void {
    this.#server = app.server;
    app.server.on('connection', () => {
      this.#arrived += 1;
    });
    app.addHook('onRequest', (request, reply, next) => {
      if (this.#begun) void reply.header('connection', 'close');
      if (this.#begun) reply.raw.shouldKeepAlive = false;
      this.#lastRequest = performance.now();
      if (this.#shut && !HEALTH.test(request.url)) {
        void reply
          .code(503)
          .header('retry-after', '1')
          .send({ error: 'stopping', message: 'this router is stopping; nothing was done' });
        return;
      }
      if (request.method === 'POST') {
        this.#open.add(reply.raw);
        reply.raw.once('close', () => this.#open.delete(reply.raw));
      }
      // Between the signal and the closing of the port nothing but letting in is done, so that nobody is left standing there.
      if (this.#begun && !HEALTH.test(request.url)) void this.#portClosed.promise.then(() => next());
      else next();
    });
    app.addHook('preHandler', (request, reply, next) => {
      if (isSubscription(request.body)) this.#open.delete(reply.raw);
      next();
    });
  }

  /** Ends when every call was answered, at the latest after `mostMs`; says how many were not. */
  async begin(mostMs: number): Promise<number> {
    const began = performance.now();
    const late = () => performance.now() - began >= mostMs;
    const quiet = () => performance.now() - Math.max(began, this.#lastRequest) >= QUIET_MS;
    this.#begun = true;
    await this.#letIn(began + LET_IN_MS);
    // Only the port: Node's own close would cut kept connections, and with them what is just being sent over one.
    if (this.#server) NetServer.prototype.close.call(this.#server);
    this.#portClosed.resolve();
    for (const answer of this.#open) if (!answer.headersSent) answer.shouldKeepAlive = false;
    while (!late() && !quiet() && (await this.#connections()) > 0) await seen(LOOK_EVERY_MS);
    this.#shut = true;
    this.#server?.closeIdleConnections();
    while (!late() && this.#open.size > 0) await seen(LOOK_EVERY_MS);
    return this.#open.size;
  }

  /** Accepts connections that were established but not seen yet, one per event loop turn. */
  async #letIn(until: number): Promise<void> {
    for (let known = -1, still = 0; still < IDLE_TURNS && performance.now() < until; ) {
      await seen();
      still = this.#arrived === known ? still + 1 : 0;
      known = this.#arrived;
    }
  }

  #connections(): Promise<number> {
    return new Promise((resolve) => {
      if (this.#server) this.#server.getConnections((error, count) => resolve(error ? 0 : count));
      else resolve(0);
    });
  }
}

/** After a pause and what has arrived meanwhile: a timer alone fires before waiting sockets are read. */
async function seen(ms = 0): Promise<void> {
  if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
  for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
}
