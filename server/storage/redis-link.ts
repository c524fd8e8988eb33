/**
 * The connection to the Redis that routers share. It is up only after the server proved that it asks for a password,
 * accepts ours, and keeps what it stores. After a failure the router reconnects, as long as it runs.
 *
 * While the connection is down, every command fails at once with REDIS_GONE. The caller decides what follows, and no
 * call waits.
 */
import { randomBytes } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { RedisClientType } from '@redis/client';
import type { RedisAddress } from '../config/redis-address.ts';
import { RouterError } from '../errors.ts';
import { errorFields, type Logger } from '../telemetry/logger.ts';
import { connectRedis } from './redis-connection.ts';
import { gone, within } from './redis-reply.ts';

/** A Lua program that Redis runs as one step, with its keys and arguments. */
export interface Script {
  lua: string;
  keys: readonly string[];
  args: readonly (string | number)[];
}

export interface RedisLinkOptions {
  address: RedisAddress;
  logger: Logger;
  answerMs?: number;
}

/** Redis answers in well under a millisecond; one that needs this long is as good as gone. */
const ANSWER_MS = 500;
const PAUSES_MS = [50, 100, 200, 400];

export class RedisLink {
  /** Tells this router from the others. */
  readonly self = randomBytes(9).toString('base64url');
  readonly #address: RedisAddress;
  readonly #logger: Logger;
  readonly #answerMs: number;
  readonly #greetings: ((run: (script: Script) => Promise<unknown>) => Promise<void>)[] = [];
  readonly #firstTry = Promise.withResolvers<void>();
  readonly #closed = new AbortController();
  #client: RedisClientType | undefined;
  #started = false;

  constructor({ address, logger, answerMs = ANSWER_MS }: RedisLinkOptions) {
    this.#address = address;
    this.#logger = logger;
    this.#answerMs = answerMs;
    // A caller that awaits `ready` gets the failure. Without one the rejection must not end the process.
    this.#firstTry.promise.catch(() => undefined);
  }

  get up(): boolean {
    return this.#client !== undefined;
  }

  /** Done on every new connection, before anybody else may use it. */
  onGreeting(greet: (run: (script: Script) => Promise<unknown>) => Promise<void>): void {
    this.#greetings.push(greet);
  }

  /** Connects, and ends after the first try: refused for good with REDIS_REFUSED, else up, or gone and being tried again. */
  ready(): Promise<void> {
    if (!this.#started) {
      this.#started = true;
      void this.#keep();
    }
    return this.#firstTry.promise;
  }

  /** The answer of Redis; REDIS_GONE without one. */
  async run(script: Script): Promise<unknown> {
    const client = this.#client;
    if (client === undefined) throw gone();
    try {
      return await this.#ask(client, script);
    } catch (cause) {
      this.#drop(client, cause);
      throw gone(cause);
    }
  }

  /** The state of the server is unknown after a reconnect: prove it again. */
  reconnect(why: string): void {
    if (this.#client) this.#drop(this.#client, new Error(why));
  }

  close(): void {
    this.#closed.abort();
    this.#client?.destroy();
    this.#client = undefined;
  }

  async #keep(): Promise<void> {
    let told = '';
    for (let failures = 0; !this.#closed.signal.aborted; failures++) {
      try {
        const { ended } = await this.#connect();
        this.#firstTry.resolve();
        this.#logger.info('redis.up', { host: this.#address.host, port: this.#address.port });
        failures = 0;
        told = '';
        await ended;
      } catch (error) {
        const why = String(error);
        // Tried some times a second: each reason is told once.
        if (why !== told) this.#logger.warn('redis.gone', errorFields(error));
        told = why;
        if (error instanceof RouterError && error.code === 'REDIS_REFUSED') this.#firstTry.reject(error);
        this.#firstTry.resolve();
      }
      await this.#pause(PAUSES_MS[Math.min(failures, PAUSES_MS.length - 1)] as number);
    }
  }

  /** Up when it returns; `ended` comes with the end of the connection. */
  async #connect(): Promise<{ ended: Promise<void> }> {
    const client = await connectRedis(this.#address, (password) => this.#logger.secrets.hold('redis', [password]));
    try {
      for (const greet of this.#greetings) await greet((script) => this.#ask(client, script));
    } catch (cause) {
      client.destroy();
      throw gone(cause);
    }
    if (this.#closed.signal.aborted || !client.isReady) {
      client.destroy();
      throw gone();
    }
    const ended = new Promise<void>((resolve) => {
      for (const event of ['end', 'error']) client.once(event, () => resolve());
    }).then(() => this.#drop(client, new Error('the connection ended')));
    this.#client = client;
    return { ended };
  }

  #ask(client: RedisClientType, { lua, keys, args }: Script): Promise<unknown> {
    const asked = client.eval(lua, { keys: [...keys], arguments: args.map(String) });
    return within(asked, this.#answerMs);
  }

  #drop(client: RedisClientType, cause: unknown): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    if (!this.#closed.signal.aborted) this.#logger.warn('redis.gone', errorFields(cause));
    if (client.isOpen) client.destroy();
  }

  /** Ends at once when the link is closed. */
  async #pause(ms: number): Promise<void> {
    const { signal } = this.#closed;
    await setTimeout(ms * (0.75 + Math.random() / 2), undefined, { signal, ref: false }).catch(() => undefined);
  }
}
