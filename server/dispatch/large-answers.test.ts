/** Long answers are read by real worker threads: the same result as on the main thread, bounded in time and memory. */
import { expect, test } from 'vitest';
import { RouterError } from '../errors.ts';
import type { LargeBody } from '../outbound/body.ts';
import { createLogger } from '../telemetry/logger.ts';
import { MASK } from '../telemetry/redact.ts';
import { LARGE_ANSWER_LIMITS, LargeAnswers } from './large-answers.ts';
import { type AnswerReading, readAnswer } from './read-answer.ts';

const READING: AnswerReading = {
  tool: { capability: 'read', list: { property: 'items' }, parameters: [] },
  values: {},
  status: 200,
  location: null,
  totalHeader: null,
  bounds: { maxItems: 200, maxBytes: 200_000 },
  from: 0,
};

const bodyOf = (text: string): LargeBody => ({
  bytes: new TextEncoder().encode(text),
  contentType: 'application/json',
  unusable: (problem) =>
    new RouterError(
      'wrong' in problem ? 'UPSTREAM_MALFORMED' : 'UPSTREAM_TOO_LARGE',
      'wrong' in problem ? problem.wrong : problem.tooLarge,
    ),
});

test('a worker reads what the main thread would have read, secrets masked and invisible characters shown', async () => {
  const logger = createLogger('silent');
  logger.secrets.learn('tQ7vX2mZ9kLp4RsW8nBd3HgJ');
  const items = Array.from({ length: 3_000 }, (_, id) => ({ id, password: 'x', note: `a\u200b${id}` }));
  const text = JSON.stringify({ items, total: 3_000 });
  const large = new LargeAnswers(logger);
  const read = await large.read(READING, bodyOf(text));
  const here = readAnswer(READING, JSON.parse(text), (said) => said);
  expect(read).toMatchObject({ kind: 'page', nextOffset: 200, result: (here as { result: unknown }).result });
  expect((read as { result: { items: unknown[] } }).result.items[1]).toEqual({
    id: 1,
    password: MASK,
    note: 'a\\u{200b}1',
  });
  // A refusal is cut, and no known value is cut in two.
  const said = `${'x'.repeat(3_990)}tQ7vX2mZ9kLp4RsW8nBd3HgJ${'y'.repeat(100_000)}`;
  const refused = await large.read({ ...READING, status: 400 }, bodyOf(JSON.stringify({ message: 'no', said })));
  expect(refused).toMatchObject({ kind: 'refused', message: 'no' });
  expect(JSON.stringify(refused).length).toBeLessThan(5_000);
  expect(JSON.stringify(refused)).not.toContain('tQ7vX2mZ');
});

test('what is learnt between two answers counts for the second', async () => {
  const logger = createLogger('silent');
  const large = new LargeAnswers(logger);
  const text = JSON.stringify({ message: 'bad wintergarden-keys-2026', more: 'z'.repeat(70_000) });
  const refuse = { ...READING, status: 400 };
  expect(await large.read(refuse, bodyOf(text))).toMatchObject({ message: 'bad wintergarden-keys-2026' });
  logger.secrets.learn('wintergarden-keys-2026');
  expect(await large.read(refuse, bodyOf(text))).toMatchObject({ message: `bad ${MASK}` });
});

test.each([
  ['no JSON', '{"half":'.padEnd(70_000), 'UPSTREAM_MALFORMED', 'text that is no JSON'],
  ['nested 4,000,000 levels', '['.repeat(4_000_000), 'UPSTREAM_MALFORMED', 'nested more than 200 levels'],
])('%s is a coded error', async (_, text, code, message) => {
  const large = new LargeAnswers(createLogger('silent'));
  await expect(large.read(READING, bodyOf(text))).rejects.toMatchObject({
    code,
    message: expect.stringContaining(message),
  });
});

test('a long page of HTML is an answer where HTML was asked for, and nowhere else', async () => {
  const large = new LargeAnswers(createLogger('silent'));
  const page = { ...bodyOf(`<html><p>${'a'.repeat(70_000)}</p></html>`), contentType: 'text/html' };
  expect(await large.read(READING, { ...page, asked: 'text/html' })).toMatchObject({ kind: 'page' });
  await expect(large.read(READING, page)).rejects.toMatchObject({ code: 'UPSTREAM_MALFORMED' });
});

test('a job is ended at its deadline or when it takes too much memory, and the next one gets a new worker', async () => {
  const items = JSON.stringify({
    items: Array.from({ length: 200_000 }, (_, id) => ({ id, [`k${id}_password`]: 'x' })),
  });
  const late = new LargeAnswers(createLogger('silent'), { ...LARGE_ANSWER_LIMITS, workers: 1, deadlineMs: 5 });
  await expect(late.read(READING, bodyOf(items))).rejects.toMatchObject({
    code: 'UPSTREAM_TOO_LARGE',
    message: expect.stringContaining('takes more than 0.005 s to read'),
  });
  // On a busy machine a worker looks for memory longer than a job may take.
  const patient = { ...LARGE_ANSWER_LIMITS, deadlineMs: 300_000 };
  const small = new LargeAnswers(createLogger('silent'), { ...patient, workers: 1, heapMb: 16 });
  await expect(small.read(READING, bodyOf(items))).rejects.toMatchObject({
    code: 'UPSTREAM_TOO_LARGE',
    message: expect.stringContaining('takes more than 16 MB to read'),
  });
  const list = JSON.stringify({ items: [{ id: 1, note: 'n'.repeat(70_000) }] });
  expect(await small.read(READING, bodyOf(list))).toMatchObject({ kind: 'page', result: { items: [{ id: 1 }] } });
});

test('answers wait for a free worker, not for ever', async () => {
  const items = JSON.stringify({ items: Array.from({ length: 100_000 }, (_, id) => ({ id, note: 'x' })) });
  const large = new LargeAnswers(createLogger('silent'), { ...LARGE_ANSWER_LIMITS, workers: 1, waitMs: 20 });
  const [first, second] = await Promise.allSettled([
    large.read(READING, bodyOf(items)),
    large.read(READING, bodyOf(items)),
  ]);
  expect(first.status).toBe('fulfilled');
  expect(second).toMatchObject({ reason: { code: 'UPSTREAM_TOO_LARGE', message: expect.stringContaining('waited') } });
  expect(await large.read(READING, bodyOf(items))).toMatchObject({ kind: 'page' });
});
