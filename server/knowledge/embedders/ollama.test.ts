/** The client of an Ollama against a server that speaks its documented API. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { ollamaServer } from '../../test/support/ollama-server.ts';
import { Refused, Unavailable } from '../embedder.ts';
import { ollamaEmbedder } from './ollama.ts';

const embedderOf = (url: string, model = 'nomic-embed-text', answerMs = 10_000) =>
  ollamaEmbedder({ url, model, answerMs });

async function failure(work: Promise<unknown>): Promise<Error> {
  return work.then(
    () => new Error('it did not fail'),
    (error: Error) => error,
  );
}

test('many texts in one request, each prefixed as the model wants it, and vectors of length 1 in their order', async () => {
  await using server = await ollamaServer({ dimensions: 64, alike: { dog: 'hound' } });
  const embedder = embedderOf(server.url);
  const [dog, hound, tree] = await embedder.embed(['dog', 'hound', 'tree'], 'passage');
  expect(server.asked).toEqual([['search_document: dog', 'search_document: hound', 'search_document: tree']]);
  expect([dog!.length, Math.hypot(...dog!)]).toEqual([64, expect.closeTo(1, 5)]);
  expect(dog).toEqual(hound);
  expect(dog).not.toEqual(tree);
  await embedder.embed(['where is the dog'], 'question');
  expect(server.asked.at(-1)).toEqual(['search_query: where is the dog']);

  await using other = await ollamaServer({ model: 'all-minilm' });
  await embedderOf(other.url, 'all-minilm').embed(['dog'], 'passage');
  expect(other.asked).toEqual([['dog']]);
});

test('a model that is not there, a server that is busy and a text that is too long are told apart', async () => {
  await using server = await ollamaServer({ refuses: 'endless' });
  const absent = await failure(embedderOf(server.url, 'missing').embed(['a'], 'passage'));
  expect(absent).toBeInstanceOf(Unavailable);
  expect(absent.message).toBe(
    `the embedder at ${server.url} answered 404: model "missing" not found, try pulling it first`,
  );
  const long = await failure(embedderOf(server.url).embed(['an endless text'], 'passage'));
  expect(long).toBeInstanceOf(Refused);
  server.fault = { status: 503, error: 'server busy, please try again. maximum pending requests exceeded' };
  expect(await failure(embedderOf(server.url).embed(['a'], 'passage'))).toBeInstanceOf(Unavailable);
});

test('no server, no answer in time, an answer without vectors: the message names the address and nothing else', async () => {
  const gone = await ollamaServer();
  await gone.close();
  const refused = await failure(embedderOf(gone.url).embed(['a'], 'question'));
  expect([refused instanceof Unavailable, refused.message]).toEqual([
    true,
    `the embedder at ${gone.url} does not answer`,
  ]);

  let answer: string | undefined;
  const odd = createServer((_, response) => {
    if (answer !== undefined) response.setHeader('content-type', 'application/json').end(answer);
  }).listen(0, '127.0.0.1');
  await once(odd, 'listening');
  const url = `http://127.0.0.1:${(odd.address() as AddressInfo).port}`;
  expect((await failure(embedderOf(url, 'm', 200).embed(['a'], 'question'))).message).toContain('does not answer');
  for (const embeddings of ['[]', '[[0,0]]', '[[1],[2]]', '[["a"]]', '[[null]]', '{}', 'null']) {
    answer = `{"model":"m","embeddings":${embeddings}}`;
    const error = await failure(embedderOf(url, 'm').embed(['a'], 'question'));
    expect([error instanceof Unavailable, error.message]).toEqual([
      true,
      expect.stringContaining('got something else'),
    ]);
  }
  odd.closeAllConnections();
  odd.close();
});
