/**
 * Fair scheduling of calls with everything else. Without it, a thousand calls that arrive together would run at once,
 * and a request to `/livez` would wait for all of them. So each turn of the event loop starts only a few calls. It
 * does not limit concurrency: a call that waits for a platform blocks no other, and calls start in the order of
 * arrival.
 */
import type { FastifyInstance } from 'fastify';

/** About two milliseconds of work, against what it costs to look around for others. */
const EACH_TURN = 4;

export class RequestQueue {
  readonly #waiting: (() => void)[] = [];
  #left = EACH_TURN;
  #next: NodeJS.Immediate | undefined;

  /** Calls `go` now, or in one of the next turns. */
  take(go: () => void): void {
    this.#next ??= setImmediate(() => this.#turn());
    if (this.#left > 0) {
      this.#left -= 1;
      go();
    } else this.#waiting.push(go);
  }

  #turn(): void {
    const now = this.#waiting.splice(0, EACH_TURN);
    this.#left = EACH_TURN - now.length;
    this.#next = now.length > 0 ? setImmediate(() => this.#turn()) : undefined;
    for (const go of now) go();
  }
}

/** After the body was read and before anything is done with it: who sends slowly keeps nobody waiting. */
export function addFairScheduling(app: FastifyInstance): void {
  const turns = new RequestQueue();
  app.addHook('preHandler', (request, _reply, next) => {
    if (request.method === 'POST') turns.take(next);
    else next();
  });
}
