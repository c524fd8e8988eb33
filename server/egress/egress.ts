/**
 * The one place where the router opens a connection by HTTP or WebSocket. It connects only to an origin that the operator
 * named for this account or service, that SVC_MCP_EGRESS lists where it is set, and that is no special address. A test
 * (`egress.test.ts`) fails when another product file opens one. Redis is a connection of its own kind, to the address in
 * SVC_MCP_REDIS_URL; `svc-mcp-index download` is a command of its own with its own rules (`setup/https-file.ts`).
 */
import { isIP } from 'node:net';
import { RouterError } from '../errors.ts';
import {
  type ClientCertificate,
  checkedDispatcher,
  checkName,
  type Dispatcher,
  type NetworkSettings,
  type Resolve,
} from './dispatcher.ts';
import { sentOnce } from './sent-once.ts';
import { specialAddress } from './special-addresses.ts';

export interface EgressOptions {
  /** Origins of SVC_MCP_EGRESS; undefined where it is not set, and the named origins decide alone. */
  listed?: readonly string[] | undefined;
  resolve?: Resolve;
  network?: NetworkSettings;
}

export interface EgressRequest {
  /** Origins that the operator named for what sends this: those of the account, or that of the service. */
  named: ReadonlySet<string>;
  /** True for requests that may change something: the runtime never sends them a second time. */
  once?: boolean;
  /** Of the account, where a platform asks for one. */
  certificate?: ClientCertificate | undefined;
}

/** As a Node of our version has it: the standard one, with headers for the handshake. */
type HeaderedSocket = new (
  url: string,
  options: { headers: Readonly<Record<string, string>>; dispatcher: Dispatcher },
) => WebSocket;

export class Egress {
  readonly #listed: ReadonlySet<string> | undefined;
  readonly #resolve: Resolve | undefined;
  readonly #network: NetworkSettings | undefined;
  #connecting: Promise<Dispatcher> | undefined;
  /** One for each certificate, so that a connection which was made with it serves no other account. */
  readonly #certified = new WeakMap<ClientCertificate, Promise<Dispatcher>>();

  constructor({ listed, resolve, network }: EgressOptions = {}) {
    this.#listed = listed && new Set(listed);
    this.#resolve = resolve;
    this.#network = network;
  }

  /** Throws EGRESS_REFUSED where nothing may be sent to this URL. */
  check(url: string, named: ReadonlySet<string>): void {
    const { origin, hostname } = new URL(url);
    const kind = specialAddress(hostname);
    if (kind !== undefined) throw refused(origin, `is a ${kind} address, where no platform is`);
    if (!named.has(origin))
      throw refused(origin, 'is not an origin that the operator named for this account (base_url, token_url)');
    if (this.#listed !== undefined && !this.#listed.has(origin)) throw refused(origin, 'is not on SVC_MCP_EGRESS');
  }

  /** As the built-in fetch, after `check`, and no redirect is followed: it would go to an origin that was not checked. A name that leads to a special address is EGRESS_REFUSED too, nothing sent. */
  async fetch(url: string, init: RequestInit, { named, once = false, certificate }: EgressRequest): Promise<Response> {
    this.check(url, named);
    const connecting = await this.#dispatcher(certificate);
    const dispatcher = once ? sentOnce(connecting) : connecting;
    try {
      const redirect = init.redirect === 'error' ? 'error' : 'manual';
      return await fetch(url, { ...init, redirect, dispatcher } as RequestInit);
    } catch (error) {
      throw refusalIn(error) ?? error;
    }
  }

  /** A WebSocket that is being opened, after `check`. It follows no redirect. */
  async webSocket(
    url: string,
    headers: Readonly<Record<string, string>>,
    { named, certificate }: Pick<EgressRequest, 'named' | 'certificate'>,
  ): Promise<WebSocket> {
    this.check(url, named);
    // A WebSocket that cannot connect does not say why. The connection itself looks the name up again, and checks again.
    const { hostname } = new URL(url);
    if (isIP(hostname.replace(/^\[|\]$/g, '')) === 0) await checkName(hostname, this.#resolve);
    const dispatcher = await this.#dispatcher(certificate);
    return new (WebSocket as unknown as HeaderedSocket)(url.replace(/^http/, 'ws'), { headers, dispatcher });
  }

  #dispatcher(certificate: ClientCertificate | undefined): Promise<Dispatcher> {
    if (certificate === undefined) {
      this.#connecting ??= checkedDispatcher(this.#resolve, this.#network);
      return this.#connecting;
    }
    const known = this.#certified.get(certificate);
    if (known) return known;
    const connecting = checkedDispatcher(this.#resolve, this.#network, certificate);
    this.#certified.set(certificate, connecting);
    return connecting;
  }
}

function refused(origin: string, why: string): RouterError {
  return new RouterError('EGRESS_REFUSED', `${origin} ${why}; nothing was sent`, { details: { origin, sent: false } });
}

function refusalIn(error: unknown): RouterError | undefined {
  for (let found = error, depth = 0; found instanceof Error && depth < 5; found = found.cause, depth++)
    if (found instanceof RouterError && found.code === 'EGRESS_REFUSED') return found;
  return undefined;
}
