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

/** URLs of proxies, empty for none, and the hosts that are reached without one, as in NO_PROXY. */
export interface ProxySettings {
  https: string;
  http: string;
  direct: string;
}

export interface NetworkSettings {
  proxy?: ProxySettings;
  /** Certificates in PEM, trusted beside those of the runtime. */
  ca?: string;
}

/** By which the router proves itself to a platform, both in PEM; the certificates of its issuers may follow the first. */
export interface ClientCertificate {
  cert: string;
  key: string;
  /** Milliseconds since 1970. */
  validUntil: number;
}

interface DispatcherOptions {
  connect: { lookup: Resolve; ca?: string[]; cert?: string; key?: string };
  requestTls?: { ca?: string[]; cert?: string; key?: string };
  proxyTls?: { ca: string[] };
  httpProxy?: string;
  httpsProxy?: string;
  noProxy?: string;
}

type DispatcherClass = new (options: DispatcherOptions) => Dispatcher;

/**
 * Another one of the runtime's own kind, which also follows NODE_USE_ENV_PROXY. A proxy resolves names itself, so only the
 * origin is checked then. Throws where the runtime has none, and CONFIG_INVALID where it has no proxies.
 */
export async function checkedDispatcher(
  resolve: Resolve = lookup as Resolve,
  { proxy, ca }: NetworkSettings = {},
  certificate?: ClientCertificate,
): Promise<Dispatcher> {
  await fetch('data:,');
  const trusted =
    ca === undefined ? undefined : { ca: [...process.getBuiltinModule('node:tls').getCACertificates('default'), ca] };
  const proven = certificate && { cert: certificate.cert, key: certificate.key };
  const options: DispatcherOptions = {
    connect: { lookup: checked(resolve), ...trusted, ...proven },
    // A proxy is shown no certificate of a platform's account.
    ...(trusted || proven ? { requestTls: { ...trusted, ...proven } } : {}),
    ...(trusted ? { proxyTls: trusted } : {}),
  };
  if (proxy === undefined) return new (classOf())(options);
  const { http: httpProxy, https: httpsProxy, direct } = proxy;
  // The router's own machine is never behind the proxy.
  const noProxy = direct.trim() === '*' ? '*' : [direct, ...LOOPBACK].filter((host) => host !== '').join(',');
  return new (proxyClass())({ ...options, httpProxy, httpsProxy, noProxy });
}

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

function classOf(): DispatcherClass {
  const runtime = (globalThis as unknown as Record<symbol, Dispatcher | undefined>)[RUNTIME];
  if (runtime === undefined) throw new Error('this runtime keeps its dispatcher elsewhere: nothing can be sent safely');
  return runtime.constructor as DispatcherClass;
}

/** The runtime's own class for proxies, which it shows only while it uses it. */
function proxyClass(): DispatcherClass {
  const { setGlobalProxyFromEnv } = process.getBuiltinModule('node:http') as unknown as {
    setGlobalProxyFromEnv?: (environment: Record<string, string>) => () => void;
  };
  if (process.env['NODE_USE_ENV_PROXY'] === '1') return classOf();
  if (setGlobalProxyFromEnv === undefined)
    throw new RouterError('CONFIG_INVALID', 'HTTPS_PROXY and HTTP_PROXY should be used with a newer Node', {
      remedy: 'update Node 24, or start the router with NODE_USE_ENV_PROXY=1',
    });
  const restore = setGlobalProxyFromEnv({ HTTP_PROXY: 'http://127.0.0.1:9' });
  try {
    return classOf();
  } finally {
    restore();
  }
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

/** The password of a proxy as it stands in its URL, and decoded. */
export function proxySecrets({ proxy }: NetworkSettings): string[] {
  return [proxy?.https, proxy?.http].flatMap((url) => {
    const password = url ? new URL(url).password : '';
    return password === '' ? [] : [password, decodeURIComponent(password)];
  });
}
