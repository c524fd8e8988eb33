/**
 * Calls take turns with everything else. A thousand that arrive at once would otherwise be worked off in one go, and
 * whoever asks for `/livez` would stand behind them all; so only a few are let on in each turn of the event loop.
 * Nobody is limited: who waits for a platform stands in nobody's way, and each caller comes in the order of arrival.
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
