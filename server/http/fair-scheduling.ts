/**
 * Fair scheduling of calls with everything else. Without it, a thousand calls that arrive together would run at once,
 * and a request to `/livez` would wait for all of them. So each turn of the event loop starts only a few calls. It
 * does not limit concurrency: a call that waits for a platform blocks no other. Principals take turns by their shares, and the
 * calls of one start in the order of arrival.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { PrincipalAccess } from '../access/access-policy.ts';
import { FairQueue, NOBODY, type Waiter } from '../principals/fair-queue.ts';
import type { GuardedRaw } from './guard.ts';

/** About two milliseconds of work, against what it costs to look around for others. */
const EACH_TURN = 4;

export class RequestQueue {
  readonly #waiting = new FairQueue<() => void>();
  #left = EACH_TURN;
  #next: NodeJS.Immediate | undefined;

  /** Calls `go` now, or in one of the next turns. */
  take(go: () => void, waiter: Waiter = NOBODY): void {
    this.#next ??= setImmediate(() => this.#turn());
    if (this.#left > 0) {
      this.#left -= 1;
      go();
    } else this.#waiting.add(go, waiter);
  }

  #turn(): void {
    const now: (() => void)[] = [];
    while (now.length < EACH_TURN && this.#waiting.size > 0) now.push(this.#waiting.next() as () => void);
    this.#left = EACH_TURN - now.length;
    this.#next = now.length > 0 ? setImmediate(() => this.#turn()) : undefined;
    for (const go of now) go();
  }
}

/** After the body was read and before anything is done with it: who sends slowly keeps nobody waiting. */
export function addFairScheduling(app: FastifyInstance): void {
  const turns = new RequestQueue();
  app.addHook('preHandler', (request, _reply, next) => {
    if (request.method === 'POST') turns.take(next, waiterOf(request));
    else next();
  });
}

function waiterOf({ raw }: FastifyRequest): Waiter {
  const { auth } = raw as GuardedRaw;
  const access = auth?.extra?.['access'] as PrincipalAccess | undefined;
  return { principal: auth?.clientId ?? '', ...(access?.share === undefined ? {} : { share: access.share }) };
}
