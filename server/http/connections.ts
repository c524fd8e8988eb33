/**
 * Limits of open connections. A connection on which a request has passed the guard is kept. The others share a limit
 * of their own; when it is reached, the oldest of them is closed. So clients that only connect cannot keep other
 * clients or a health check from connecting, and cannot displace a client at work. The places of those that are kept
 * are shared by the callers: whoever has the most makes room for one that has fewer.
 */
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Logger } from '../telemetry/logger.ts';
import type { GuardedRaw } from './guard.ts';

export interface ConnectionLimits {
  /** Connections in all. */
  connections: number;
  /** Of these, connections of which no request has passed the guard yet. */
  unproven: number;
}

/** A flood is told once in so long, with the number of those that gave way. */
const LOG_EVERY_MS = 1_000;

export class Connections {
  readonly #limits: ConnectionLimits;
  readonly #logger: Logger;
  /** In the order of their arrival. */
  readonly #unproven = new Set<Socket>();
  /** By their caller, in the order in which they were proven. */
  readonly #proven = new Map<string, Set<Socket>>();
  /** Requests of a connection that have no answer yet. */
  readonly #open = new WeakMap<Socket, number>();
  #dropped = 0;
  loggedAt = Number.NEGATIVE_INFINITY;

  constructor(limits: ConnectionLimits, logger: Logger) {
    this.#limits = limits;
    this.#logger = logger;
  }

  add(socket: Socket): void {
    socket.once('close', () => {
      this.#unproven.delete(socket);
      for (const [caller, kept] of this.#proven)
        if (kept.delete(socket) && kept.size === 0) this.#proven.delete(caller);
    });
    this.#unproven.add(socket);
    if (this.#unproven.size > this.#limits.unproven) this.#giveWay();
  }

  /** A request of this connection passed the guard. Where its caller has no place left, it stays among those that may give way. */
  prove(socket: Socket, caller: string): void {
    if (!this.#unproven.has(socket)) return;
    const kept = this.#proven.get(caller) ?? new Set();
    if (!this.#hasPlace(kept.size)) return;
    this.#unproven.delete(socket);
    this.#proven.set(caller, kept.add(socket));
  }

  /** Whether one more may be kept for a caller who has so many; takes the oldest place of whoever has the most. */
  #hasPlace(own: number): boolean {
    let most = new Set<Socket>();
    let all = 0;
    for (const kept of this.#proven.values()) {
      all += kept.size;
      if (kept.size > most.size) most = kept;
    }
    if (all < this.#limits.connections - this.#limits.unproven) return true;
    const [oldest] = most;
    if (oldest === undefined || most.size <= own + 1) return false;
    most.delete(oldest);
    this.#unproven.add(oldest);
    return true;
  }

  begin(socket: Socket): void {
    this.#open.set(socket, (this.#open.get(socket) ?? 0) + 1);
  }

  end(socket: Socket): void {
    this.#open.set(socket, (this.#open.get(socket) ?? 1) - 1);
  }

  /**
   * The oldest connection without an in-flight request, or else the oldest. Bytes received do not count: otherwise a
   * flood that sends a byte per connection would outlast a client that has just connected.
   */
  #giveWay(): void {
    const [oldest] = this.#unproven;
    for (const socket of this.#unproven) {
      if ((this.#open.get(socket) ?? 0) > 0) continue;
      this.#drop(socket);
      return;
    }
    if (oldest !== undefined) this.#drop(oldest);
  }

  #drop(socket: Socket): void {
    this.#unproven.delete(socket);
    socket.destroy();
    this.#dropped += 1;
    const now = performance.now();
    if (now - this.loggedAt < LOG_EVERY_MS) return;
    this.#logger.warn('http.too-many-connections', { most: this.#limits.unproven, dropped: this.#dropped });
    this.loggedAt = now;
    this.#dropped = 0;
  }
}

/** Before the guard: counts the in-flight requests of a connection. */
export function countRequests(app: FastifyInstance, connections: Connections): void {
  app.addHook('onRequest', (request, reply, next) => {
    const { socket } = request.raw;
    connections.begin(socket);
    reply.raw.once('close', () => connections.end(socket));
    next();
  });
}

/** After the guard: a request that it gave a caller is authorised. The open routes need no token, and have none. */
export function proveConnections(app: FastifyInstance, connections: Connections): void {
  app.addHook('onRequest', (request, _reply, next) => {
    const { auth, socket } = request.raw as GuardedRaw;
    if (auth !== undefined) connections.prove(socket, auth.clientId);
    next();
  });
}
