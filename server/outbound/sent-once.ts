/**
 * The built-in fetch sends a request again by itself when a server answers 421 (Fetch standard, HTTP-network-or-cache
 * fetch, step 16), whatever its method. This dispatcher lets one request through per use, so a write cannot go out twice.
 */

interface Dispatcher {
  dispatch: (options: unknown, handler: unknown) => boolean;
}

/** Where the runtime keeps the dispatcher that its fetch uses; it is there from the first request on. */
const RUNTIME = Symbol.for('undici.globalDispatcher.1');

/** Further options for one fetch. */
export async function sentOnce(): Promise<RequestInit> {
  const runtime = (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[RUNTIME] ?? (await loaded());
  let sent = false;
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => {
      if (sent) throw new Error('a request that may write is sent once');
      sent = true;
      return runtime.dispatch(options, handler);
    },
  };
  return { dispatcher } as unknown as RequestInit;
}

async function loaded(): Promise<Dispatcher> {
  await fetch('data:,');
  const runtime = (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[RUNTIME];
  if (runtime === undefined)
    throw new Error('this runtime keeps its dispatcher elsewhere: no write can be sent safely');
  return runtime;
}
