/**
 * Ending without losing a call. From the signal on nobody new gets in: the port is closed, idle connections too, and what
 * still comes over an open one is answered 503, `/readyz` included. Calls under way are answered before anything is cut.
 */
import type { Server, ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';

/** These answer as they are, so that whoever asks can see why everything else is refused. */
const HEALTH = /^\/(livez|healthz|readyz)(\?|$)/;
/** A stream that ends only when somebody ends it: nobody waits for its answer. */
const ENDLESS = 'subscriptions/listen';
/** One turn of the loop takes one waiting connection, so quiet is when nothing came for a few. */
const QUIET_TURNS = 8;
const QUIET_WITHIN_MS = 500;

export class Drain {
  readonly #open = new Set<ServerResponse>();
  readonly #empty = Promise.withResolvers<void>();
  #server: Server | undefined;
  #begun = false;

  get begun(): boolean {
    return this.#begun;
  }

  watch(app: FastifyInstance): void {
    this.#server = app.server;
    app.addHook('onRequest', (request, reply, next) => {
      if (this.#begun) void reply.header('connection', 'close');
      if (this.#begun && !HEALTH.test(request.url)) {
        void reply
          .code(503)
          .header('retry-after', '1')
          .send({ error: 'stopping', message: 'this router is stopping; nothing was done' });
        return;
      }
      if (request.method === 'POST') {
        this.#open.add(reply.raw);
        reply.raw.once('close', () => this.#done(reply.raw));
      }
      next();
    });
    app.addHook('preHandler', (request, reply, next) => {
      if ((request.body as { method?: unknown } | null | undefined)?.method === ENDLESS) this.#done(reply.raw);
      next();
    });
  }

  /** Ends when every call was answered, at the latest after `mostMs`; says how many were not. */
  async begin(mostMs: number): Promise<number> {
    this.#begun = true;
    // What the system holds already, a connection and then its request, is read first: closed unread it would be lost.
    await this.#quiet();
    this.#server?.close();
    // Whoever is answered now finds the connection closed behind the answer, and not by a reset.
    for (const answer of this.#open) if (!answer.headersSent) answer.shouldKeepAlive = false;
    if (this.#open.size === 0) this.#empty.resolve();
    const late = Promise.withResolvers<void>();
    const timer = setTimeout(late.resolve, mostMs);
    await Promise.race([this.#empty.promise, late.promise]);
    clearTimeout(timer);
    return this.#open.size;
  }

  async #quiet(): Promise<void> {
    let came = true;
    const heard = () => {
      came = true;
    };
    this.#server?.on('connection', heard).on('request', heard);
    const until = performance.now() + QUIET_WITHIN_MS;
    for (let turns = 0; turns < QUIET_TURNS && performance.now() < until; turns++) {
      if (came) turns = 0;
      came = false;
      await new Promise((resolve) => setImmediate(resolve));
    }
    this.#server?.off('connection', heard).off('request', heard);
  }

  #done(answer: ServerResponse): void {
    this.#open.delete(answer);
    if (this.#begun && this.#open.size === 0) this.#empty.resolve();
  }
}
