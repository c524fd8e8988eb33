/** Vectors in the corpus file: the contract, and what only a file shared between processes has to hold. */
import { afterAll, describe, expect, test } from 'vitest';
import { corpus, holdVectorContract, vector } from '../../test/support/vector-contract.ts';
import { normal } from '../embedder.ts';
import { EmbeddedVectors, product } from './embedded.ts';

test('keeps, finds, limits, replaces, counts and removes', async () => {
  using testbed = corpus();
  await using vectors = new EmbeddedVectors(testbed.file, { candidates: 60 });
  await holdVectorContract(vectors, testbed);
});

describe('the corpus file', () => {
  const testbed = corpus();
  const { file, store, places, put } = testbed;
  afterAll(() => testbed[Symbol.dispose]());

  test('a reader sees what another process wrote, and nothing of a deleted document', async () => {
    await using writer = new EmbeddedVectors(file);
    await using reader = new EmbeddedVectors(file, { readOnly: true });
    const wanted = { limit: 3, collection: 'default' };
    const kept = put('a.md', 0);
    expect(await reader.near(kept[0]!.vector, wanted)).toEqual([]);
    await writer.put('default', places[0]!, kept);
    expect((await reader.near(kept[0]!.vector, wanted))[0]!.passage).toBe(kept[0]!.passage);
    store.remove('default', 'a.md');
    expect(await reader.near(kept[0]!.vector, wanted)).toEqual([]);
    expect(await reader.count('default')).toBe(0);
  });

  test('vectors of another length are never compared', async () => {
    await using vectors = new EmbeddedVectors(file);
    const [first, second] = put('b.md', 0);
    await vectors.put('default', places[0]!, [{ ...first!, vector: normal([1, 2, 3]) as Float32Array }, second!]);
    const near = await vectors.near(second!.vector, { limit: 5, collection: 'default' });
    expect(near.map(({ passage }) => passage)).toEqual([second!.passage]);
  });

  test('the pair finds nearly all of what an exact search finds', async () => {
    await using vectors = new EmbeddedVectors(file, { candidates: 200 });
    const kept = Array.from({ length: 25 }, (_, n) => put(`many/${n}.md`, n % 3)).flat();
    await vectors.put('default', places[0]!, kept);
    let hits = 0;
    for (let asked = 0; asked < 20; asked++) {
      // A question lies near a passage, as questions do.
      const about = kept[asked * 40]!.vector;
      const question = normal([...vector()].map((value, at) => value * 0.6 + about[at]!)) as Float32Array;
      const best = kept
        .map((one) => ({ passage: one.passage, score: product(one.vector, question) }))
        .sort((a, b) => b.score - a.score)
        .slice(0, 5);
      const near = await vectors.near(question, { limit: 5, collection: 'default' });
      hits += best.filter(({ passage }) => near.some((one) => one.passage === passage)).length;
    }
    expect(hits / 100).toBeGreaterThanOrEqual(0.95);
  });
});
