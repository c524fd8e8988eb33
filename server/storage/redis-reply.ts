/** An answer of Redis that came in time, or the one error that says there was none. */
import { RouterError } from '../errors.ts';

export function gone(cause?: unknown): RouterError {
  return new RouterError('REDIS_GONE', 'the Redis that the routers share does not answer', { cause });
}

const SLICES = 10;

/**
 * A promise that takes longer is given up; what it asked for may still happen. Time in which this process was busy hardly counts:
 * it may not have sent the question yet, and Redis is not gone for that.
 */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    const wait = (slices: number): void => {
      timer = setTimeout(async () => {
        if (slices > 1) return wait(slices - 1);
        // The answer may lie there unread: timers come before sockets.
        for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
        reject(new Error(`no answer within ${ms} ms`));
      }, ms / SLICES);
    };
    wait(SLICES);
  });
  promise.catch(() => undefined);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
