/**
 * What makes the connections of the built-in fetch and WebSocket. The one made here resolves a name itself when it connects
 * and refuses an address of `special-addresses.ts`, so the address that was checked is the address that is connected to.
 */
import { lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { RouterError } from '../errors.ts';
import { specialAddress } from './special-addresses.ts';

/** As the runtime's own HTTP client (undici) defines it, as far as it is used here. */
export interface Dispatcher {
  dispatch: (options: unknown, handler: unknown) => boolean;
}

/** Resolves a name; `dns.lookup` outside of tests. */
export type Resolve = LookupFunction;

/** Where the runtime keeps the dispatcher that its fetch uses; it is there from the first request on. */
const RUNTIME = Symbol.for('undici.globalDispatcher.1');

type DispatcherClass = new (options: { connect: { lookup: Resolve } }) => Dispatcher;

/** Another one of the runtime's own kind, which also follows NODE_USE_ENV_PROXY. Throws where the runtime has none. */
export async function checkedDispatcher(resolve: Resolve = lookup as Resolve): Promise<Dispatcher> {
  await fetch('data:,');
  const runtime = (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[RUNTIME];
  if (runtime === undefined) throw new Error('this runtime keeps its dispatcher elsewhere: nothing can be sent safely');
  return new (runtime.constructor as DispatcherClass)({ connect: { lookup: checked(resolve) } });
}

/** Throws EGRESS_REFUSED for a name that leads to a special address. One that does not resolve is left to the connection. */
export function checkName(hostname: string, resolve: Resolve = lookup as Resolve): Promise<void> {
  return new Promise((fulfil, reject) =>
    checked(resolve)(hostname, { all: true }, (error) => (error instanceof RouterError ? reject(error) : fulfil())),
  );
}

/** Refuses a name of which any address is special: which of them is connected to is not decided here. */
function checked(resolve: Resolve): Resolve {
  return (hostname, options, callback) =>
    resolve(hostname, options, (error, found, family) => {
      if (error) return callback(error, found, family);
      const addresses = typeof found === 'string' ? [found] : found.map(({ address }) => address);
      for (const address of addresses) {
        const kind = specialAddress(address);
        if (kind === undefined) continue;
        const message = `${hostname} resolves to ${address}, a ${kind} address, where no platform is`;
        return callback(
          new RouterError('EGRESS_REFUSED', message, { details: { host: hostname, sent: false } }),
          '',
          4,
        );
      }
      callback(null, found, family);
    });
}
