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

  #done(answer: ServerResponse): void {
    this.#open.delete(answer);
    if (this.#begun && this.#open.size === 0) this.#empty.resolve();
  }
}
