/** Vectors in a real Redis 8, where there is one; and what is said of a Redis that cannot help. */
import { describe, expect, test } from 'vitest';
import { missing, startRedis } from '../../test/support/programs.ts';
import { corpus, holdVectorContract, vector } from '../../test/support/vector-contract.ts';
import { noVectorRedis, startVectorRedis } from '../../test/support/vector-redis.ts';
import { Unavailable } from '../embedder.ts';
import { RedisVectors } from './redis-vectors.ts';

const absent = noVectorRedis();

test.skipIf(absent)('keeps, finds, limits, replaces, counts and removes', async () => {
  using testbed = corpus();
  await using server = await startVectorRedis();
  await using vectors = new RedisVectors({ address: server.address, space: 'a corpus:a model' });
  await holdVectorContract(vectors, testbed);
});

describe('an unsuitable Redis is refused with the reason', () => {
  const address = { host: '127.0.0.1', tls: false, database: 0, username: undefined };
  const asked = (vectors: RedisVectors) => vectors.near(vector(), { limit: 1, collection: 'default' });

  test('nobody there', async () => {
    await using vectors = new RedisVectors({
      address: { ...address, port: 9, passwordPath: import.meta.filename },
      space: 's',
    });
    const error = await asked(vectors).catch((caught: unknown) => caught);
    expect(error).toBeInstanceOf(Unavailable);
    expect((error as Error).message).toBe('the Redis at 127.0.0.1:9 does not answer');
  });

  test.skipIf(absent)('a Redis that fails in the middle of a search', async () => {
    await using server = await startVectorRedis();
    await using vectors = new RedisVectors({ address: server.address, space: 's' });
    expect(await vectors.count('default')).toBe(0);
    await server.kill();
    await expect(vectors.count('default')).rejects.toBeInstanceOf(Unavailable);
  });

  test.skipIf(missing('redis-server'))('one without vector sets, where the installed one is that old', async () => {
    await using server = await startRedis();
    await using vectors = new RedisVectors({
      address: { ...address, port: server.port, passwordPath: server.passwordPath },
      space: 's',
    });
    const told = await asked(vectors).then(
      () => 'it knows vector sets',
      (error: Error) => error.message.replace(/\d{4,}/, 'PORT'),
    );
    expect([
      'it knows vector sets',
      'the Redis at 127.0.0.1:PORT has no vector sets: it should be version 8 or newer',
    ]).toContain(told);
  });
});
