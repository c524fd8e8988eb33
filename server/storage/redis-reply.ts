/** An answer of Redis that came in time, or the one error that says there was none. */
import { RouterError } from '../errors.ts';

export function gone(cause?: unknown): RouterError {
  return new RouterError('REDIS_GONE', 'the Redis that the routers share does not answer', { cause });
}

/** A promise that takes longer is given up; what it asked for may still happen. */
export function within<T>(promise: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(async () => {
      // In a process that was busy the answer may lie there unread: timers come before sockets.
      for (let turn = 0; turn < 2; turn++) await new Promise(setImmediate);
      reject(new Error(`no answer within ${ms} ms`));
    }, ms);
  });
  promise.catch(() => undefined);
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}
