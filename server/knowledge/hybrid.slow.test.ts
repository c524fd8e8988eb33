/** Words and meaning together: what needs processes that are killed, and a real Redis 8, where there is one. */
import { afterEach, describe, expect, test } from 'vitest';
import { loadConfig } from '../config/config.ts';
import { closeAll, later, testbed, testOfKills, testsOfHybrid } from '../test/support/hybrid-suite.ts';
import type { OllamaServerOptions } from '../test/support/ollama-server.ts';
import { noVectorRedis, startVectorRedis } from '../test/support/vector-redis.ts';
import { corpusFile, openSemantic } from './corpus.ts';
import { EmbeddedStore } from './embedded-store.ts';

afterEach(closeAll);

describe('with vectors in the corpus file', () => testOfKills(testbed));

describe.skipIf(noVectorRedis())('with vectors in a Redis', () => {
  const open = async (options?: OllamaServerOptions) => {
    const redis = await startVectorRedis();
    later(() => redis[Symbol.asyncDispose]());
    return testbed(options, redis);
  };
  testsOfHybrid('redis', open);
  testOfKills(open);

  test('a Redis that forgot everything gets its vectors again', async () => {
    const redis = await startVectorRedis();
    later(() => redis[Symbol.asyncDispose]());
    const { take, ask, folder, environment } = await testbed({}, redis);
    expect(await take()).toMatchObject({ made: 3 });
    const config = loadConfig({ env: environment(), cwd: folder });
    using store = new EmbeddedStore(corpusFile(config.stateDir));
    await using semantic = await openSemantic(config, store);
    await semantic!.vectors.remove(
      'default',
      store.passages('default').map(({ id }) => id),
    );
    expect((await ask('shallow water fishing')).how).toMatchObject({
      retrieval: 'lexical',
      degraded: expect.stringContaining('has lost the vectors'),
    });
    expect(await take()).toMatchObject({ made: 3, waiting: 0 });
    expect((await ask('shallow water fishing')).how).toEqual({ retrieval: 'hybrid', embedder: 'nomic-embed-text' });
  });
});
