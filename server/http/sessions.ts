/**
 * Sessions exist for one reason: a 2025-11-25 client can only be asked for confirmation over a connection it keeps.
 * Nothing else lives in one.
 */
import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import type { McpServerFactory, RequestId, Server } from '@modelcontextprotocol/server';

export interface SessionLimits {
  ttlMs: number;
  max: number;
}

export interface Session {
  transport: NodeStreamableHTTPServerTransport;
  server: Server;
  owner: string;
  /** Requests that are being answered: such a session is never swept. */
  open: number;
  /** Those of them that came alone in their message, by the id that their client gave them. */
  calls: Set<RequestId>;
  /** By the clock that nobody can set: a machine that wakes from sleep has jumped ahead. */
  lastUsed: number;
}

export const SESSION_LIMITS: SessionLimits = { ttlMs: 30 * 60_000, max: 512 };

export class Sessions {
  readonly #factory: McpServerFactory;
  readonly #limits: SessionLimits;
  readonly #sessions = new Map<string, Session>();
  readonly #onError: (error: unknown) => void;
  readonly #sweep: NodeJS.Timeout;

  constructor(factory: McpServerFactory, limits: SessionLimits, onError: (error: unknown) => void) {
    this.#factory = factory;
    this.#limits = limits;
    this.#onError = onError;
    this.#sweep = setInterval(() => this.#dropIdle(), Math.min(limits.ttlMs, 30_000)).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  get full(): boolean {
    return this.#sessions.size >= this.#limits.max;
  }

  /** Whether a principal has as many sessions as it may; undefined is no limit of its own. */
  fullFor(owner: string, most: number | undefined): boolean {
    if (most === undefined) return false;
    let own = 0;
    for (const session of this.#sessions.values()) if (session.owner === owner) own += 1;
    return own >= most;
  }

  /** Another principal's session does not exist for this one. */
  find(id: string, owner: string): Session | undefined {
    const session = this.#sessions.get(id);
    return session?.owner === owner ? session : undefined;
  }

  async create(owner: string): Promise<Session['transport']> {
    const server = (await this.#factory({ era: 'legacy' })) as Server;
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => {
        this.#sessions.set(id, { transport, server, owner, open: 0, calls: new Set(), lastUsed: performance.now() });
      },
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
      },
    });
    await server.connect(transport);
    return transport;
  }

  /** Sends every client that has a session the notification that its list of tools changed. */
  tellToolsChanged(): void {
    for (const { server } of this.#sessions.values()) void server.sendToolListChanged().catch(this.#onError);
  }

  async close(): Promise<void> {
    clearInterval(this.#sweep);
    await Promise.all([...this.#sessions.keys()].map((id) => this.#drop(id)));
  }

  #dropIdle(): void {
    const before = performance.now() - this.#limits.ttlMs;
    for (const [id, session] of this.#sessions)
      if (session.open === 0 && session.lastUsed < before) void this.#drop(id);
  }

  async #drop(id: string): Promise<void> {
    const session = this.#sessions.get(id);
    this.#sessions.delete(id);
    await session?.server.close().catch(this.#onError);
  }
}
