/**
 * Vectors in the vector sets of a Redis 8: one set a collection, its elements named by the number of their passage. The server
 * has to prove what routers ask of any Redis, and then that it knows vector sets.
 */
import type { RedisClientType } from '@redis/client';
import type { RedisAddress } from '../../config/redis-address.ts';
import { connectRedis } from '../../storage/redis-connection.ts';
import { within } from '../../storage/redis-reply.ts';
import { Unavailable } from '../embedder.ts';
import type { DocumentRef, Near, NearWanted, PassageVector, VectorStore } from '../vector-store.ts';

export interface RedisVectorsOptions {
  address: RedisAddress;
  /** Corpus and model, so that neither two corpora nor two models share a set. */
  space: string;
  answerMs?: number;
}

const ANSWER_MS = 5_000;
/** Vectors on their way at once. */
const TOGETHER = 64;
/** Neighbours that a search looks at: more find more of the true nearest. */
const EXPLORE = 500;

export class RedisVectors implements VectorStore {
  readonly backend = 'redis';
  readonly #options: RedisVectorsOptions;
  #client: Promise<RedisClientType> | undefined;

  constructor(options: RedisVectorsOptions) {
    this.#options = options;
  }

  async put(collection: string, { source, platform }: DocumentRef, vectors: readonly PassageVector[]): Promise<void> {
    const key = this.#key(collection);
    const about = { SETATTR: { source: word(source), platform: word(platform) } };
    for (let from = 0; from < vectors.length; from += TOGETHER)
      await this.#ask((client) =>
        Promise.all(
          vectors
            .slice(from, from + TOGETHER)
            .map(({ passage, vector }) => client.vAdd(key, [...vector], String(passage), about)),
        ),
      );
  }

  async remove(collection: string, passages: readonly number[]): Promise<void> {
    const key = this.#key(collection);
    for (let from = 0; from < passages.length; from += TOGETHER)
      await this.#ask((client) =>
        Promise.all(passages.slice(from, from + TOGETHER).map((passage) => client.vRem(key, String(passage)))),
      );
  }

  async near(vector: Float32Array, { limit, collection, sources, platforms }: NearWanted): Promise<Near[]> {
    const filter = filterOf(sources ?? [], [...(platforms ?? [])]);
    const found = await this.#ask((client) =>
      client.vSimWithScores(this.#key(collection), [...vector], {
        COUNT: limit,
        EF: EXPLORE,
        ...(filter ? { FILTER: filter } : {}),
      }),
    );
    // Redis tells (1 + cosine) / 2.
    return Object.entries(found)
      .map(([passage, score]) => ({ passage: Number(passage), score: Number(score) * 2 - 1 }))
      .sort((a, b) => b.score - a.score);
  }

  count(collection: string): Promise<number> {
    return this.#ask((client) => client.vCard(this.#key(collection)));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    if (client?.isOpen) client.destroy();
  }

  #key(collection: string): string {
    return `svc-mcp:vectors:${this.#options.space}:${collection}`;
  }

  async #ask<T>(question: (client: RedisClientType) => Promise<T>): Promise<T> {
    const { address, answerMs = ANSWER_MS } = this.#options;
    const where = `the Redis at ${address.host}:${address.port}`;
    try {
      this.#client ??= this.#connect();
      return await within(question(await this.#client), answerMs);
    } catch (cause) {
      const client = await this.#client?.catch(() => undefined);
      this.#client = undefined;
      if (client?.isOpen) client.destroy();
      throw new Unavailable(whyOf(cause, where), { cause });
    }
  }

  async #connect(): Promise<RedisClientType> {
    const client = await connectRedis(this.#options.address);
    // A router that has nothing else to do ends all the same.
    client.unref();
    return client;
  }
}

/** What a filter compares; its grammar knows no way to write a quotation mark inside of one. */
const word = (text: string): string => encodeURIComponent(text);

function filterOf(sources: readonly string[], platforms: readonly string[]): string {
  const list = (values: readonly string[]) => JSON.stringify(values.map(word));
  return [
    ...(sources.length > 0 ? [`.source in ${list(sources)}`] : []),
    ...(platforms.length > 0 ? [`.platform in ${list(['', ...platforms])}`] : []),
  ].join(' and ');
}

function whyOf(cause: unknown, where: string): string {
  const said = cause instanceof Error ? cause.message : '';
  if (/unknown command/i.test(said)) return `${where} has no vector sets: it should be version 8 or newer`;
  if (/dimension mismatch/i.test(said)) return `${where} keeps vectors of another length for this model`;
  if (cause instanceof Error && cause.name === 'RouterError') return said;
  return `${where} does not answer`;
}
