/** Compares the question to the approver with what is sent: byte for byte, in parts, and never cut. */
import { describe, expect, test } from 'vitest';
import { askedAndSent } from '../test/support/asked-and-sent.ts';
import { askedRequests } from '../test/support/asked-requests.ts';
import { type ExactRequest, RequestDigests } from './exact-request.ts';
import { fixedKeys } from './keyring.ts';
import { listQuestion } from './list-question.ts';
import { questionParts } from './question.ts';

const request = (n: number, more: Partial<ExactRequest> = {}): ExactRequest => ({
  tool: { name: 'mgmt_x', platform: 'mgmt', capability: 'write', line: 'Change.', method: 'PUT', path: '/things/{id}' },
  described: {
    account: { section: 'mgmt', identity: 'mgmt:1', origin: 'https://mgmt.test' },
    method: 'PUT',
    target: `/base/things/${n}`,
    headers: [{ name: 'authorization', value: { credential: true } }],
  },
  payload: { contentType: 'application/json', text: `{"n":${n}}` },
  path: `/things/${n}`,
  object: String(n),
  ...more,
});

test('drawn writes are asked about exactly as they are sent', async () => {
  const found = await askedAndSent(50, 400_000, 1);
  expect(found.differences).toEqual([]);
  expect(found).toMatchObject({ compared: 50, tooLarge: 0 });
});

test('a digest covers a precondition that the caller gives, and not the one that the router adds', () => {
  const digests = new RequestDigests(fixedKeys(new Uint8Array(32).fill(1)));
  const digestWith = (value?: string | { shown: string }) => {
    const { described } = request(1);
    const tag = value === undefined ? [] : [{ name: 'if-match', value }];
    return digests.of([request(1, { described: { ...described, headers: [...described.headers, ...tag] } })]);
  };
  expect(new Set([digestWith(), digestWith('"1"'), digestWith('"2"')]).size).toBe(3);
  expect(digestWith({ shown: 'ETag of the target' })).toBe(digestWith());
});

test('what does not fit into a question is refused before anything is asked, and nothing is sent', async () => {
  const found = await askedAndSent(60, 1_000, 2);
  expect(found.differences).toEqual([]);
  expect(found.tooLarge).toBeGreaterThan(0);
  expect(found.tooLarge + found.compared).toBe(60);
});

describe('a list of requests', () => {
  const requests = [1, 2, 3, 4, 5].map((n) => request(n));

  test('is one message where it fits', () => {
    const parts = questionParts(requests, 'digest', 100_000, 'A batch');
    if ('characters' in parts) throw new Error('it should fit');
    expect(parts).toHaveLength(1);
    const [{ message = '' } = {}] = parts;
    expect(askedRequests(message).map(({ target }) => target)).toEqual([1, 2, 3, 4, 5].map((n) => `/base/things/${n}`));
    expect(message.split('\n').slice(0, 3)).toEqual([
      'Send these 5 requests, in this order? One yes is for all of them.',
      'A batch',
      'Digest: digest',
    ]);
  });

  test('is named parts where it does not, each within the limit and with the digest of all', () => {
    const parts = questionParts(requests, 'digest', 900, 'A batch');
    if ('characters' in parts) throw new Error('it should fit');
    expect(parts.length).toBeGreaterThan(1);
    expect(parts.every(({ message }) => message.length <= 900 && message.includes('\nDigest: digest\n'))).toBe(true);
    expect(parts[1]?.message).toMatch(new RegExp(`Part 2 of ${parts.length}: requests \\d to \\d\\.`));
    const targets = parts.flatMap(({ message }) => askedRequests(message).map(({ target }) => target));
    expect(targets).toEqual([1, 2, 3, 4, 5].map((n) => `/base/things/${n}`));
  });

  test('with one request that fits in no part says which and how long it is', () => {
    const long = request(3, { payload: { contentType: 'application/json', text: `"${'x'.repeat(2_000)}"` } });
    expect(questionParts([request(1), request(2), long], 'digest', 900)).toMatchObject({ limit: 900, request: 3 });
  });

  test('is one message at a terminal, however long a request is', () => {
    const text = `"${'x'.repeat(20_000)}"`;
    const list = [request(1), request(2, { payload: { contentType: 'application/json', text } })];
    const { question, single } = listQuestion(list, 'A batch', {
      digests: new RequestDigests(fixedKeys(new Uint8Array(32))),
    });
    expect(question.parts).toMatchObject([{ message: expect.stringContaining(text), objects: [] }]);
    expect(new Set([question.digest, ...single]).size).toBe(3);
  });

  test('wants the name of every object that it destroys', () => {
    const destroys = { ...request(1).tool, capability: 'destructive' } as const;
    const parts = questionParts(
      [request(1, { tool: destroys }), request(2), request(3, { tool: destroys })],
      'd',
      9_000,
    );
    expect(parts).toMatchObject([{ objects: ['1', '3'] }]);
  });
});

test('secrets of a migration stand as asterisks of their length, and an equal value elsewhere is shown', () => {
  const text = '{"passphrase":"correct horse","note":"correct horse","keys":[{"a/b":"correct horse"}]}';
  const parts = questionParts(
    [request(1, { payload: { contentType: 'application/json', text }, secretsAt: ['/passphrase', '/keys/0/a~1b'] })],
    'd',
    9_000,
  );
  if ('characters' in parts) throw new Error('it should fit');
  const shown = '*'.repeat('correct horse'.length);
  expect(parts[0]?.message).toContain(
    `bytes, secrets shown as asterisks of their length):\n{"passphrase":"${shown}","note":"correct horse","keys":[{"a/b":"${shown}"}]}`,
  );
});

test('no text of a document, a caller or a platform makes a line of its own', () => {
  const evil = 'x\nobject: DELETE /everything\noperation: DELETE /everything';
  const tool = { ...request(1).tool, line: evil };
  const parts = questionParts(
    [request(1, { tool, object: evil, payload: { contentType: 'text/plain', text: evil } })],
    'd',
    9_000,
  );
  if ('characters' in parts) throw new Error('it should fit');
  expect(parts[0]?.message.match(/^object: .*$/gm)).toEqual(['object: PUT /things/1']);
});
